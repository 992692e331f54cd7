import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { WEBHOOK_PATH } from '../../src/start-bot.ts';
import type { GithubAddress } from './github-program.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
/** Nothing of the sandbox runs here; it is only that the bot refuses to be root in it. */
const NOBODY = '61184';
const KERNEL_TICKS_PER_SECOND = 100;

/** What the bot wrote to its log. */
export interface Logged {
  /** Deliveries that became a row of the inbox. */
  readonly stored: number;
  /** Of those, how many the worker had settled as a label that is not the bot's. */
  readonly ignored: number;
  /** The first lines of level `warn` and above, or of something else than the log. */
  readonly complaints: readonly string[];
}

export interface BotProgram {
  readonly webhookUrl: string;
  /** Resident memory of the process, and the most it ever was. */
  memory(): Promise<{ readonly nowMb: number; readonly peakMb: number }>;
  /** Processor time of the process since its start. */
  cpuSeconds(): Promise<number>;
  logged(): Logged;
  /** Ends it as an operator would, and after ten seconds by force. */
  stop(): Promise<void>;
}

/** The bot exactly as `npm start` runs it, with the log it writes by default. `databaseUrl` null: PGlite. */
export async function startBotProgram(options: {
  readonly folder: string;
  readonly github: GithubAddress;
  readonly databaseUrl: string | null;
}): Promise<BotProgram> {
  const child = execa(process.execPath, [MAIN], {
    env: environment(options),
    extendEnv: false,
    stdin: 'ignore',
    stdout: 'ignore',
    buffer: false,
    reject: false,
    forceKillAfterDelay: 10_000,
  });
  const log: Tally = { stored: 0, ignored: 0, complaints: [] };
  const port = await new Promise<number>((resolve, reject) => {
    // The log goes to standard error, and so does what keeps the bot from starting.
    createInterface({ input: child.stderr })
      .on('line', (line) => read(line, log, resolve))
      .on('close', () => reject(new Error(`The bot ended before it listened.\n${log.complaints.join('\n')}`)));
  });
  const proc = `/proc/${child.pid ?? 0}`;
  return {
    webhookUrl: `http://127.0.0.1:${port}${WEBHOOK_PATH}`,
    memory: async () => readMemory(await readFile(`${proc}/status`, 'utf8')),
    cpuSeconds: async () => readCpuSeconds(await readFile(`${proc}/stat`, 'utf8')),
    logged: () => log,
    stop: async () => {
      child.kill('SIGTERM');
      await child;
    },
  };
}

function environment({ folder, github, databaseUrl }: Parameters<typeof startBotProgram>[0]): Record<string, string> {
  const { PATH = '', HOME = folder } = process.env;
  return {
    PATH,
    HOME,
    APP_ID: String(github.app.id),
    PRIVATE_KEY: github.app.privateKey,
    WEBHOOK_SECRET: github.app.webhookSecret,
    GHE_HOST: github.host,
    GHE_PROTOCOL: 'http',
    HOST: '127.0.0.1',
    PORT: '0',
    REFACTOR_BOT_DATA_DIR: path.join(folder, 'bot'),
    REFACTOR_BOT_SANDBOX: 'none',
    REFACTOR_BOT_ALLOW_UNSANDBOXED: 'true',
    ...(process.getuid?.() === 0 ? { REFACTOR_BOT_SANDBOX_UID: NOBODY, REFACTOR_BOT_SANDBOX_GID: NOBODY } : {}),
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
  };
}

interface Tally {
  stored: number;
  ignored: number;
  readonly complaints: string[];
}

interface LogLine {
  readonly level: number | string;
  readonly msg?: string;
  readonly port?: number;
  readonly isNew?: boolean;
  readonly handledAs?: string;
}

function read(text: string, log: Tally, listening: (port: number) => void): void {
  const line: LogLine = text.startsWith('{') ? (JSON.parse(text) as LogLine) : { level: 'error' };
  if (line.msg === 'listening') listening(line.port ?? 0);
  if (line.msg === 'delivery accepted' && line.isNew === true) log.stored++;
  if (line.msg === 'delivery handled' && line.handledAs === 'ignored: another label') log.ignored++;
  const isComplaint = line.level === 'warn' || line.level === 'error' || Number(line.level) >= 40;
  if (isComplaint && log.complaints.length < 5) log.complaints.push(text.slice(0, 500));
}

function readMemory(status: string): { readonly nowMb: number; readonly peakMb: number } {
  const megabytes = (field: string) =>
    Math.round(Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024);
  return { nowMb: megabytes('VmRSS'), peakMb: megabytes('VmHWM') };
}

/** Fields 14 and 15 of proc(5)'s `stat`; the second field, the name, may hold blanks and ends at the last bracket. */
function readCpuSeconds(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / KERNEL_TICKS_PER_SECOND;
}
