import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { toCommitId, type CommitId } from '../../src/domain/ids.ts';
import type { TrustedPath } from '../../src/domain/workspace.ts';
import type { GitRepository, Remote } from '../../src/git/git-repository.ts';
import { importLocalRepository } from '../../src/git/import-local-repository.ts';
import { openGitRepository } from '../../src/git/open-git-repository.ts';
import { startGitHttpServer, type GitHttpServer } from '../support/git-http-server.ts';
import { commitFiles, plainGit, seedRepository, writeFiles } from '../support/seed-repository.ts';

/**
 * Each row plants a program where git would run it. The control shows that the trap is live: plain git, used in that tree as a
 * person would, runs it. Then all verbs of the bot go over the same state, and it must not run.
 */
const root = mkdtempSync(path.join(os.tmpdir(), 'git-matrix-'));
const marker = path.join(root, 'marker');
const trap = path.join(root, 'trap.sh');
const signal = new AbortController().signal;
let server: GitHttpServer;

beforeAll(async () => {
  // Reads nothing: as the other end of a transport it would wait for ever.
  writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> ${marker}\n`);
  chmodSync(trap, 0o755);
  server = await startGitHttpServer(path.join(root, 'remotes'), null);
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true, force: true });
});
afterEach(() => rmSync(marker, { force: true }));

interface Row {
  readonly name: string;
  /** Plants the trap into a work tree with its repository. */
  readonly plant: (tree: string) => void;
  /** What a person does there. */
  readonly control: (tree: string) => void;
}

const hook = (tree: string, name: string) => {
  mkdirSync(path.join(tree, '.git/hooks'), { recursive: true });
  writeFileSync(path.join(tree, '.git/hooks', name), `#!/bin/sh\nexec ${trap}\n`, { mode: 0o755 });
};
const config = (tree: string, ...pairs: string[]) => {
  for (const pair of pairs) plainGit(tree, 'config', ...(pair.split(/=(.*)/s).slice(0, 2) as [string, string]));
};
const change = (tree: string) => writeFiles(tree, { 'a.txt': 'changed\n' });
const addAll = (tree: string) => (change(tree), plainGit(tree, 'add', '--all'));
const attributes = (tree: string, text: string) => writeFiles(tree, { '.gitattributes': text });
const mayFail = (run: () => unknown) => {
  try {
    run();
  } catch {
    // The trap is what counts, not whether git was content with it.
  }
};

const rows: readonly Row[] = [
  {
    name: 'core.fsmonitor',
    plant: (tree) => config(tree, `core.fsmonitor=${trap}`),
    control: (tree) => plainGit(tree, 'status'),
  },
  {
    name: 'core.fsmonitor by include.path',
    plant: (tree) => {
      writeFiles(tree, { '.git/more': `[core]\n\tfsmonitor = ${trap}\n` });
      config(tree, 'include.path=more');
    },
    control: (tree) => plainGit(tree, 'status'),
  },
  {
    name: 'hooks',
    plant: (tree) => {
      for (const name of ['pre-commit', 'post-checkout', 'post-index-change', 'reference-transaction', 'pre-push'])
        hook(tree, name);
    },
    control: (tree) => (change(tree), plainGit(tree, 'commit', '-qam', 'x')),
  },
  {
    name: 'core.hooksPath',
    plant: (tree) => {
      writeFiles(tree, { 'my-hooks/pre-commit': `#!/bin/sh\nexec ${trap}\n` });
      chmodSync(path.join(tree, 'my-hooks/pre-commit'), 0o755);
      config(tree, 'core.hooksPath=my-hooks');
    },
    control: (tree) => (change(tree), plainGit(tree, 'commit', '-qam', 'x')),
  },
  {
    name: 'filter.x.clean named by .gitattributes',
    plant: (tree) => {
      attributes(tree, '* filter=x\n');
      config(tree, `filter.x.clean=${trap}`);
    },
    control: addAll,
  },
  {
    name: 'filter.x.smudge named by .gitattributes',
    plant: (tree) => {
      attributes(tree, '* filter=x\n');
      config(tree, `filter.x.smudge=${trap}`);
    },
    control: (tree) => (rmSync(path.join(tree, 'a.txt')), plainGit(tree, 'checkout', '--', 'a.txt')),
  },
  {
    name: 'filter.x.process',
    plant: (tree) => {
      attributes(tree, '* filter=x\n');
      config(tree, `filter.x.process=${trap}`);
    },
    control: (tree) => mayFail(() => addAll(tree)),
  },
  {
    name: 'filter by .git/info/attributes',
    plant: (tree) => {
      writeFiles(tree, { '.git/info/attributes': '* filter=x\n' });
      config(tree, `filter.x.clean=${trap}`);
    },
    control: addAll,
  },
  {
    name: 'diff.external',
    plant: (tree) => config(tree, `diff.external=${trap}`),
    control: (tree) => (change(tree), plainGit(tree, 'diff')),
  },
  {
    name: 'diff.x.textconv',
    plant: (tree) => {
      attributes(tree, '* diff=x\n');
      config(tree, `diff.x.textconv=${trap}`);
    },
    control: (tree) => (change(tree), plainGit(tree, 'diff')),
  },
  {
    name: 'url.insteadOf to ext::',
    plant: (tree) =>
      config(
        tree,
        `url.ext::${trap} .insteadOf=http://127.0.0.1`,
        'protocol.ext.allow=always',
        'remote.origin.url=http://127.0.0.1/x',
      ),
    control: (tree) => mayFail(() => plainGit(tree, 'fetch', 'origin')),
  },
  {
    name: 'core.sshCommand',
    plant: (tree) => config(tree, `core.sshCommand=${trap}`, 'remote.origin.url=ssh://127.0.0.1/x'),
    control: (tree) => mayFail(() => plainGit(tree, 'fetch', 'origin')),
  },
  {
    name: 'remote.origin.uploadpack',
    plant: (tree) => config(tree, `remote.origin.uploadpack=${trap}`, 'remote.origin.url=.'),
    control: (tree) => mayFail(() => plainGit(tree, 'fetch', 'origin')),
  },
  {
    name: 'commit.gpgSign',
    plant: (tree) => config(tree, 'commit.gpgSign=true', `gpg.program=${trap}`),
    control: (tree) => mayFail(() => (change(tree), plainGit(tree, 'commit', '-qam', 'x'))),
  },
  {
    name: 'a nested repository with a filter',
    plant: (tree) => {
      seedRepository(path.join(tree, 'sub'), { 'b.txt': 'b\n', '.gitattributes': '* filter=x\n' });
      plainGit(tree, 'add', 'sub');
      config(path.join(tree, 'sub'), `filter.x.clean=${trap}`);
      writeFiles(path.join(tree, 'sub'), { 'b.txt': 'c\n' });
    },
    control: (tree) => plainGit(tree, 'status'),
  },
  {
    name: 'a nested repository with core.fsmonitor',
    plant: (tree) => {
      seedRepository(path.join(tree, 'sub'), { 'b.txt': 'b\n' });
      plainGit(tree, 'add', 'sub');
      config(path.join(tree, 'sub'), `core.fsmonitor=${trap}`);
    },
    control: (tree) => plainGit(tree, 'status'),
  },
];

describe('traps in a tree that untrusted code wrote', () => {
  it.each(rows)('$name', async ({ name, plant, control }) => {
    const place = path.join(root, name.replaceAll(/[^a-z]+/gi, '-'));
    const trees = [path.join(place, 'control'), path.join(place, 'tree')];
    for (const tree of trees) {
      seedRepository(tree, { 'a.txt': 'a\n', 'src/b.ts': 'export {};\n' });
      plant(tree);
      rmSync(marker, { force: true });
    }
    control(trees[0]!);
    expect(existsSync(marker), 'the control must run the trap').toBe(true);
    rmSync(marker);

    const tree = trees[1]!;
    const gitDir = path.join(place, 'run.git') as TrustedPath;
    const git = await openGitRepository(gitDir);
    await importLocalRepository(tree, gitDir);
    expect(existsSync(marker), 'import').toBe(false);
    const base = await publish(tree, place);
    rmSync(marker, { force: true });
    await useEveryVerb(git, base, place);
    expect(existsSync(marker)).toBe(false);
  });
});

/** The state of the tree, committed without running its traps, behind HTTP. */
async function publish(tree: string, place: string): Promise<CommitId> {
  rmSync(path.join(tree, '.git'), { recursive: true, force: true });
  rmSync(path.join(tree, 'sub/.git'), { recursive: true, force: true });
  const base = seedRepository(tree, { 'a.txt': 'changed\n' });
  plainGit(root, 'clone', '-q', '--bare', tree, path.join(root, 'remotes', path.basename(place)));
  return toCommitId(base);
}

async function useEveryVerb(git: GitRepository, base: CommitId, place: string): Promise<void> {
  const remote: Remote = {
    url: `http://${server.host}/${path.basename(place)}`,
    host: server.host,
    protocol: 'http',
    token: 'ghs_token',
  };
  expect(await git.fetchBranch(remote, 'main', signal)).toBe(base);
  const tree = await git.treeOf(base);
  const into = path.join(place, 'checkout') as TrustedPath;
  mkdirSync(into);
  await git.checkout(tree, into);
  // What a sandbox may have left: the same traps beside the checkout must not matter either.
  writeFiles(into, { '.git/config': `[core]\n\tfsmonitor = ${trap}\n\thooksPath = ${path.dirname(trap)}\n` });
  const entries = await git.listTree(tree);
  await git.readBlobs(entries.flatMap((entry) => (entry.size === null ? [] : [entry.oid])));
  const diff = 'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-changed\n+again\n';
  const applied = await git.apply(tree, diff);
  if (!('tree' in applied)) throw new Error(applied.problem);
  await git.diff(tree, applied.tree);
  const identity = { name: 'bot', email: 'bot@example.test' };
  const commit = await git.commit({ tree: applied.tree, parent: base, message: 'x\n', identity, date: new Date(0) });
  await git.push(remote, { branch: 'work', commit, expected: null }, signal);
  await git.bundle(path.join(place, 'x.bundle') as TrustedPath);
  await git.churn(commit);
  await git.listCommits({ base, head: commit });
}

describe('what surrounds the bot', () => {
  it('takes nothing from the environment, the user or the system', async () => {
    const home = path.join(root, 'home');
    writeFiles(home, {
      '.gitconfig': `[core]\n\tfsmonitor = ${trap}\n[alias]\n\tx = !${trap}\n[include]\n\tpath = ~/more\n`,
    });
    const saved = { ...process.env };
    const planted = {
      HOME: home,
      GIT_EXTERNAL_DIFF: trap,
      GIT_PROXY_COMMAND: trap,
      GIT_CONFIG_PARAMETERS: `'core.hooksPath'='${root}'`,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'http.proxy',
      GIT_CONFIG_VALUE_0: 'http://127.0.0.1:1',
      http_proxy: 'http://127.0.0.1:1',
      ALL_PROXY: 'http://127.0.0.1:1',
      GIT_TRACE: path.join(root, 'trace'),
      GIT_WORK_TREE: '/',
    };
    Object.assign(process.env, planted);
    try {
      const place = path.join(root, 'surroundings');
      const tree = path.join(place, 'tree');
      const base = await publish((mkdirSync(tree, { recursive: true }), tree), place);
      await useEveryVerb(await openGitRepository(path.join(place, 'run.git') as TrustedPath), base, place);
    } finally {
      for (const name of Object.keys(planted)) delete process.env[name];
      Object.assign(process.env, saved);
    }
    expect(existsSync(marker)).toBe(false);
    expect(existsSync(path.join(root, 'trace'))).toBe(false);
  });

  it('sends the token to nobody else, whatever the repository says about addresses', async () => {
    const place = path.join(root, 'thief');
    const tree = path.join(place, 'tree');
    seedRepository(tree, { 'a.txt': 'a\n', '.gitconfig': '[url "http://127.0.0.1:1/"]\n\tinsteadOf = http\n' });
    const base = toCommitId(commitFiles(tree, { '.lfsconfig': '[lfs]\n\turl = http://127.0.0.1:1/\n' }, 'More'));
    plainGit(root, 'clone', '-q', '--bare', tree, path.join(root, 'remotes/thief'));
    const git = await openGitRepository(path.join(place, 'run.git') as TrustedPath);
    const remote: Remote = {
      url: `http://${server.host}/thief`,
      host: server.host,
      protocol: 'http',
      token: 'ghs_token',
    };
    expect(await git.fetchBranch(remote, 'main', signal)).toBe(base);
    const sent = server.requests.filter((request) => request.url.startsWith('/thief'));
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.every((request) => request.authorization?.startsWith('Basic '))).toBe(true);
    const kept = plainGit(git.gitDir, 'config', '--list', '--local');
    expect(kept).not.toMatch(/extraheader|token/i);
  });
});
