/**
 * The whole job on real repositories at the commits of `bench/repositories.json`: `npm run bench:real -- [name …] [--source DIR]
 * [--json FILE] [--patches DIR]`. Their code runs in bubblewrap; nothing of them stays but the figures, and the patches if asked for.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { BotError } from '../src/domain/errors.ts';
import { playRepository, type PlayOptions } from './real/play-repository.ts';
import { readListedRepositories } from './real/listed-repositories.ts';
import { renderMarkdown, summarize, type Summary } from './real/summarize.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { source: { type: 'string' }, json: { type: 'string' }, patches: { type: 'string' } },
});
const json = values.json ?? path.join(os.tmpdir(), 'refactor-bot-real-repositories.json');
const options: PlayOptions = {
  source: values.source ?? null,
  patches: values.patches ?? null,
  say: (line) => process.stderr.write(`${line}\n`),
};
if (options.patches !== null) await mkdir(options.patches, { recursive: true });

const summaries: Summary[] = [];
for (const listed of await readListedRepositories(positionals)) {
  options.say(`\n${listed.name}@${listed.commit.slice(0, 10)}`);
  try {
    summaries.push(summarize(await playRepository(listed, options)));
  } catch (thrown) {
    process.exitCode = 1;
    options.say(`  ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    if (thrown instanceof BotError) options.say(JSON.stringify(thrown.details));
  }
  await writeFile(json, `${JSON.stringify(summaries, null, 2)}\n`);
}
process.stdout.write(`${renderMarkdown(summaries)}\n`);
options.say(`\nEverything behind the table: ${json}`);
