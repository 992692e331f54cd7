import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A small real project on disk, with git to apply diffs with. */
export interface TypeScriptProject {
  readonly root: string;
  read(path: string): string;
  write(files: Readonly<Record<string, string>>): void;
  /** Applies a diff with git's own rules; throws when it does not apply. */
  applyDiff(diff: string): void;
  remove(): void;
}

const STRICT = {
  target: 'es2022',
  lib: ['es2022'],
  module: 'nodenext',
  strict: true,
  noEmit: true,
  types: [],
  allowImportingTsExtensions: true,
};

/** Files by path. Without a `tsconfig.json` of their own they get a strict one; `tsconfig: null` leaves it out. */
export function makeTypeScriptProject(
  files: Readonly<Record<string, string>>,
  options: { readonly tsconfig?: Readonly<Record<string, unknown>> | null } = {},
): TypeScriptProject {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'operations-')));
  const write = (texts: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  };
  write({ 'package.json': '{ "name": "sample", "type": "module" }\n', ...files });
  if (options.tsconfig !== null && files['tsconfig.json'] === undefined) {
    write({ 'tsconfig.json': JSON.stringify({ compilerOptions: { ...STRICT, ...options.tsconfig } }) });
  }
  execFileSync('git', ['init', '-q', root]);
  return {
    root,
    write,
    read: (path) => readFileSync(join(root, path), 'utf8'),
    applyDiff: (diff) => {
      execFileSync('git', ['-C', root, 'apply', '-'], { input: diff, stdio: ['pipe', 'pipe', 'pipe'] });
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
