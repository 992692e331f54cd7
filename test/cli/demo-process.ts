import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { execa } from 'execa';

const ROOT = path.join(import.meta.dirname, '../..');
const NODE = path.join(ROOT, 'node_modules/.bin/node');

export interface Told {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** What it left behind in the folder that it was given for temporary files. */
  readonly leftBehind: readonly string[];
}

interface Choices {
  /** A command that it is started through. */
  readonly prefix?: readonly string[];
  /** Ctrl-C once it has said this. */
  readonly interruptAt?: string;
}

/** Runs the command line as a newcomer does, without a terminal. */
export async function runCli(args: readonly string[], { prefix = [], interruptAt }: Choices = {}): Promise<Told> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'demo-test-'));
  // Open to all as every such folder is: when root starts the demo, commands run as another user.
  await chmod(folder, 0o1777);
  try {
    const [program = '', ...rest] = [...prefix, NODE, path.join(ROOT, 'src/cli.ts'), ...args];
    const running = execa(program, rest, {
      env: { TMPDIR: folder },
      stdin: 'ignore',
      reject: false,
      // Against hanging: a loaded machine takes its time.
      timeout: 540_000,
    });
    if (interruptAt !== undefined) {
      for await (const line of running) {
        if (line.includes(interruptAt)) running.kill('SIGINT');
      }
    }
    const { exitCode, stdout, stderr } = await running;
    return { exitCode, stdout, stderr, leftBehind: await readdir(folder) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const BUBBLEWRAP = '/usr/bin/bwrap';
/** Where bubblewrap is installed, it hides itself from what is started through it. */
const hiding = existsSync(BUBBLEWRAP) ? [BUBBLEWRAP, '--dev-bind', '/', '/'] : null;

/** A machine on which bubblewrap is no program that starts. */
export const withBrokenBubblewrap: readonly string[] =
  hiding === null ? [] : [...hiding, '--ro-bind', '/dev/null', BUBBLEWRAP, '--'];

/** A machine on which it is not installed, and nothing else in its folder either: enough for a refusal. */
export const withoutBubblewrap: readonly string[] = hiding === null ? [] : [...hiding, '--tmpfs', '/usr/bin', '--'];
