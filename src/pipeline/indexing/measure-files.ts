import path from 'node:path';
import { execaNode } from 'execa';
import { unparsed, type FileMeasurement } from './measure-file.ts';

export interface SourceText {
  readonly path: string;
  readonly text: string;
}

/** Far more than the largest real file takes. */
const MAX_MS_PER_FILE = 60_000;
const PROGRAM = path.join(import.meta.dirname, `measure-program${path.extname(import.meta.filename)}`);

/**
 * Measures files in a process of its own, in the order given. The parser is native code without a limit on nesting: 20 kB of
 * brackets overflow its stack and end its process, and parsing a large repository takes seconds in which a server could not answer.
 * A file that ends the process counts as one that cannot be parsed.
 */
export async function measureFiles(files: readonly SourceText[]): Promise<readonly FileMeasurement[]> {
  const measured: FileMeasurement[] = [];
  while (measured.length < files.length) {
    measured.push(...(await measureUntilDeath(files.slice(measured.length))));
    const fatal = files[measured.length];
    if (fatal !== undefined) measured.push(unparsed(fatal.text));
  }
  return measured;
}

/** Fewer measurements than files when the process died: the first one missing is of the file that it died of. */
async function measureUntilDeath(files: readonly SourceText[]): Promise<readonly FileMeasurement[]> {
  const measured: FileMeasurement[] = [];
  const program = execaNode(PROGRAM, {
    env: {},
    extendEnv: false,
    ipc: true,
    serialization: 'advanced',
    stdio: 'ignore',
    buffer: false,
    nodeOptions: [],
    reject: false,
  });
  const kill = () => void program.kill('SIGKILL');
  let clock: NodeJS.Timeout | undefined;
  const ask = (file: SourceText | undefined) => {
    clearTimeout(clock);
    if (file === undefined) return kill();
    clock = setTimeout(kill, MAX_MS_PER_FILE);
    // A process that died is noticed by its end, not by what could not be sent.
    program.sendMessage({ ...file }).catch(() => undefined);
  };
  const answers = program.getEachMessage();
  ask(files[0]);
  try {
    for await (const answer of answers) {
      measured.push(answer as unknown as FileMeasurement);
      ask(files[measured.length]);
    }
  } catch {
    // The process died: its end says nothing that the missing measurements do not.
  }
  clearTimeout(clock);
  await program;
  return measured;
}
