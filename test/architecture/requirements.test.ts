import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

interface Requirement {
  readonly id: string;
  readonly state: string;
  readonly tests: readonly string[];
}

const page = await readFile('docs/requirements.md', 'utf8');
const requirements = page.split('\n').flatMap(readRow);

function readRow(line: string): Requirement[] {
  const match = /^\| ([A-Z]+(?:-[A-Z]+)?(?:-\d+)?) \|[^|]*\| ([^|]*) \|(.*)\|$/.exec(line);
  if (match === null) return [];
  const [, id = '', state = '', evidence = ''] = match;
  return [{ id, state, tests: [...evidence.matchAll(/`(test\/[^`]+)`/g)].map((named) => named[1] ?? '') }];
}

async function testTexts(): Promise<readonly { readonly file: string; readonly text: string }[]> {
  const files = (await readdir('test', { recursive: true })).filter((file) => file.endsWith('.test.ts'));
  return Promise.all(files.map(async (file) => ({ file, text: await readFile(path.join('test', file), 'utf8') })));
}

describe('docs/requirements.md', () => {
  it('has rows to look at, each requirement once', () => {
    expect(requirements.length).toBeGreaterThan(40);
    expect(new Set(requirements.map(({ id }) => id)).size).toBe(requirements.length);
  });

  it('names only test files that exist', () => {
    const named = [...page.matchAll(/`((?:test|docs|bench)\/[^`]+)`/g)].map((match) => match[1] ?? '');
    expect(named.filter((file) => !/\.(?:test\.ts|md)$/.test(file) || !existsSync(file))).toEqual([]);
  });

  it('has a test for what is done, in whole or in part, and none for what is not there', () => {
    expect(requirements.filter(({ state }) => !['done', 'part', 'not yet'].includes(state))).toEqual([]);
    expect(requirements.filter(({ state, tests }) => (state === 'not yet') !== (tests.length === 0))).toEqual([]);
  });

  it('lists every requirement that a test names', async () => {
    const known = new Set(requirements.map(({ id }) => id));
    const families = [...new Set(requirements.flatMap(({ id }) => /^([A-Z]+)-\d+$/.exec(id)?.[1] ?? []))];
    const mention = new RegExp(`\\b(?:${families.join('|')})-\\d+\\b`, 'g');
    const unknown = (await testTexts()).flatMap(({ file, text }) =>
      [...text.matchAll(mention)].filter(([id]) => !known.has(id)).map(([id]) => `${file}: ${id}`),
    );
    expect(families).toContain('TRIG');
    expect(unknown).toEqual([]);
  });
});
