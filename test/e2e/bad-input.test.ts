import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  answerOn,
  commentsOf,
  label,
  openIssue,
  say,
  smallLibrary,
  startBotWorld,
  until,
  type BotWorld,
} from '../support/bot-world.ts';
import { MAINTAINER, type Hosted } from '../support/world.ts';

let world: BotWorld;

beforeAll(async () => {
  world = await startBotWorld({ files: smallLibrary() });
});

afterAll(async () => {
  // Every request the bot sent and every answer and webhook it got were GitHub's.
  expect(world.violations()).toEqual([]);
  await world.close();
});

async function labelsOf(hosted: Hosted, issue: number): Promise<string[]> {
  const labels = await hosted.rest<{ name: string }[]>('GET', `issues/${issue}/labels`);
  return labels.map((entry) => entry.name);
}

async function branches(hosted: Hosted): Promise<string> {
  return hosted.git('for-each-ref', '--format=%(refname)', 'refs/heads/refactor-bot/');
}

/** Asks by label, and expects the run to stop with these words, a failed label, and nothing pushed. */
async function expectRefusal(hosted: Hosted, words: RegExp): Promise<void> {
  const issue = await openIssue(hosted);
  await label(hosted, issue);
  expect(await answerOn(hosted, issue, words)).toBeTruthy();
  await until(async () =>
    (await labelsOf(hosted, issue)).every((name) => name !== 'refactor' && name !== 'refactor: running'),
  );
  expect(await branches(hosted)).toBe('');
}

describe('what a repository can do wrong', () => {
  it('no commit at all', async () => {
    await expectRefusal(await world.addRepository('empty', {}), /no commit/i);
  });

  it('no tests', async () => {
    const files = smallLibrary({ 'package.json': '{ "name": "untested", "type": "module" }' });
    await expectRefusal(await world.addRepository('untested', files), /No unit tests were found/);
  });

  it('a red baseline: names the command, shows its tail, changes nothing', async () => {
    const files = smallLibrary({
      'test/broken.test.js':
        "import { it } from 'node:test';\nit('breaks', () => {\n  throw new Error('the roof leaks');\n});\n",
    });
    const hosted = await world.addRepository('red', files);
    await expectRefusal(hosted, /npm (run )?test.*fails on the untouched tree[\s\S]*the roof leaks/);
  });

  it('a configuration with several mistakes: all of them at once, with what is allowed', async () => {
    const files = smallLibrary({ '.github/refactor-bot.yml': 'aproval: auto\nretry_per_batch: 99\n' });
    await expectRefusal(
      await world.addRepository('misconfigured', files),
      /^(?=[\s\S]*aproval)(?=[\s\S]*\bapproval)(?=[\s\S]*retry_per_batch)/,
    );
  });

  it('two configurations', async () => {
    const files = smallLibrary({ '.github/refactor-bot.yml': '', '.refactor-bot.config.json': '{}' });
    await expectRefusal(
      await world.addRepository('twice', files),
      /refactor-bot\.yml[\s\S]*refactor-bot\.config\.json/,
    );
  });

  it('dependencies that cannot be installed', async () => {
    const manifest = { name: 'x', type: 'module', scripts: { test: 'node --test' } };
    const files = smallLibrary({
      'package.json': JSON.stringify(manifest),
      '.refactor-bot.config.json': JSON.stringify({ install: ['echo the mirror is down; exit 7'] }),
    });
    await expectRefusal(await world.addRepository('uninstallable', files), /exit 7[\s\S]*nothing could be checked/);
  });
});

describe('what people can do wrong', () => {
  it('a stranger is refused once, politely, and nothing starts', async () => {
    world.github.createUser('stranger');
    const issue = await openIssue(world);
    await world.as('stranger')('POST', `issues/${issue}/comments`, { body: '/refactor run' });
    await answerOn(world, issue, /permission|maintain/i);
    await world.as('stranger')('POST', `issues/${issue}/comments`, { body: '/refactor run' });
    await world.github.idle();
    expect(await commentsOf(world, issue)).toHaveLength(1);
    expect(await world.bot.composed.ports.store.runsOf(world.repository)).toEqual([]);
  });

  it('an unknown command is answered with the nearest one', async () => {
    const issue = await openIssue(world);
    await say(world, issue, '/refactor aprove 123');
    expect(await answerOn(world, issue, /Did you mean/)).toContain('/refactor approve');
  });

  it('a closed issue starts nothing', async () => {
    const issue = await openIssue(world);
    await world.rest('PATCH', `issues/${issue}`, { state: 'closed' });
    await say(world, issue, '/refactor run');
    await answerOn(world, issue, /closed/);
  });

  it('a wrong hash is told the right one, and a base that moved makes the approval void', async () => {
    const hosted = await world.addRepository('moving', smallLibrary());
    const issue = await openIssue(hosted);
    await say(hosted, issue, '/refactor plan');
    const plan = await answerOn(hosted, issue, /\/refactor approve [0-9a-f]{10}/);
    const hash = /approve ([0-9a-f]{10})/.exec(plan)?.[1] ?? '';
    await say(hosted, issue, '/refactor approve 0123456789');
    expect(await answerOn(hosted, issue, /not the hash/)).toContain(hash);

    const file = await hosted.rest<{ sha: string }>('GET', 'contents/src/units.ts');
    await hosted.rest('PUT', 'contents/src/units.ts', {
      message: 'Move on',
      content: Buffer.from('export const toMetres = (feet: number): number => feet;\n').toString('base64'),
      sha: file.sha,
    });
    await say(hosted, issue, `/refactor approve ${hash}`);
    await answerOn(hosted, issue, /moved on while the plan waited/);
    expect(await branches(hosted)).toBe('');
  });

  it('a plan is approved in part, cancelled runs stay cancelled, and nothing is left behind', async () => {
    const hosted = await world.addRepository('cancelled', smallLibrary());
    const issue = await openIssue(hosted);
    await say(hosted, issue, '/refactor plan');
    await answerOn(hosted, issue, /\/refactor approve/);
    await say(hosted, issue, '/refactor cancel');
    await answerOn(hosted, issue, /is cancelled/);
    await answerOn(hosted, issue, new RegExp(`Cancelled by \`${MAINTAINER}\``));
    expect(await branches(hosted)).toBe('');
  });
});
