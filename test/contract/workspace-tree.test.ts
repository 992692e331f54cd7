import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toTreeId, type TreeId } from '../../src/domain/ids.ts';
import type { Workspace } from '../../src/domain/workspace.ts';
import { baseEnvironment } from '../../src/sandbox/base-environment.ts';
import { collectDiff } from '../../src/sandbox/collect-diff.ts';
import { makeDirectory } from '../../src/sandbox/run-directories.ts';
import { syncTree } from '../../src/sandbox/sync-tree.ts';
import { openSandboxBench, whyNoBubblewrap, type SandboxBench } from '../support/sandbox-drivers.ts';

const noBubblewrap = await whyNoBubblewrap();
const signal = new AbortController().signal;
const environment = baseEnvironment();

describe.each(['bubblewrap', 'unsandboxed'] as const)('the checkout, by %s', (driver) => {
  if (driver === 'bubblewrap' && noBubblewrap !== null) return test.skip(noBubblewrap, () => undefined);

  let bench: SandboxBench;
  let workspace: Workspace;
  let source: string;
  beforeEach(async () => {
    bench = await openSandboxBench(driver);
    source = path.join(bench.root, 'source');
    mkdirSync(source);
    const gitDir = await makeDirectory(path.join(bench.root, 'repository.git'), null);
    execFileSync('git', ['init', '--quiet', '--bare', gitDir], { env: { PATH: '/usr/bin:/bin', HOME: bench.root } });
    const unused = bench.root;
    workspace = { gitDir, treeDir: bench.tree, toolsDir: unused, toolchainDir: unused, exchangeDir: unused };
  });
  afterEach(() => bench.remove());

  function git(...args: readonly string[]): string {
    const env = { PATH: '/usr/bin:/bin', HOME: bench.root, GIT_CONFIG_NOSYSTEM: '1', GIT_WORK_TREE: source };
    return execFileSync('git', args, {
      encoding: 'utf8',
      env: { ...env, GIT_DIR: path.join(bench.root, 'repository.git') },
    }).trim();
  }

  /** Replaces the files of the source and answers their tree; a content of null removes the file. */
  function treeWith(files: Readonly<Record<string, string | Buffer | null>>): TreeId {
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(source, name);
      mkdirSync(path.dirname(file), { recursive: true });
      if (content === null) execFileSync('rm', [file]);
      else writeFileSync(file, content);
    }
    git('add', '--all', '--force');
    return toTreeId(git('write-tree'));
  }

  const sync = (from: TreeId | null, to: TreeId) =>
    syncTree({ sandbox: bench.sandbox, workspace, from, to, environment, signal });
  const collect = (base: TreeId) => collectDiff({ sandbox: bench.sandbox, workspace, base, environment, signal });
  const content = (name: string) => readFileSync(path.join(bench.tree, name), 'utf8');
  const has = (name: string) => existsSync(path.join(bench.tree, name));

  const FILES = { 'a.txt': 'a\n', 'src/b.ts': 'b\n', 'src/deep/c.ts': 'c\n', '.gitignore': 'dist\n*.log\n' };

  test('fills an empty directory, modes and links included, without a .git', async () => {
    writeFileSync(path.join(source, 'run.sh'), '#!/bin/sh\n');
    chmodSync(path.join(source, 'run.sh'), 0o755);
    symlinkSync('a.txt', path.join(source, 'link'));
    await sync(null, treeWith(FILES));
    expect(readdirSync(bench.tree).sort()).toEqual(['.gitignore', 'a.txt', 'link', 'run.sh', 'src']);
    expect(content('src/deep/c.ts')).toBe('c\n');
    expect(statSync(path.join(bench.tree, 'run.sh')).mode & 0o111).toBe(0o111);
    expect(lstatSync(path.join(bench.tree, 'link')).isSymbolicLink()).toBe(true);
  });

  test('goes to another tree and back, and writes only what differs', async () => {
    const first = treeWith(FILES);
    const second = treeWith({ 'a.txt': 'changed\n', 'src/deep/c.ts': null, 'new/d.ts': 'd\n' });
    await sync(null, first);
    const before = statSync(path.join(bench.tree, 'src/b.ts')).mtimeMs;
    await sync(first, second);
    expect([content('a.txt'), content('new/d.ts'), has('src/deep')]).toEqual(['changed\n', 'd\n', false]);
    await sync(second, first);
    expect([content('a.txt'), has('new'), content('src/deep/c.ts')]).toEqual(['a\n', false, 'c\n']);
    expect(statSync(path.join(bench.tree, 'src/b.ts')).mtimeMs).toBe(before);
  });

  test('undoes what commands did and keeps what is ignored, and dependencies in any case', async () => {
    const tree = treeWith(FILES);
    await sync(null, tree);
    await bench.run(`
      echo spoiled >a.txt; touch -r src/b.ts a.txt; rm src/b.ts; chmod 600 src/deep/c.ts; chmod +x .gitignore
      mkdir -p dist node_modules/x src/node_modules/y left/behind; echo kept | tee dist/k node_modules/x/k src/node_modules/y/k debug.log
      echo gone | tee left/behind/file untracked.ts; git init -q .; git init -q nested`);
    await sync(tree, tree);
    expect([content('a.txt'), content('src/b.ts'), content('src/deep/c.ts')]).toEqual(['a\n', 'b\n', 'c\n']);
    expect(statSync(path.join(bench.tree, '.gitignore')).mode & 0o111).toBe(0);
    expect(['dist/k', 'node_modules/x/k', 'src/node_modules/y/k', 'debug.log'].filter(has)).toHaveLength(4);
    expect(['left', 'untracked.ts', '.git', 'nested'].filter(has)).toEqual([]);
  });

  test('removes a tracked file that the target ignores instead of tracking', async () => {
    const first = treeWith({ ...FILES, 'dist/tracked.js': 'old\n' });
    const second = treeWith({ 'dist/tracked.js': null });
    await sync(null, first);
    await sync(first, second);
    expect(has('dist/tracked.js')).toBe(false);
  });

  test('is not led elsewhere by planted links, nor stopped by closed directories', async () => {
    const tree = treeWith(FILES);
    await sync(null, tree);
    const outside = await makeDirectory(path.join(bench.root, 'outside'), null);
    mkdirSync(path.join(outside, 'deep'));
    chmodSync(outside, 0o777);
    chmodSync(path.join(outside, 'deep'), 0o777);
    await bench.run(
      `rm -r src; ln -s ${path.relative(bench.tree, outside)} src; ln -sf ../outside/file a.txt; mkdir closed; : >closed/file; chmod 0 closed`,
    );
    await sync(tree, tree);
    expect([content('a.txt'), content('src/b.ts'), has('closed')]).toEqual(['a\n', 'b\n', false]);
    expect(lstatSync(path.join(bench.tree, 'src')).isDirectory()).toBe(true);
    expect(readdirSync(outside, { recursive: true })).toEqual(['deep']);
  });

  test('refuses a tree that is not there', async () => {
    await expect(sync(null, toTreeId('1'.repeat(40)))).rejects.toMatchObject({ code: 'invariant-broken' });
  });

  test('collects changed, new, deleted, renamed and binary files as a diff that gives the same tree', async () => {
    const tree = treeWith({ ...FILES, 'old.bin': Buffer.from([0, 1, 2, 255]) });
    await sync(null, tree);
    await bench.run(`
      echo more >>a.txt; rm src/b.ts; mv src/deep/c.ts 'src/ü "c".ts'; head -c 300 /dev/urandom >new.bin; printf '\\0\\1' >old.bin
      printf 'no newline' >src/n; chmod +x a.txt; mkdir node_modules; echo no >node_modules/x; echo no >debug.log`);
    const diff = await collect(tree);
    await bench.run('rm -r node_modules debug.log');
    expect(diff).not.toContain('node_modules');
    expect(applied(tree, diff)).toBe(treeOfDirectory(bench.tree));
  });

  test('collects nothing from an unchanged tree', async () => {
    const tree = treeWith(FILES);
    await sync(null, tree);
    expect(await collect(tree)).toBe('');
  });

  test('loses no byte of a text in another encoding', async () => {
    const tree = treeWith({ ...FILES, 'latin1.txt': Buffer.from('caf\xe9\n', 'latin1') });
    await sync(null, tree);
    await bench.run(`printf 'caf\\351\\nna\\357ve\\n' >latin1.txt; echo '\uFFFD stays' >a.txt`);
    expect(applied(tree, await collect(tree))).toBe(treeOfDirectory(bench.tree));
  });

  // Not `runIf`: in CI a test that is always skipped fails the run.
  if (driver === 'bubblewrap')
    test('collecting runs what a nested repository plants, but only where there is nothing to win', async () => {
      const tree = treeWith(FILES);
      await sync(null, tree);
      const marker = path.join(bench.root, 'marker');
      await bench.run(`git init -q sub; cd sub; git config user.email a@b.c; git config user.name n; echo 1 >f; git add f; git commit -qm one
      git config core.fsmonitor 'touch ${marker} /work/marker; false'; git config filter.x.clean 'touch ${marker} /work/marker; cat'; echo '* filter=x' >.gitattributes; echo 2 >f`);
      const diff = await collect(tree);
      expect(diff).toContain('new file mode 160000');
      expect([existsSync(marker), has('marker')]).toEqual([false, false]);
      // The control: git on the host, in that tree, runs it.
      chmodSync(bench.root, 0o777);
      execFileSync('git', ['-c', 'safe.directory=*', 'status'], {
        cwd: path.join(bench.tree, 'sub'),
        env: {
          PATH: '/usr/bin:/bin',
          HOME: bench.root,
          GIT_CONFIG_COUNT: '1',
          GIT_CONFIG_KEY_0: 'safe.directory',
          GIT_CONFIG_VALUE_0: '*',
        },
      });
      expect(existsSync(marker)).toBe(true);
    });

  function applied(base: TreeId, diff: string): string {
    const env = { PATH: '/usr/bin:/bin', GIT_DIR: workspace.gitDir, GIT_INDEX_FILE: path.join(bench.root, 'index') };
    execFileSync('git', ['read-tree', base], { env });
    execFileSync('git', ['apply', '--cached', '--whitespace=nowarn', '-'], { env, input: diff });
    return execFileSync('git', ['write-tree'], { env, encoding: 'utf8' }).trim();
  }

  function treeOfDirectory(directory: string): string {
    const env = {
      PATH: '/usr/bin:/bin',
      GIT_DIR: workspace.gitDir,
      GIT_WORK_TREE: directory,
      GIT_INDEX_FILE: path.join(bench.root, 'index2'),
    };
    execFileSync('git', ['add', '--all', '--force'], { env, cwd: directory });
    return execFileSync('git', ['write-tree'], { env, encoding: 'utf8' }).trim();
  }
});
