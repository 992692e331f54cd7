import { readdir, readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** Every process below `root` and `root` itself, by the kernel's parent links. Empty where there is no `/proc` (not Linux). */
export async function listProcessTree(root: number): Promise<readonly number[]> {
  const childrenOf = new Map<number, number[]>();
  for (const pid of await listProcesses()) {
    const parent = await parentOf(pid);
    if (parent !== null) childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), pid]);
  }
  const found: number[] = [];
  const open = [root];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    found.push(pid);
    open.push(...(childrenOf.get(pid) ?? []));
  }
  return found;
}

export async function listProcesses(): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => []);
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

async function parentOf(pid: number): Promise<number | null> {
  const parent = (await readStat(pid))[1];
  return parent === undefined ? null : Number(parent);
}

/** State, parent and so on. The field before is the program's name in parentheses, which may itself hold spaces and parentheses. */
async function readStat(pid: number): Promise<readonly string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return stat
    .slice(stat.lastIndexOf(')') + 1)
    .split(' ')
    .slice(1);
}

/**
 * Waits for the first process of a namespace to be gone or a zombie: it becomes one only after the kernel has killed and reaped all
 * others in there. Gives up after some seconds rather than hold the run for a number that something else has got since.
 */
export async function waitForNamespaceEnd(firstProcess: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < 5000; waitedMs += 2) {
    const state = (await readStat(firstProcess))[0];
    if (state === undefined || state === 'Z' || state === 'X') return;
    await setTimeout(2);
  }
}

/**
 * Memory of a set of processes. Resident sizes count shared pages once per process, so they are only the cheap first look: when they
 * pass `limit`, the proportional sizes decide.
 */
export async function measureMemory(pids: readonly number[], limit: number): Promise<number> {
  const resident = await sumOver(pids, residentBytes);
  return resident <= limit ? resident : await sumOver(pids, proportionalBytes);
}

async function sumOver(pids: readonly number[], measure: (pid: number) => Promise<number>): Promise<number> {
  const sizes = await Promise.all(pids.map(measure));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function residentBytes(pid: number): Promise<number> {
  return (await kilobytesOf(`/proc/${pid}/status`, /^VmRSS:\s+(\d+) kB/m)) ?? 0;
}

async function proportionalBytes(pid: number): Promise<number> {
  // Unreadable (a process may make itself so): its resident size is the safe answer.
  return (await kilobytesOf(`/proc/${pid}/smaps_rollup`, /^Pss:\s+(\d+) kB/m)) ?? (await residentBytes(pid));
}

async function kilobytesOf(file: string, pattern: RegExp): Promise<number | null> {
  const text = await readFile(file, 'latin1').catch(() => '');
  const kilobytes = pattern.exec(text)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}
