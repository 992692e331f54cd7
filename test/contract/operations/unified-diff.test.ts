import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { assert, boolean, array, constantFrom, property, tuple } from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { changedLines, unifiedDiff } from '../../../src/operations/unified-diff.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'unified-diff-'));
  execFileSync('git', ['init', '-q', root]);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** What git makes of the text before; an empty diff is an error to git, so that case ends here. */
function applied(path: string, before: string | null, after: string): string {
  const diff = unifiedDiff([{ path, before, after, executable: false }]);
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  if (before !== null) writeFileSync(file, before);
  if (diff === '') return before ?? '';
  execFileSync('git', ['-C', root, 'apply', '--whitespace=nowarn', '-'], {
    input: diff,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return readFileSync(file, 'utf8');
}

const text = tuple(array(constantFrom('a', 'b', '', '  c', '-x', '+y', 'é', 'd\r'), { maxLength: 30 }), boolean()).map(
  ([lines, ends]) => lines.join('\n') + (ends && lines.length > 0 ? '\n' : ''),
);

it('gives a diff that git applies to the text after it', () => {
  assert(
    property(text, text, (before, after) => {
      expect(applied('file.ts', before, after)).toBe(after);
    }),
    { numRuns: 60 },
  );
});

it('creates files, and names odd paths as git does', () => {
  for (const path of ['new/file.ts', 'with space.ts', 'ünï"cödé\\x.ts']) {
    expect(applied(path, null, 'one\ntwo')).toBe('one\ntwo');
    expect(applied(path, 'one\ntwo', 'one\nthree\n')).toBe('one\nthree\n');
  }
});

it('is as short as it can be, with the ids of the blobs', () => {
  const diff = unifiedDiff([
    { path: 'a.ts', before: '1\n2\n3\n4\n5\n6\n7\n8\n9\n', after: '1\n2\n3\n4\nx\n6\n7\n8\n9\n', executable: true },
  ]);
  const id = (content: string) =>
    execFileSync('git', ['hash-object', '--stdin'], { input: content, encoding: 'utf8' }).trim();
  expect(diff.split('\n')).toEqual([
    'diff --git a/a.ts b/a.ts',
    `index ${id('1\n2\n3\n4\n5\n6\n7\n8\n9\n')}..${id('1\n2\n3\n4\nx\n6\n7\n8\n9\n')} 100755`,
    '--- a/a.ts',
    '+++ b/a.ts',
    '@@ -2,7 +2,7 @@',
    ' 2',
    ' 3',
    ' 4',
    '-5',
    '+x',
    ' 6',
    ' 7',
    ' 8',
    '',
  ]);
  expect(changedLines(diff)).toBe(2);
});
