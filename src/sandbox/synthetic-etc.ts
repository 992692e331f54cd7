import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { TrustedPath } from '../domain/workspace.ts';
import { INSIDE_HOME } from './base-environment.ts';
import { makeDirectory } from './run-directories.ts';

/** Who a command is inside, on every machine. */
export const INSIDE_USER = { uid: 1000, gid: 1000 } as const;

/** Paths of the host's /etc that programs of /usr need; each is there or not, none holds a secret. */
const FROM_HOST = [
  'alternatives',
  'ca-certificates',
  'crypto-policies',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'pki/ca-trust/extracted',
  'pki/tls/certs',
  'ssl/certs',
  'ssl/openssl.cnf',
] as const;

/** Without passwd and hosts, `os.userInfo()` throws and `localhost` has no address: many test suites fail. */
const FILES: Readonly<Record<string, string>> = {
  passwd: `root:x:0:0:root:/root:/usr/sbin/nologin\nsandbox:x:${INSIDE_USER.uid}:${INSIDE_USER.gid}:sandbox:${INSIDE_HOME}:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n`,
  group: `root:x:0:\nsandbox:x:${INSIDE_USER.gid}:\nnogroup:x:65534:\n`,
  hosts: '127.0.0.1 localhost sandbox\n::1 localhost\n',
  'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
  // Mounted repositories belong to another uid; inside, that means nothing.
  gitconfig: '[safe]\n\tdirectory = *\n',
};

export interface SyntheticEtc {
  readonly dir: TrustedPath;
  /** Below /etc, to be bound read-only from the host over the empty places this directory has for them. */
  readonly fromHost: readonly string[];
}

/** Makes the /etc of the sandbox once; the same content each time, so that two bots on one directory do not disturb each other. */
export async function makeSyntheticEtc(scratchDir: TrustedPath): Promise<SyntheticEtc> {
  const dir = await makeDirectory(path.join(scratchDir, 'etc'), null);
  for (const [name, content] of Object.entries(FILES)) await writeReadable(path.join(dir, name), content);
  const fromHost = FROM_HOST.filter((name) => existsSync(path.join('/etc', name)));
  for (const name of fromHost) await makeMountPoint(path.join(dir, name), path.join('/etc', name));
  await symlink('../usr/lib/os-release', path.join(dir, 'os-release')).catch(ignoreExisting);
  return { dir, fromHost };
}

async function makeMountPoint(place: string, host: string): Promise<void> {
  await makeDirectory(path.dirname(place), null);
  const isDirectory = (await stat(host)).isDirectory();
  if (isDirectory) await mkdir(place).catch(ignoreExisting);
  else await writeReadable(place, '');
}

async function writeReadable(file: string, content: string): Promise<void> {
  // Left alone when it is right: a running sandbox may be reading it.
  if ((await readFile(file, 'utf8').catch(() => null)) === content) return;
  await writeFile(file, content);
  await chmod(file, 0o644);
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
}
