import { constants } from 'node:fs';
import { lstat, open, opendir, readdir, stat, statfs } from 'node:fs/promises';
import path from 'node:path';

/** Entries looked at before a tree counts as too large to measure. */
const MAX_ENTRIES = 2_000_000;
/** Less than this left on the disk ends a command that is writing, whatever its own share. */
const FREE_FLOOR_BYTES = 256 * 1024 * 1024;

/**
 * How much a running command has written below its writable directories: what it changed since the start (by change time, which an
 * ordinary process cannot set), and files it deleted but holds open. Free space is the cheap first look between two walks.
 */
export interface DiskGrowth {
  /** Words for the person when the limit is passed, else null. */
  check(pids: readonly number[]): Promise<string | null>;
}

export async function watchDiskGrowth(directories: readonly string[], limitBytes: number): Promise<DiskGrowth> {
  // The file system's clock ticks coarser than ours: one second of slack against counting nothing.
  const since = Date.now() - 1000;
  const freeAtStart = await leastFreeBytes(directories);
  const devices = await devicesOf(directories);
  let nextWalkAt = Date.now() + 5000;

  return {
    async check(pids) {
      if (directories.length === 0) return null;
      const free = await leastFreeBytes(directories);
      const spaceLost = freeAtStart - free;
      if (spaceLost > FREE_FLOOR_BYTES && free < FREE_FLOOR_BYTES) return 'the disk is nearly full';
      if (spaceLost <= limitBytes && Date.now() < nextWalkAt) return null;
      const startedAt = Date.now();
      const walked = await changedBytes(directories, since);
      const written = walked.bytes + (await deletedButOpenBytes(pids, devices));
      // At most a twentieth of the time goes into walking.
      nextWalkAt = Date.now() + Math.max(5000, 20 * (Date.now() - startedAt));
      if (written > limitBytes) return `it wrote ${written} bytes, ${limitBytes} are allowed`;
      if (spaceLost > limitBytes && !walked.complete)
        return `the disk lost ${spaceLost} bytes to files that cannot be measured`;
      return null;
    },
  };
}

async function leastFreeBytes(directories: readonly string[]): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (const directory of directories) {
    const found = await statfs(directory).catch(() => null);
    if (found !== null) least = Math.min(least, found.bavail * found.bsize);
  }
  return least;
}

async function changedBytes(
  directories: readonly string[],
  since: number,
): Promise<{ readonly bytes: number; readonly complete: boolean }> {
  let bytes = 0;
  let entries = 0;
  let complete = true;
  const pending: string[] = [...directories];
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    try {
      for await (const entry of await openRealDirectory(directory)) {
        if (++entries > MAX_ENTRIES) return { bytes, complete: false };
        const full = path.join(directory, entry.name);
        if (entry.isDirectory()) pending.push(full);
        const found = await lstat(full);
        if (found.ctimeMs >= since) bytes += found.blocks * 512;
      }
    } catch {
      // Too deep for one path, without permission, or gone again.
      complete = false;
    }
  }
  return { bytes, complete };
}

/** A directory may have become a link to elsewhere since it was listed; reading that would only waste time, but it may be a lot. */
async function openRealDirectory(directory: string): ReturnType<typeof opendir> {
  const handle = await open(directory, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    return await opendir(`/proc/self/fd/${handle.fd}`).catch(() => opendir(directory));
  } finally {
    await handle.close();
  }
}

async function devicesOf(directories: readonly string[]): Promise<ReadonlySet<number>> {
  const found = await Promise.all(directories.map(async (directory) => (await stat(directory)).dev));
  return new Set(found);
}

async function deletedButOpenBytes(pids: readonly number[], devices: ReadonlySet<number>): Promise<number> {
  const sizes = new Map<string, number>();
  for (const pid of pids) {
    for (const fd of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const found = await stat(`/proc/${pid}/fd/${fd}`).catch(() => null);
      if (found === null || !found.isFile() || found.nlink > 0 || !devices.has(found.dev)) continue;
      sizes.set(`${found.dev}:${found.ino}`, found.blocks * 512);
    }
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}
