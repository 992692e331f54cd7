import { createLogger } from '../../src/telemetry/logger.ts';
import { startBot, WEBHOOK_PATH, type Bot, type StartChoices } from '../../src/start-bot.ts';
import { makeWorld, type Hosted, type World, type WorldOptions } from './world.ts';

export interface BotWorld extends World {
  readonly bot: Bot;
}

/** A world with its bot running in this process. */
export async function startBotWorld(options: WorldOptions, choices: Partial<StartChoices> = {}): Promise<BotWorld> {
  const world = await makeWorld(options);
  const bot = await startBot(world.settings, {
    logger: createLogger({ level: 'fatal' }),
    paceRequests: false,
    ...choices,
  });
  world.github.setWebhookUrl(`${bot.url}${WEBHOOK_PATH}`);
  return {
    ...world,
    bot,
    close: async () => {
      await bot.stop();
      await world.close();
    },
  };
}

/** Waits for a condition that other processes bring about; the test's own timeout is the limit. */
export async function until<Value>(look: () => Promise<Value | null | undefined | false>): Promise<Value> {
  for (;;) {
    const value = await look();
    if (value !== null && value !== undefined && value !== false) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

interface Comment {
  readonly body: string;
  readonly user: { readonly login: string; readonly type: string };
}

export async function commentsOf(hosted: Hosted, issue: number): Promise<readonly string[]> {
  const comments = await hosted.rest<Comment[]>('GET', `issues/${issue}/comments?per_page=100`);
  return comments.filter((comment) => comment.user.type === 'Bot').map((comment) => comment.body);
}

/** The first comment of the bot on that issue that matches. */
export function answerOn(hosted: Hosted, issue: number, pattern: RegExp): Promise<string> {
  return until(async () => (await commentsOf(hosted, issue)).find((body) => pattern.test(body)));
}

export async function openIssue(hosted: Hosted, title = 'Make this easier to change', body = ''): Promise<number> {
  return (await hosted.rest<{ number: number }>('POST', 'issues', { title, body })).number;
}

export async function label(hosted: Hosted, issue: number): Promise<void> {
  await hosted.rest('POST', `issues/${issue}/labels`, { labels: ['refactor'] });
}

export async function say(hosted: Hosted, issue: number, words: string): Promise<number> {
  return (await hosted.rest<{ id: number }>('POST', `issues/${issue}/comments`, { body: words })).id;
}

/** A package whose tests pass and whose one source file has an unused import and an unused declaration. */
export function smallLibrary(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    '.gitignore': 'node_modules/\n',
    'package.json': JSON.stringify(
      { name: 'library', version: '1.0.0', type: 'module', scripts: { test: 'node --test' } },
      null,
      2,
    ),
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        target: 'es2022',
        module: 'nodenext',
        strict: true,
        noEmit: true,
        allowImportingTsExtensions: true,
        erasableSyntaxOnly: true,
        types: [],
      },
      include: ['src'],
    }),
    'src/units.ts':
      'export function toMetres(feet: number): number {\n  return feet * 0.3048;\n}\n\nexport function toFeet(metres: number): number {\n  return metres / 0.3048;\n}\n',
    'src/area.ts':
      "import { toFeet, toMetres } from './units.ts';\n\nexport function area(feet: number): number {\n  return toMetres(feet) ** 2;\n}\n\nfunction round(value: number): number {\n  return Math.round(value);\n}\n",
    'test/area.test.js':
      "import assert from 'node:assert/strict';\nimport { it } from 'node:test';\nimport { area } from '../src/area.ts';\n\nit('squares', () => {\n  assert.equal(area(1).toFixed(4), '0.0929');\n});\n",
    ...extra,
  };
}
