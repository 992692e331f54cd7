import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const DIRECTORIES = ['/usr/lib/postgresql/15/bin', '/usr/lib/postgresql/16/bin', '/usr/lib/postgresql/17/bin'];

/** Where PostgreSQL is installed, or null: said loudly, and a failure where the tests must be complete. */
export const postgresPrograms: string | null = findPrograms();

function findPrograms(): string | null {
  const found = DIRECTORIES.find((directory) => existsSync(join(directory, 'initdb'))) ?? null;
  if (found !== null) return found;
  const message = `PostgreSQL is not installed in any of ${DIRECTORIES.join(', ')}: the tests that need it cannot run.`;
  if (process.env['CI'] === 'true') throw new Error(message);
  console.warn(`SKIPPED: ${message}`);
  return null;
}

export interface PostgresCluster {
  readonly url: string;
  stop(): Promise<void>;
}

/** A cluster of its own in a temporary directory, on a free loopback port. `durable` is for the bench: fsync on, as in real life. */
export async function startPostgres(options: { readonly durable?: boolean } = {}): Promise<PostgresCluster> {
  const programs = postgresPrograms ?? '';
  const root = mkdtempSync(join(tmpdir(), 'refactor-bot-postgres-'));
  const data = join(root, 'data');
  const asOwner = await ownerOf(root);
  await asOwner(join(programs, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8']);
  const port = await freePort();
  const settings = [
    `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${root}`,
    options.durable === true ? '' : '-c fsync=off',
  ];
  await asOwner(join(programs, 'pg_ctl'), [
    '-D',
    data,
    '-w',
    '-l',
    join(root, 'log'),
    '-o',
    settings.join(' '),
    'start',
  ]);
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await asOwner(join(programs, 'pg_ctl'), ['-D', data, '-w', '-m', 'immediate', 'stop']);
      rmSync(root, { recursive: true, force: true });
    },
  };
}

type Execute = (program: string, args: readonly string[]) => Promise<unknown>;

/** PostgreSQL refuses to run as root; then its own user owns the directory and the processes. */
async function ownerOf(root: string): Promise<Execute> {
  if (process.getuid?.() !== 0) return (program, args) => run(program, [...args]);
  const id = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout.trim());
  chownSync(root, await id('-u'), await id('-g'));
  return (program, args) => run('runuser', ['-u', 'postgres', '--', program, ...args], { cwd: root });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
