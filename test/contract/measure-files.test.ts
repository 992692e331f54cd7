import { describe, expect, it } from 'vitest';
import { measureFile } from '../../src/pipeline/indexing/measure-file.ts';
import { measureFiles } from '../../src/pipeline/indexing/measure-files.ts';

/** Native code recurses once for each of these: in the bot's own process this would be its end. */
const FATAL = `export const a = ${'('.repeat(100_000)}1;\n`;
const GOOD = 'export function one() {\n  return 1;\n}\n';

describe('measureFiles', () => {
  it('measures in another process what it would measure in this one, in order', async () => {
    const files = Array.from({ length: 50 }, (_, index) => ({ path: `src/f${index}.ts`, text: GOOD.repeat(index) }));
    expect(await measureFiles(files)).toEqual(files.map((file) => measureFile(file.path, file.text)));
  });

  it('survives files that end the parser, wherever they stand, and counts them as unparsed', async () => {
    const texts = [FATAL, GOOD, FATAL, FATAL, GOOD, FATAL];
    const measured = await measureFiles(texts.map((text, index) => ({ path: `src/f${index}.ts`, text })));
    expect(measured.map((file) => file.parsed)).toEqual([false, true, false, false, true, false]);
    expect(measured.map((file) => file.lines)).toEqual([1, 3, 1, 1, 3, 1]);
  });

  it('starts nothing for nothing', async () => {
    expect(await measureFiles([])).toEqual([]);
  });
});
