import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

import { beforeEach, describe, expect, test } from 'vitest';

import { cancelledBy } from '../../src/domain/endings.ts';
import { BotError } from '../../src/domain/errors.ts';
import type { DeliveryId } from '../../src/domain/ids.ts';
import { workBranch } from '../../src/domain/run.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { handleDelivery } from '../../src/webhooks/handle-delivery.ts';
import { createMemoryCodeHost, type MemoryCodeHost } from '../support/memory-code-host.ts';
import { createMemoryRunStore, type MemoryRunStore } from '../support/memory-run-store.ts';
import { runIn, samplePlanHash } from '../support/sample-run.ts';
import { commented, labeled, ownBot, pullClosed, stranger } from '../support/webhook-payloads.ts';

let store: MemoryRunStore;
let host: MemoryCodeHost;
let logged: string[];

beforeEach(() => {
  store = createMemoryRunStore();
  host = createMemoryCodeHost();
  logged = [];
});

/** Handles a delivery to its outcome, twice: everything a handler does must bear being done again. */
async function handle(event: string, payload: unknown): Promise<string | undefined> {
  const id = randomUUID() as DeliveryId;
  await handleOnce(id, event, payload);
  await handleOnce(id, event, payload);
  return store.outcomes.get(id)?.handledAs;
}

async function handleOnce(id: DeliveryId, event: string, payload: unknown): Promise<void> {
  const destination = { write: (line: string) => logged.push(line) } as unknown as NodeJS.WritableStream;
  const ports = {
    store,
    repositories: host.repositories,
    conversation: host.conversation,
    logger: createLogger({ level: 'info', destination }),
    gitHost: { host: 'github.com', protocol: 'https' },
    operatorOptions: {},
  } as const;
  await handleDelivery(ports, { id, event, payload, receivedAt: '2026-11-22T01:02:03.000Z' });
}

const answers = () => [...host.comments.values()];
const runs = () => store.runsOf('acme/render');
const say = (body: string, change = {}) => handle('issue_comment.created', commented(body, change));

describe('TRIG-1: the label', () => {
  test('starts a run and gives way to the state label', async () => {
    host.labels.set(12, new Set(['refactor', 'refactor: failed', 'bug']));
    const [outcome, [run]] = [await handle('issues.labeled', labeled()), await runs()];
    expect(outcome).toBe(`started ${run?.id}`);
    expect(await runs()).toHaveLength(1);
    expect([...(host.labels.get(12) ?? [])]).toEqual(['bug', 'refactor: running']);
    expect((await store.load(run!.id))?.request).toMatchObject({
      trigger: 'label',
      issueNumber: 12,
      requestedBy: 'maintainer',
      request: 'Tidy up\n\nonly src',
      requestedAt: '2026-11-22T01:02:03.000Z',
      repository: { owner: 'acme', name: 'render', installationId: 7, defaultBranch: 'main' },
    });
    expect(answers()).toEqual([]);
  });

  test('handled again after its run has ended, it leaves the label of the end alone', async () => {
    const id = randomUUID() as DeliveryId;
    await handleOnce(id, 'issues.labeled', labeled());
    const [run] = await runs();
    await store.append(run!.id, cancelledBy('maintainer'));
    host.labels.set(12, new Set(['refactor: failed']));
    await handleOnce(id, 'issues.labeled', labeled());
    expect([...(host.labels.get(12) ?? [])]).toEqual(['refactor: failed']);
  });

  test('handled again while its pull request is in review, it takes off the label that asked and no other', async () => {
    const id = randomUUID() as DeliveryId;
    await handleOnce(id, 'issues.labeled', labeled());
    const [run] = await runs();
    const states = ['preparing', 'baseline', 'indexing', 'planning', 'executing', 'finalizing', 'in_review'] as const;
    await store.append(
      run!.id,
      states.map((state) => ({ type: 'state-entered', state })),
    );
    host.labels.set(12, new Set(['refactor', 'refactor: done']));
    await handleOnce(id, 'issues.labeled', labeled());
    expect([...(host.labels.get(12) ?? [])]).toEqual(['refactor: done']);
  });

  test.each([
    ['another label', labeled({ label: 'bug' })],
    ['a state label', labeled({ label: 'refactor: running' })],
    ['a label set by a bot', labeled({ sender: ownBot })],
  ])('%s starts nothing and says nothing', async (_what, payload) => {
    expect(await handle('issues.labeled', payload)).toMatch(/^ignored: /);
    expect([await runs(), answers()]).toEqual([[], []]);
  });

  test('can be named by the repository', async () => {
    host.files.set('.github/refactor-bot.yml', 'label: Tidy Up');
    expect(await handle('issues.labeled', labeled({ label: 'refactor' }))).toBe('ignored: another label');
    expect(await handle('issues.labeled', labeled({ label: 'tidy up' }))).toMatch(/^started /);
  });

  test.each([
    ['on a closed issue', { state: 'closed' }, 'closed'],
    ['on a pull request', { pull_request: { url: 'x' } }, 'on an issue, not on a pull request'],
  ])('%s it is taken off with an answer', async (_where, issue, words) => {
    host.labels.set(12, new Set(['refactor']));
    await handle('issues.labeled', labeled({ issue }));
    expect(await runs()).toEqual([]);
    expect(answers()).toEqual([expect.stringContaining(words)]);
    expect(host.labels.get(12)?.size).toBe(0);
  });

  test('with an invalid configuration every problem is answered', async () => {
    host.files.set('.github/refactor-bot.yml', 'label: tidy\nretry_per_bach: 1\nbaseline: "@evil | <b>"');
    expect(await handle('issues.labeled', labeled({ label: 'tidy' }))).toBe('answered: nothing to start');
    const [answer] = answers();
    expect(answer).toContain('did you mean retry\\_per\\_batch?');
    expect(answer).toContain('| `baseline` | `"@evil \\| <b>"` | one of strict, known-failures |');
    expect(await runs()).toEqual([]);
  });

  test('two configuration files are a problem', async () => {
    host.files.set('.github/refactor-bot.yml', '');
    host.files.set('.refactor-bot.config.json', '{}');
    await handle('issues.labeled', labeled());
    expect(answers()[0]).toContain('two configuration files');
  });

  test('on an issue whose run is under way it says so', async () => {
    const run = await runIn(store, 'executing');
    await handle('issues.labeled', labeled());
    expect(answers()).toEqual([expect.stringContaining(`Run \`${run}\` of this issue is under way`)]);
    expect([...(host.labels.get(12) ?? [])]).toEqual(['refactor: running']);
  });
});

describe('TRIG-2: commands', () => {
  test.each([
    ['/refactor plan src', 'plan-command', 'src'],
    ['/refactor run', 'run-command', ''],
  ])('%s starts a run and is seen', async (body, trigger, request) => {
    await say(body);
    const [run] = await runs();
    expect((await store.load(run!.id))?.request).toMatchObject({ trigger, request, commentId: 555 });
    expect(new Set(host.reactions.map(({ reaction }) => reaction))).toEqual(new Set(['eyes']));
    expect(answers()).toEqual([]);
  });

  test('a run behind another is told where it stands', async () => {
    const ahead = await runIn(store, 'executing', { request: { issueNumber: 8 } });
    await say('/refactor run');
    expect(answers()).toEqual([expect.stringContaining(`when run \`${ahead}\` of #8 is done`)]);
  });

  test('approve is recorded with who and what', async () => {
    const run = await runIn(store, 'awaiting_approval');
    await say(`/refactor approve ${samplePlanHash} only 1-2`);
    expect((await store.load(run))?.approval).toEqual({ by: 'maintainer', planHash: samplePlanHash, only: [1, 2] });
    expect(answers()).toEqual([expect.stringContaining('2 batches')]);
    expect(host.reactions.at(-1)?.reaction).toBe('rocket');
  });

  test.each([
    ['/refactor approve ffffffffff', `/refactor approve ${samplePlanHash}`],
    [`/refactor approve ${samplePlanHash} only 7`, 'no batch 7'],
    ['/refactor aprove', 'Did you mean `/refactor approve'],
    ['/refactor fly @everyone <!-- x', '`/refactor fly @everyone'],
    ['/refactor', 'the command is missing'],
    ['/refactor help', '| `/refactor plan [paths or goal]` |'],
    ['/refactor status', 'waiting for approval'],
    ['/refactor cancel', 'is cancelled'],
  ])('%s gets one answer', async (body, words) => {
    await runIn(store, 'awaiting_approval');
    await say(body);
    expect(answers()).toEqual([expect.stringContaining(words)]);
  });

  test('commands work on the pull request of the bot', async () => {
    const run = await runIn(store, 'in_review', { pullRequest: 40 });
    await say('/refactor status', { issue: { number: 40, pull_request: {} } });
    expect(answers()).toEqual([expect.stringContaining(`Run \`${run}\` is ready for review`)]);
  });

  test('a run is not asked for on a pull request of somebody else', async () => {
    await say('/refactor run', { issue: { number: 41, pull_request: {} } });
    expect(answers()).toEqual([expect.stringContaining('not on a pull request')]);
    expect(await runs()).toEqual([]);
  });

  test('a closed issue starts and approves nothing, but can be asked about', async () => {
    const run = await runIn(store, 'awaiting_approval');
    const closed = { issue: { state: 'closed' } };
    await say('/refactor run', closed);
    await say(`/refactor approve ${samplePlanHash}`, closed);
    await say('/refactor cancel', closed);
    expect(answers().map((answer) => /closed/.test(answer))).toEqual([true, true, false]);
    expect((await store.load(run))?.state).toBe('cancelled');
  });

  test('an ordinary comment asks the host for nothing', async () => {
    host.failure = new Error('asked for something');
    expect(await say('I like this.')).toBe('ignored: no command');
  });
});

describe('TRIG-5: who may steer', () => {
  test.each(['none', 'read', 'triage'] as const)('%s may not', async (permission) => {
    host.permissions.set('maintainer', permission);
    await say('/refactor run');
    expect(await runs()).toEqual([]);
    expect(host.reactions.at(-1)?.reaction).toBe('-1');
  });

  test.each(['write', 'maintain', 'admin'] as const)('%s may', async (permission) => {
    host.permissions.set('maintainer', permission);
    await say('/refactor run');
    expect(await runs()).toHaveLength(1);
  });

  test('a stranger is refused once, politely, whatever the association in the payload says', async () => {
    host.labels.set(12, new Set(['refactor']));
    for (const body of ['/refactor run', '/refactor nonsense', '/refactor cancel'])
      await say(body, { sender: stranger });
    await handle('issues.labeled', labeled({ sender: stranger }));
    expect([...host.comments.keys()]).toEqual(['#12 refusal:stranger']);
    expect(await runs()).toEqual([]);
  });

  test('bots are never answered', async () => {
    for (const sender of [ownBot, { login: 'other[bot]', type: 'User' }, { login: 'machine', type: 'Bot' }])
      expect(await say('/refactor help', { sender })).toBe('ignored: sent by a bot');
    expect([answers(), host.reactions]).toEqual([[], []]);
  });
});

describe('TRIG-4: the pull request is closed', () => {
  test.each([
    [true, 'accepted'],
    [false, 'rejected'],
  ] as const)('merged %s is %s', async (merged, state) => {
    const run = await runIn(store, 'in_review', { pullRequest: 40 });
    const outcome = await handle('pull_request.closed', pullClosed({ branch: workBranch(run), merged }));
    expect(outcome).toBe(`${state} ${run}`);
    expect((await store.load(run))?.ending).toMatchObject({ type: state, by: 'maintainer' });
    expect(store.intents).toEqual([{ kind: 'settle-run', run }]);
  });

  test('the pull request of a branch whose fork is gone counts', async () => {
    const run = await runIn(store, 'in_review', { pullRequest: 40 });
    await handle('pull_request.closed', pullClosed({ branch: workBranch(run), merged: false, from: null }));
    expect((await store.load(run))?.state).toBe('rejected');
  });

  test.each([
    ['a fork with a branch of that name', { from: 'mallory/render' }],
    ['another pull request of the branch', { number: 41 }],
    ['another branch', { branch: 'feature' }],
  ])('%s changes nothing', async (_what, change) => {
    const run = await runIn(store, 'in_review', { pullRequest: 40 });
    const payload = pullClosed({ branch: workBranch(run), merged: true, ...change });
    expect(await handle('pull_request.closed', payload)).toMatch(/^ignored: /);
    expect((await store.load(run))?.state).toBe('in_review');
  });
});

describe('bad input', () => {
  test('a clone URL of another host is refused and logged', async () => {
    for (const clone_url of [
      'https://evil.example/acme/render.git',
      'http://github.com/acme/render.git',
      'https://x@github.com/acme/render.git',
      'ssh://github.com/a',
      '',
    ]) {
      const payload = labeled();
      expect(await handle('issues.labeled', { ...payload, repository: { ...payload.repository, clone_url } })).toBe(
        'failed',
      );
    }
    expect(logged.join('')).toContain('GHE_HOST');
    expect([await runs(), answers()]).toEqual([[], []]);
  });

  test('a payload that lacks any one field is settled', async () => {
    for (const [event, payload] of [
      ['issues.labeled', labeled()],
      ['issue_comment.created', commented('/refactor run')],
      ['pull_request.closed', pullClosed({ branch: 'x', merged: true })],
    ] as const) {
      for (const field of Object.keys(payload)) {
        const { [field]: _gone, ...rest } = payload as Record<string, unknown>;
        expect(await handle(event, rest), `${event} without ${field}`).toMatch(/^(ignored|started|answered)/);
      }
    }
    for (const payload of [null, 7, 'x', [], {}]) expect(await handle('issues.labeled', payload)).toMatch(/^ignored/);
  });

  test('an event of an older version of the table is settled', async () => {
    expect(await handle('toString', {})).toMatch(/^ignored/);
  });

  test('what may pass is thrown for the engine, and leaves the delivery open', async () => {
    for (const code of ['rate-limited', 'host-unavailable', 'credentials-rejected'] as const) {
      host.failure = new BotError(code, 'try later');
      await expect(say('/refactor run')).rejects.toThrow('try later');
    }
    expect(store.outcomes.size).toBe(0);
  });

  test('what will not pass is settled with its reason, without secrets', async () => {
    for (const failure of [
      new BotError('permission-missing', 'grant issues: write'),
      new Error(`bug with ghs_${'a'.repeat(36)}`),
    ]) {
      host.failure = failure;
      expect(await say('/refactor run')).toBe('failed');
    }
    const errors = [...store.outcomes.values()].map(({ error }) => error);
    expect(errors[0]).toContain('permission-missing: grant issues: write');
    expect(errors[1]).toContain('unknown: ');
    expect(errors.join('') + logged.join('')).not.toContain('ghs_a');
  });

  test('every recorded payload is settled', async () => {
    const folder = new URL('../fixtures/webhooks/', import.meta.url);
    for (const file of readdirSync(folder)) {
      const [event = '', action = ''] = file.split('.');
      await handle(`${event}.${action}`, JSON.parse(readFileSync(new URL(file, folder), 'utf8')));
    }
    expect([...store.outcomes.values()].map(({ error }) => error)).toEqual(
      [...store.outcomes.values()].map(() => null),
    );
  });
});
