import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { TrustedPath } from '../domain/workspace.ts';

/** Linux's O_PATH, which Node does not name: a handle on a place, good for mounting it and for nothing else. */
const O_PATH = 0x200000;

/** Descriptors handed to one command, closed together. */
export interface OpenFiles {
  directory(path: TrustedPath): Promise<number>;
  /** A file without a name that holds `content`, read from its start. */
  holding(content: string | Uint8Array): Promise<number>;
  close(): Promise<void>;
}

export function createOpenFiles(scratchDir: TrustedPath): OpenFiles {
  const handles: FileHandle[] = [];
  const keep = (handle: FileHandle) => {
    handles.push(handle);
    return handle.fd;
  };
  return {
    async directory(directory) {
      return keep(await open(directory, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW));
    },
    async holding(content) {
      const file = path.join(scratchDir, randomUUID());
      const handle = await open(file, 'wx+', 0o600);
      const fd = keep(handle);
      await unlink(file);
      // Written at a given position, which leaves the file's own position at its start for the reader.
      const bytes = Buffer.from(content);
      await handle.write(bytes, 0, bytes.length, 0);
      return fd;
    },
    async close() {
      await Promise.all(handles.map((handle) => handle.close()));
    },
  };
}
