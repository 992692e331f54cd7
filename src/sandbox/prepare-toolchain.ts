import {
  access,
  chmod,
  constants,
  copyFile,
  cp,
  mkdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { execa } from 'execa';
import { BotError } from '../domain/errors.ts';
import type { TrustedPath } from '../domain/workspace.ts';

/** Node and npm for the sandbox, to be mounted read-only at `INSIDE.toolchain`: `bin/{node,npm,npx}`, `lib/node_modules/npm`. */
export interface PreparedToolchain {
  readonly dir: TrustedPath;
  readonly nodeVersion: string;
  readonly npmVersion: string;
}

/**
 * Copies the Node that runs the bot, and the npm it finds, to `<dataDir>/toolchain/<versions>`, once. A copy, as the originals may lie
 * in a home directory that the sandbox user must not see, and may be upgraded during a run. Throws `binary-missing`.
 */
export async function prepareToolchain(options: { readonly dataDir: TrustedPath }): Promise<PreparedToolchain> {
  const npm = await findNpm();
  const nodeVersion = process.versions.node;
  const parent = path.join(options.dataDir, 'toolchain');
  const dir = path.join(parent, `node-${nodeVersion}-${process.arch}-npm-${npm.version}`) as TrustedPath;
  if (!(await isThere(dir))) await build(dir, npm.dir);
  return { dir: (await realpath(dir)) as TrustedPath, nodeVersion, npmVersion: npm.version };
}

/** Complete or not there: it gets its name when it is finished. Another process that was faster has made the same. */
async function build(dir: string, npmDir: string): Promise<void> {
  const draft = `${dir}.${randomUUID()}`;
  try {
    await mkdir(path.join(draft, 'bin'), { recursive: true });
    await mkdir(path.join(draft, 'lib', 'node_modules'), { recursive: true });
    // Shares the blocks where the file system can.
    await copyFile(process.execPath, path.join(draft, 'bin', 'node'), constants.COPYFILE_FICLONE);
    await cp(npmDir, path.join(draft, 'lib', 'node_modules', 'npm'), { recursive: true, dereference: true });
    for (const program of ['npm', 'npx']) {
      await symlink(`../lib/node_modules/npm/bin/${program}-cli.js`, path.join(draft, 'bin', program));
    }
    await chmod(path.join(draft, 'bin', 'node'), 0o755);
    // Whatever the umask was: the sandbox user reads all of it and writes none.
    await execa('/bin/chmod', ['-R', 'u+rwX,go+rX,go-w', '--', draft], { env: {}, extendEnv: false });
    await assertRuns(draft);
    await rename(draft, dir);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!(await isThere(dir))) throw error;
  }
}

/** Distributions may spread npm's own dependencies over other directories: such a copy is no npm. */
async function assertRuns(draft: string): Promise<void> {
  const options = {
    env: { PATH: path.join(draft, 'bin'), HOME: draft, ...LEAVES_NOTHING },
    extendEnv: false,
    reject: false,
    cwd: draft,
  } as const;
  const answer = await execa(path.join(draft, 'bin', 'npm'), ['--version'], options);
  if (answer.exitCode === 0) return;
  throw new BotError(
    'binary-missing',
    'The npm of this machine does not work on its own. Install Node with its npm: https://nodejs.org/en/download',
    { details: { stderr: answer.stderr.slice(-500) } },
  );
}

/** npm has Node keep what it compiled in the folder for temporary files, for ever. */
const LEAVES_NOTHING = { NODE_DISABLE_COMPILE_CACHE: '1' };

interface FoundNpm {
  readonly dir: string;
  readonly version: string;
}

/** Beside this Node, else beside another Node on the usual places (this one may be a package without npm of its own). */
async function findNpm(): Promise<FoundNpm> {
  const prefixes = [path.dirname(path.dirname(process.execPath)), '/usr/local', '/usr'];
  const usual = prefixes.map((prefix) => path.join(prefix, 'lib', 'node_modules', 'npm'));
  const found = (await readFirstNpm(usual)) ?? (await readFirstNpm(await askNpm()));
  if (found !== null) return found;
  throw new BotError(
    'binary-missing',
    'npm was not found beside Node, in /usr/local or in /usr. Install Node with npm: https://nodejs.org/en/download',
    { details: { looked: usual } },
  );
}

async function readFirstNpm(candidates: readonly string[]): Promise<FoundNpm | null> {
  for (const candidate of candidates) {
    const found = await readNpm(candidate);
    if (found !== null) return found;
  }
  return null;
}

/** Version managers keep npm below a home directory; npm itself knows where. */
async function askNpm(): Promise<readonly string[]> {
  const answer = await execa('npm', ['root', '--global'], { env: LEAVES_NOTHING, reject: false, timeout: 20_000 });
  return answer.exitCode === 0 ? [path.join(answer.stdout.trim(), 'npm')] : [];
}

async function readNpm(dir: string): Promise<FoundNpm | null> {
  try {
    const real = await realpath(dir);
    const manifest: unknown = JSON.parse(await readFile(path.join(real, 'package.json'), 'utf8'));
    const version =
      typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : null;
    await access(path.join(real, 'bin', 'npm-cli.js'));
    return typeof version === 'string' && /^[\w.+-]+$/.test(version) ? { dir: real, version } : null;
  } catch {
    return null;
  }
}

async function isThere(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}
