import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { parseDiff } from '../../src/git/parse-diff.ts';
import { commitFiles, plainGit, seedRepository } from '../support/seed-repository.ts';

const root = mkdtempSync(path.join(os.tmpdir(), 'parse-diff-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const line = fc.constantFrom(
  '',
  'a',
  'b',
  '-- a/x',
  '++ b/x',
  '@@ -1 +1 @@',
  'diff --git a/x b/x',
  ' c',
  'd\r',
  '\\ No newline',
  '\t',
);
const content = fc
  .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
  .map(([lines, ended]) => lines.join('\n') + (ended ? '\n' : ''));
const name = fc.constantFrom(
  'a.ts',
  'a b.ts',
  'naïve.ts',
  'quo"te.ts',
  'tab\tbed.ts',
  'deep/b/c.ts',
  'b/x b/x',
  'new\nline',
);
const text = fc.dictionary(name, content, { maxKeys: 5 });
const mixed = fc.dictionary(name, fc.oneof(content, fc.constant('\0binary')), { maxKeys: 5 });
// A moved binary file has no content in a diff, so nothing there says that it is one.
const changes = fc.oneof(fc.tuple(text, text, fc.constant(true)), fc.tuple(mixed, mixed, fc.constant(false)));

it('agrees with what git counts and lists', { timeout: 120_000 }, () => {
  let round = 0;
  fc.assert(
    fc.property(changes, ([before, after, renames]) => {
      const work = path.join(root, String(round++));
      const base = seedRepository(work, before);
      plainGit(work, 'rm', '-rq', '--ignore-unmatch', '.');
      mkdirSync(work, { recursive: true });
      const head = commitFiles(work, after, 'Change');
      const options = ['diff-tree', '-r', renames ? '-M' : '--no-renames', base, head];
      const { files: parsed, problems } = parseDiff(plainGit(work, ...options, '-p', '--binary', '--full-index'));
      expect(problems).toEqual([]);
      expect(parsed.map((file) => numstatLine(file, renames)).sort()).toEqual(
        numstat(plainGit(work, ...options, '--numstat', '-z'), renames).sort(),
      );
      expect(parsed.map((file) => rawLine(file)).sort()).toEqual(raw(plainGit(work, ...options, '--raw', '-z')).sort());
    }),
    { numRuns: 40 },
  );
});

type Parsed = ReturnType<typeof parseDiff>['files'][number];

function numstatLine(file: Parsed, renames: boolean): string {
  const counts = file.binary ? '-\t-' : `${file.added}\t${file.removed}`;
  const renamed = renames && file.status === 'renamed' ? `${file.oldPath}→` : '';
  return `${counts}\t${renamed}${file.newPath ?? file.oldPath}`;
}

/** `added\tremoved\tpath`, or with a rename `added\tremoved\t`, old path, new path. */
function numstat(said: string, renames: boolean): string[] {
  const fields = said.split('\0');
  const lines: string[] = [];
  for (let at = 0; at < fields.length - 1; at++) {
    const field = fields[at] ?? '';
    if (renames && field.endsWith('\t')) {
      lines.push(`${field}${fields[at + 1]}→${fields[at + 2]}`);
      at += 2;
    } else {
      lines.push(field);
    }
  }
  return lines;
}

function rawLine(file: Parsed): string {
  const letter = { added: 'A', deleted: 'D', modified: 'M', renamed: 'R', copied: 'C', 'mode-changed': 'M' }[
    file.status
  ];
  return `${letter} ${file.oldPath ?? file.newPath}`;
}

/** `:modes oids letter`, path, and for a rename the new path. */
function raw(said: string): string[] {
  const fields = said.split('\0');
  const lines: string[] = [];
  for (let at = 0; at < fields.length - 1; at += 2) {
    const letter = fields[at]?.split(' ').at(-1)?.[0] ?? '';
    lines.push(`${letter} ${fields[at + 1]}`);
    if (letter === 'R') at++;
  }
  return lines;
}
