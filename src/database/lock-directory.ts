import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { BotError } from '../domain/errors.ts';

interface Owner {
  readonly pid: number;
  /** Tells a living owner from a later process with the same number; empty where the system does not say. */
  readonly startedAt: string;
  readonly host: string;
}

/**
 * Makes this process the only owner of a directory, by a file beside it. PGlite itself opens a directory twice without
 * complaint and then loses rows silently. Only the file of a dead process is taken over: an old one proves nothing.
 * Throws `database-locked`. Answers how to give the lock back.
 */
export function lockDirectory(directory: string): () => void {
  const file = `${directory}.lock`;
  const mine = JSON.stringify(describeProcess(process.pid));
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (createExclusively(file, mine)) return () => releaseIfMine(file, mine);
    removeIfDead(file, directory);
  }
  throw lockedBy('another process that starts at the same moment', { file, directory });
}

function createExclusively(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Renaming decides who of several processes removes a dead owner's file. One that was too late has then moved the file of
 * a living owner, and puts it back.
 */
function removeIfDead(file: string, directory: string): void {
  const text = readOrNull(file);
  if (text === null) return;
  refuseLiving(text, { file, directory });
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  const moved = readOrNull(aside);
  if (moved !== text) linkSync(aside, file);
  rmSync(aside, { force: true });
}

function refuseLiving(text: string, where: { readonly file: string; readonly directory: string }): void {
  const owner = parseOwner(text);
  // A process that died while it wrote the file left nothing to go by: then nobody holds the directory.
  if (owner === null) return;
  if (owner.host !== hostname()) throw lockedBy(`process ${owner.pid} on the machine "${owner.host}"`, where);
  const living = describeProcess(owner.pid);
  if (isRunning(owner.pid) && living.startedAt === owner.startedAt) throw lockedBy(`process ${owner.pid}`, where);
}

function lockedBy(owner: string, where: { readonly file: string; readonly directory: string }): BotError {
  return new BotError(
    'database-locked',
    `The data directory ${where.directory} is in use by ${owner}. Stop that one, or set DATABASE_URL so that several processes share one PostgreSQL. If nothing runs there any more, remove ${where.file}.`,
    { details: { directory: where.directory } },
  );
}

function releaseIfMine(file: string, mine: string): void {
  if (readOrNull(file) === mine) rmSync(file, { force: true });
}

function describeProcess(pid: number): Owner {
  return { pid, startedAt: startOf(pid), host: hostname() };
}

/** Field 22 of `/proc/<pid>/stat`, counted behind the name, which may itself hold spaces and brackets. */
function startOf(pid: number): string {
  const stat = readOrNull(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function parseOwner(text: string): Owner | null {
  try {
    const value = JSON.parse(text) as Partial<Owner> | null;
    if (typeof value?.pid !== 'number' || typeof value.startedAt !== 'string' || typeof value.host !== 'string')
      return null;
    return { pid: value.pid, startedAt: value.startedAt, host: value.host };
  } catch {
    return null;
  }
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH') return null;
    throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
