import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { TrustedPath } from '../domain/workspace.ts';

/**
 * Reads one file that untrusted code may have written: below `root` in truth and not only in name, a regular file (a pipe would
 * block, a device might act), at most `maxBytes`. Only after every process that could still swap it is dead.
 * `relative` is a path below `root`; the answer says why when the file was not read.
 */
export async function readUntrustedFile(file: {
  readonly root: TrustedPath;
  readonly relative: string;
  readonly maxBytes: number;
}): Promise<{ readonly bytes: Uint8Array } | { readonly problem: string }> {
  const root = await realpath(file.root);
  const wanted = path.resolve(root, file.relative);
  if (!wanted.startsWith(root + path.sep)) return { problem: 'the path leads out of its directory' };
  try {
    // O_NOFOLLOW covers the last component alone, hence the real path of the parent.
    const parent = await realpath(path.dirname(wanted));
    if (parent !== root && !parent.startsWith(root + path.sep)) return { problem: 'a link leads out of its directory' };
    return await readRegularFile(path.join(parent, path.basename(wanted)), file.maxBytes);
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

async function readRegularFile(
  file: string,
  maxBytes: number,
): Promise<{ readonly bytes: Uint8Array } | { readonly problem: string }> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = await handle.stat();
    if (!found.isFile()) return { problem: 'it is not a regular file' };
    if (found.size > maxBytes) return { problem: `it has ${found.size} bytes, more than the ${maxBytes} allowed` };
    const buffer = Buffer.alloc(found.size);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    return { bytes: buffer.subarray(0, bytesRead) };
  } finally {
    await handle.close();
  }
}

function problemOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'it does not exist';
  if (code === 'ELOOP') return 'it is a symbolic link';
  return `it cannot be read (${String(code ?? error)})`;
}
