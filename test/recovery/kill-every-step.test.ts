import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresPrograms, startPostgres } from '../support/postgres.ts';
import { makeTemplate, tellStory, type Campaign, type Told } from './kill-campaign.ts';

/** `npm run test:kill-all`: each point gets its kill, and the outward effects a story of their own each. Half an hour or so. */
const EVERYTHING = process.env['KILL_ALL'] === '1';
const STORY_MS = 1_500_000;
/** A run that ends its process ten times in a row is given up: with every third point there are never so many between two steps. */
const CHAINS = 3;

/** What must be on the list, whatever else is: an empty or shortened list would prove nothing. */
const EXPECTED: readonly RegExp[] = [
  /^accept-delivery issues\.labeled$/,
  /^create-run$/,
  /^labels asked$/,
  /^step decide$/,
  /^fetch main$/,
  /^step prepare$/,
  /^bundle$/,
  /^step baseline$/,
  /^put-content$/,
  /^step index$/,
  /^step plan$/,
  ...[1, 2, 3].flatMap((batch) =>
    ['propose', 'review', 'verify', 'measure', 'checkpoint'].map(
      (part) => new RegExp(`^step batch/batch-00${batch}/attempt/1/${part}$`),
    ),
  ),
  /^commit batch-003$/,
  /^push batch-003$/,
  /^comment "refactoring, 2 of 3"$/,
  /^labels "refactoring, 2 of 3"$/,
  /^check-run "refactoring, 2 of 3"$/,
  /^step executed$/,
  /^step full\/[0-9a-f]{40}$/,
  /^step measure$/,
  /^step pull-request$/,
  /^pull-request$/,
  /^comment "ready for review, 3 of 3"$/,
  /^labels "ready for review, 3 of 3"$/,
  /^check-run "ready for review, 3 of 3"$/,
  /^accept-delivery pull_request\.closed$/,
  /^decide$/,
  /^comment "accepted, 3 of 3"$/,
  /^labels "accepted, 3 of 3"$/,
  /^delete-branch$/,
  /^close-issue$/,
  /^remove-workspace$/,
];

let template: Awaited<ReturnType<typeof makeTemplate>>;
let undisturbed: Told;
let points: readonly string[];

const tell = (campaign: Partial<Campaign>) =>
  tellStory({ killAt: [], workers: ['bot'], databaseUrl: null, template: template.dir, ...campaign });

beforeAll(async () => {
  template = await makeTemplate();
  undisturbed = await tell({});
  points = [...new Set(undisturbed.places.map((place) => place.point))];
}, STORY_MS);

afterAll(() => template.remove());

/** `after push batch-002` is a `push`; its moment is kept apart. */
function kindOf(point: string): string {
  return point
    .replace(/^[\w-]+ /, '')
    .replace(/batch-\d+/, 'batch')
    .replace(/[0-9a-f]{40}/, 'tree')
    .replace(/".*"/, '');
}

/** The run leaves its worker's hands here: what is left to say of it must not depend on that worker. */
const LAST_STEP = 'recorded step pull-request';

/**
 * Of each kind of step and effect the most delicate moment, once: it is done and not yet recorded. "Before" of one thing is "after" of
 * what came before it, so it is taken for the outward effects alone.
 */
function delicatePoints(): readonly string[] {
  const chosen = new Map([['last', LAST_STEP]]);
  for (const point of points) {
    const [moment = ''] = point.split(' ');
    const kind = kindOf(point);
    const counts = kind.startsWith('step ') ? moment === 'after-effect' : moment === 'after' || isOutward(kind);
    const key = `${moment} ${kind}`;
    if (counts && !chosen.has(key)) chosen.set(key, point);
  }
  return [...chosen.values()];
}

function isOutward(kind: string): boolean {
  return ['push batch', 'pull-request', 'delete-branch', 'close-issue'].includes(kind);
}

async function expectSameEnd(killAt: readonly string[]): Promise<void> {
  const told = await tell({ killAt });
  expect(new Set(told.kills)).toEqual(new Set(killAt));
  expect(told.outcome).toEqual(undisturbed.outcome);
}

describe('RUN-10: the whole job, killed with SIGKILL', () => {
  it('has all the points that are known, each with both of its sides', () => {
    const effects = new Map<string, string[]>();
    for (const point of points) {
      const [moment = '', ...name] = point.split(' ');
      effects.set(name.join(' '), [...(effects.get(name.join(' ')) ?? []), moment]);
    }
    for (const expected of EXPECTED) expect([...effects.keys()]).toContainEqual(expect.stringMatching(expected));
    for (const [name, moments] of effects) {
      const sides = name.startsWith('step ') ? ['after-effect', 'before', 'recorded'] : ['after', 'before'];
      expect(moments.toSorted(), name).toEqual(sides);
    }
  });

  it(
    'ends the same when it is killed once behind each kind of step and effect',
    () => expectSameEnd(delicatePoints()),
    STORY_MS,
  );

  // `npm run test:kill-all`: not a skipped test of every run, but another run.
  if (!EVERYTHING) return;

  it.each([...Array(CHAINS).keys()])(
    'ends the same when it is killed at every third point (%i)',
    (chain) => expectSameEnd(points.filter((_, index) => index % CHAINS === chain)),
    3 * STORY_MS,
  );

  it(
    'ends the same when it is killed once, at any side of any outward effect',
    async () => {
      for (const point of points.filter((point) => isOutward(kindOf(point)))) await expectSameEnd([point]);
    },
    6 * STORY_MS,
  );
});

describe.skipIf(postgresPrograms === null)('RUN-10: the whole job by two workers on one PostgreSQL', () => {
  it(
    'ends the same when whoever is at work is killed and the other takes over',
    async () => {
      const cluster = await startPostgres();
      try {
        const killAt = ['after push batch-002', 'after pull-request'];
        const told = await tell({ killAt, workers: ['one', 'two'], databaseUrl: cluster.url });
        expect(told.kills).toEqual(killAt);
        const killed = told.places.find((place) => place.point === killAt[0])?.worker;
        const finisher = told.places.find(
          (place) => place.point === 'recorded step batch/batch-002/attempt/1/checkpoint',
        )?.worker;
        expect(new Set([killed, finisher])).toEqual(new Set(['one', 'two']));
        expect(told.outcome).toEqual(undisturbed.outcome);
      } finally {
        await cluster.stop();
      }
    },
    STORY_MS,
  );
});
