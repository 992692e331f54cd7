import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunView } from '../../src/domain/run-view.ts';
import { settleRun } from '../../src/pipeline/settle-run.ts';
import { Killed, openFlowBench, type Flow, type FlowBench, type Scenario, type Script } from '../support/flow-bench.ts';

let bench: FlowBench;
beforeAll(async () => {
  bench = await openFlowBench();
});
afterAll(async () => {
  await bench.close();
});

const source = (name: string) => `import { unused } from './unused.js';\n\nexport const ${name} = '${name}';\n`;
const NAMES = ['a', 'b', 'c'];
const FILES = {
  'package.json': '{ "type": "module" }\n',
  'src/unused.js': 'export const unused = 1;\n',
  ...Object.fromEntries(NAMES.map((name) => [`src/${name}.js`, source(name)])),
  'test/all.test.js': `import { test } from 'node:test';\nimport assert from 'node:assert';\n${NAMES.map(
    (name) => `test('${name}', async () => assert.equal((await import('../src/${name}.js')).${name}, '${name}'));\n`,
  ).join('')}`,
  // The full verifier alone sees this.
  'full.mjs': `import { readFileSync } from 'node:fs';\nfor (const name of ${JSON.stringify(NAMES)}) if (readFileSync('src/' + name + '.js', 'utf8').includes('only-full-fails')) process.exit(1);\n`,
};
const CONFIG = { fast_verifier: ['node --test'], full_verifier: ['node --test', 'node full.mjs'], retry_per_batch: 1 };
const batch = (name: string, goal = `tidy ${name}`) => ({ goal, file: `src/${name}.js` });

const TWO = ['a', 'b'].map((name) => batch(name));

const withoutImport = (text: string) => text.replace(/^import .*\n/, '');
const good: Script = ({ batch: { recipe } }) => ({ [recipe!.files[0]!]: withoutImport });
const red = (text: string) => text.replace(/^import .*$/m, "import './missing.js';");
const onlyFullFails = (text: string) => `// only-full-fails\n${withoutImport(text)}`;

/** `good`, but for the batch of that goal. */
const but =
  (goal: string, script: Script): Script =>
  (request) =>
    request.batch.goal === goal ? script(request) : good(request);

const open = (scenario: Partial<Scenario>): Promise<Flow> =>
  bench.open({ files: FILES, config: CONFIG, batches: NAMES.map((name) => batch(name)), script: good, ...scenario });
const statuses = (view: RunView) => view.batches.map((entry) => `${entry.batch.goal}: ${entry.status}`);
const subjects = (flow: Flow) =>
  flow.remote('log', '--reverse', '--format=%s', `main..${flow.branch}`).trim().split('\n').filter(Boolean);
const textOf = (flow: Flow, name: string) => flow.remote('show', `${flow.branch}:src/${name}.js`);

describe('a run', () => {
  it('keeps what passes: one commit a batch, a pull request, in review', async () => {
    const flow = await open({});
    const view = await flow.advance();
    expect(statuses(view)).toEqual(['tidy a: kept', 'tidy b: kept', 'tidy c: kept']);
    expect(view).toMatchObject({ state: 'in_review', pullRequest: { number: 2 } });
    expect(view.result?.figures.unusedImports).toBe(0);
    expect(view.figuresBefore?.unusedImports).toBe(3);
    expect(flow.remoteHead()).toBe(view.batches.at(-1)?.checkpoint?.commit);
    expect(subjects(flow)).toHaveLength(3);
    expect(flow.pulls[0]?.title).toBe('refactor: 3 verified batches');
    expect(flow.statusComment()).toMatch(/#2\b/);
    expect(flow.remote('show', 'main:src/a.js')).toBe(source('a'));
  });

  it('waits for approval after /refactor plan with nothing pushed, and does only what was approved', async () => {
    const flow = await open({ trigger: 'plan-command' });
    const waiting = await flow.advance();
    expect([waiting.state, flow.remoteHead()]).toEqual(['awaiting_approval', null]);
    expect(flow.statusComment()).toContain(`/refactor approve ${waiting.plan!.hash}`);
    // Longer than a run may take: a wait is no work.
    flow.pass(30 * 24 * 3_600_000);
    await flow.store.append(flow.run, [
      { type: 'approved', by: 'maintainer', planHash: waiting.plan!.hash, only: [2] },
      { type: 'state-entered', state: 'executing' },
    ]);
    expect(statuses(await flow.advance())).toEqual(['tidy a: not-approved', 'tidy b: kept', 'tidy c: not-approved']);
  });

  it('has nothing to do in a clean repository', async () => {
    const files = Object.fromEntries(
      Object.entries(FILES).map(([path, text]) => [path, path.startsWith('src/') ? withoutImport(text) : text]),
    );
    const flow = await open({ files, batches: [] });
    expect(await flow.advance()).toMatchObject({ state: 'completed', ending: { why: 'nothing-to-do' }, batches: [] });
    expect(flow.remoteHead()).toBeNull();
  });

  it('changes nothing when the baseline is red', async () => {
    const flow = await open({ files: { ...FILES, 'src/b.js': red(source('b')) } });
    const view = await flow.advance();
    expect(view).toMatchObject({ state: 'failed', ending: { code: 'baseline-red', category: 'repository' } });
    expect(view.ending).toMatchObject({ evidence: expect.stringContaining('missing.js') });
    expect([flow.remoteHead(), flow.proposals.length]).toEqual([null, 0]);
  });
});

describe('an attempt that fails', () => {
  it('is told to the next one: out of scope, then red, then good', async () => {
    const script = but('tidy b', ({ attempt }) => {
      if (attempt === 1) return { 'src/b.js': withoutImport, 'src/c.js': withoutImport };
      return attempt === 2 ? { 'src/b.js': red } : { 'src/b.js': withoutImport };
    });
    const flow = await open({ script, config: { ...CONFIG, retry_per_batch: 2 } });
    const view = await flow.advance();
    expect(view.batches[1]).toMatchObject({ status: 'kept', checkpoint: { attempt: 3 } });
    const told = flow.proposals.filter(({ batch }) => batch.goal === 'tidy b').map(({ failures }) => failures);
    expect(told.map((failures) => failures.map(({ stage }) => stage))).toEqual([[], ['review'], ['review', 'verify']]);
    expect(told[1]?.[0]?.reasons.join()).toContain('out-of-scope (src/c.js)');
    expect(told[2]?.[1]?.reasons.join()).toContain('all.test.js > b');
    const trees = new Set(flow.proposals.filter(({ batch }) => batch.goal === 'tidy b').map(({ tree }) => tree));
    expect(trees.size).toBe(1);
  });

  it.each([0, 2])('is repeated %i times and not once more, then the tree is as before', async (retries) => {
    const flow = await open({
      script: but('tidy b', () => ({ 'src/b.js': red })),
      config: { ...CONFIG, retry_per_batch: retries },
    });
    const view = await flow.advance();
    expect(statuses(view)).toEqual(['tidy a: kept', 'tidy b: failed', 'tidy c: kept']);
    expect(flow.proposals.filter(({ batch }) => batch.goal === 'tidy b')).toHaveLength(1 + retries);
    expect(view.batches[1]?.failures).toHaveLength(1 + retries);
    expect(textOf(flow, 'b')).toBe(source('b'));
    expect(textOf(flow, 'c')).toBe(withoutImport(source('c')));
    expect(flow.pulls[0]?.body).toContain('tidy b');
  });

  it('may be one that improves nothing', async () => {
    const flow = await open({ script: but('tidy b', () => ({ 'src/b.js': (text) => `${text}// shorter\n` })) });
    expect((await flow.advance()).batches[1]).toMatchObject({
      status: 'failed',
      failures: [{ failure: { stage: 'improve' } }, {}],
    });
  });

  it('may be one that only makes a file unreadable to the parser', async () => {
    const script = but('tidy b', () => ({ 'src/b.js': (text) => text.replace(/^import .*$/m, '// <<<\n@@@') }));
    const config = {
      ...CONFIG,
      fast_verifier: ['true'],
      full_verifier: ['true'],
      allow_without_tests: true,
      retry_per_batch: 0,
    };
    const flow = await open({ script, config });
    expect((await flow.advance()).batches[1]).toMatchObject({
      status: 'failed',
      failures: [{ failure: { stage: 'improve' } }],
    });
  });

  it('is not made again for a noop, which is no failure', async () => {
    const flow = await open({ script: but('tidy b', () => ({ kind: 'noop', reason: 'done already' })) });
    const view = await flow.advance();
    expect(view.batches[1]).toMatchObject({ status: 'noop', reason: 'done already', failures: [] });
    expect(subjects(flow)).toHaveLength(2);
  });

  it('ends the others too with on_batch_failure: stop; what passed is delivered', async () => {
    const script = but('tidy b', () => ({ kind: 'blocked', reason: 'cannot' }));
    const flow = await open({ script, config: { ...CONFIG, on_batch_failure: 'stop' } });
    const view = await flow.advance();
    expect(statuses(view)).toEqual(['tidy a: kept', 'tidy b: failed', 'tidy c: skipped']);
    expect([view.state, subjects(flow).length]).toEqual(['in_review', 1]);
  });
});

describe('limits and the full verifier', () => {
  it('out of time, what is left is skipped and what passed is delivered', async () => {
    const script: Script = (request) => {
      if (request.batch.goal === 'tidy a') flow.pass(61_000);
      return good(request);
    };
    const flow: Flow = await open({ script, config: { ...CONFIG, limits: { run_minutes: 1 } } });
    const view = await flow.advance();
    expect(statuses(view)).toEqual(['tidy a: kept', 'tidy b: skipped', 'tidy c: skipped']);
    expect(view.batches[1]?.reason).toContain('time');
    expect(view.state).toBe('in_review');
  });

  /** Four batches: the first is the culprit, the second changes what it left, the others stand alone. */
  const culprit = {
    batches: [batch('b', 'b1 culprit'), batch('b', 'b2 on it'), batch('a'), batch('c')],
    files: { ...FILES, 'src/b.js': `import { unused as second } from './unused.js';\n${source('b')}` },
    script: (({ batch: { goal, recipe } }) => {
      const file = recipe!.files[0]!;
      if (goal === 'b1 culprit') return { [file]: onlyFullFails };
      if (goal === 'b2 on it')
        return {
          [file]: (text: string) => text.replace(/^\/\/ only-full-fails\nimport .*\n/, '// only-full-fails, still\n'),
        };
      return { [file]: withoutImport };
    }) satisfies Script,
  };

  it('finds the culprit at the end, drops it with what builds on it, and rebuilds the branch', async () => {
    const flow = await open(culprit);
    const view = await flow.advance();
    expect(statuses(view)).toEqual(['b1 culprit: dropped', 'b2 on it: dropped', 'tidy a: kept', 'tidy c: kept']);
    expect(view.state).toBe('in_review');
    expect(view.batches[0]?.reason).toContain('full verifier');
    expect(view.batches[1]?.reason).toContain('builds on batch-001');
    expect(textOf(flow, 'b')).toBe(culprit.files['src/b.js']);
    expect(textOf(flow, 'c')).toBe(withoutImport(source('c')));
    expect(flow.remoteHead()).toBe(view.batches[3]?.checkpoint?.commit);
    expect(view.fullVerifications.at(-1)).toMatchObject({ passed: true, tree: view.batches[3]?.checkpoint?.tree });
    expect(view.result?.head).toBe(flow.remoteHead());
  });

  it('goes on after the only batch so far was dropped', async () => {
    const script = but('tidy a', () => ({ 'src/a.js': onlyFullFails }));
    const flow = await open({ script, config: { ...CONFIG, run_full_verifier_every: 1 } });
    const view = await flow.advance();
    expect(statuses(view)).toEqual(['tidy a: dropped', 'tidy b: kept', 'tidy c: kept']);
    expect([view.state, subjects(flow).length]).toEqual(['in_review', 2]);
  });

  it('leaves no branch when nothing is kept', async () => {
    const flow = await open({ batches: [batch('a')], script: () => ({ 'src/a.js': onlyFullFails }) });
    expect(await flow.advance()).toMatchObject({ state: 'completed', ending: { why: 'nothing-kept' } });
    expect([flow.remoteHead(), flow.pulls.length]).toEqual([null, 0]);
  });

  it('does not delete a branch that a person pushed to, even when nothing is kept', async () => {
    const flow = await open({ batches: [batch('a')], script: () => ({ 'src/a.js': onlyFullFails }) });
    const { repositories } = flow.ports;
    const inner = { ...repositories };
    let byHand = '';
    Object.assign(repositories, {
      branchHead: async (...args: Parameters<typeof inner.branchHead>) => {
        if (byHand === '' && args[1] === flow.branch) byHand = flow.pushAsPerson();
        return inner.branchHead(...args);
      },
    });
    expect((await flow.advance()).state).toBe('completed');
    expect(flow.remoteHead()).toBe(byHand);
  });
});

describe('a person at the same time', () => {
  it('who pushed to the work branch ends the run with words; nothing is overwritten', async () => {
    let byHand = '';
    const flow: Flow = await open({
      script: but('tidy b', (request) => {
        byHand = flow.pushAsPerson();
        return good(request);
      }),
    });
    await expect(flow.advance()).rejects.toMatchObject({ code: 'branch-moved', category: 'repository' });
    expect(flow.remoteHead()).toBe(byHand);
  });

  it('who deleted it, too', async () => {
    const flow: Flow = await open({
      script: but('tidy b', (request) => {
        flow.remote('update-ref', '-d', `refs/heads/${flow.branch}`);
        return good(request);
      }),
    });
    await expect(flow.advance()).rejects.toMatchObject({ code: 'branch-gone', category: 'repository' });
  });

  it('who made a branch of that name before the first push, too', async () => {
    const flow: Flow = await open({
      script: (request) => {
        if (flow.remoteHead() === null) flow.pushAsPerson();
        return good(request);
      },
    });
    await expect(flow.advance()).rejects.toMatchObject({ code: 'branch-moved' });
  });

  it('who pushed while the whole branch was verified gets no pull request over their commit', async () => {
    const flow = await open({});
    await expect(flow.advance('measure')).rejects.toBeInstanceOf(Killed);
    const byHand = flow.pushAsPerson();
    await expect(flow.advance()).rejects.toMatchObject({ code: 'branch-moved' });
    expect([flow.remoteHead(), flow.pulls.length]).toEqual([byHand, 0]);
  });

  it('who moved the base does not matter to a run that has begun', async () => {
    const flow: Flow = await open({
      script: but('tidy b', (request) => {
        flow.pushAsPerson('main');
        return good(request);
      }),
    });
    expect((await flow.advance()).state).toBe('in_review');
  });

  it('keeps what they pushed before they closed the pull request; the bot deletes only its own', async () => {
    const close = async (pushed: boolean) => {
      const flow = await open({ batches: [batch('a')] });
      await flow.advance();
      if (pushed) flow.pushAsPerson();
      await flow.store.append(flow.run, [
        { type: 'rejected', by: 'maintainer', words: '' },
        { type: 'state-entered', state: 'rejected' },
      ]);
      await settleRun(flow.run, flow.ports);
      return flow.remoteHead();
    };
    expect(await close(false)).toBeNull();
    expect(await close(true)).not.toBeNull();
  });
});

describe('killed between effect and record', () => {
  it.each([
    'prepare',
    'plan',
    'batch/batch-001/attempt/1/checkpoint',
    'batch/batch-002/attempt/1/verify',
    'pull-request',
  ])('after %s it goes on to the same end', async (step) => {
    const flow = await open({ batches: TWO });
    await expect(flow.advance(step)).rejects.toBeInstanceOf(Killed);
    const view = await flow.advance();
    expect([view.state, subjects(flow).length, flow.pulls.length]).toEqual(['in_review', 2, 1]);
    expect(flow.remoteHead()).toBe(view.batches.at(-1)?.checkpoint?.commit);
  });

  it('after the branch was rebuilt without a culprit it is the same branch', async () => {
    const flow = await open({ script: but('tidy b', () => ({ 'src/b.js': onlyFullFails })) });
    await expect(flow.advance('drop/')).rejects.toBeInstanceOf(Killed);
    const rebuilt = flow.remoteHead();
    const view = await flow.advance();
    expect(statuses(view)).toEqual(['tidy a: kept', 'tidy b: dropped', 'tidy c: kept']);
    expect([view.state, flow.remoteHead()]).toEqual(['in_review', rebuilt]);
  });

  it.each(['baseline', 'batch/batch-002/attempt/1/checkpoint'])(
    'after %s another machine goes on with nothing but ledger and code host',
    async (step) => {
      const flow = await open({ batches: TWO });
      await expect(flow.advance(step)).rejects.toBeInstanceOf(Killed);
      await flow.ports.workspaces.remove(flow.run);
      const view = await flow.advance();
      expect([view.state, subjects(flow).length]).toEqual(['in_review', 2]);
    },
  );
});
