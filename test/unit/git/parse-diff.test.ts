import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDiff } from '../../../src/git/parse-diff.ts';

const HEAD = 'diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n';
const kinds = (text: string) => parseDiff(text).problems.map((problem) => problem.kind);

describe('what git writes', () => {
  it('reads hunks, counts and positions', () => {
    const { files, problems } = parseDiff(`${HEAD}@@ -3,2 +3,3 @@ function x() {\n a\n-b\n+c\n+d\n`);
    expect(problems).toEqual([]);
    expect(files).toMatchObject([
      { oldPath: 'src/a.ts', newPath: 'src/a.ts', status: 'modified', added: 2, removed: 1 },
    ]);
    expect(files[0]?.hunks).toEqual([
      { oldStart: 3, oldLines: 2, newStart: 3, newLines: 3, lines: [' a', '-b', '+c', '+d'] },
    ]);
  });

  it('reads added, deleted, renamed, copied and mode-changed files', () => {
    const text = [
      'diff --git a/new b/new\nnew file mode 100755\nindex 0000000..1111111\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+x\n',
      'diff --git a/old b/old\ndeleted file mode 100644\nindex 1111111..0000000\n--- a/old\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
      'diff --git a/from here b/to there\nsimilarity index 100%\nrename from from here\nrename to to there\n',
      'diff --git a/one b/two\nsimilarity index 100%\ncopy from one\ncopy to two\n',
      'diff --git a/run b/run\nold mode 100644\nnew mode 100755\n',
    ].join('');
    const { files, problems } = parseDiff(text);
    expect(problems).toEqual([]);
    expect(files.map((file) => [file.status, file.oldPath, file.newPath, file.oldMode, file.newMode])).toEqual([
      ['added', null, 'new', null, '100755'],
      ['deleted', 'old', null, '100644', null],
      ['renamed', 'from here', 'to there', null, null],
      ['copied', 'one', 'two', null, null],
      ['mode-changed', 'run', 'run', '100644', '100755'],
    ]);
  });

  it('reads quoted paths and names with spaces', () => {
    const quoted =
      'diff --git "a/na\\303\\257ve\\n\\"x\\".ts" "b/na\\303\\257ve\\n\\"x\\".ts"\nold mode 100644\nnew mode 100755\n';
    expect(parseDiff(quoted)).toMatchObject({ files: [{ newPath: 'naïve\n"x".ts' }], problems: [] });
    const spaced = 'diff --git a/a b/c.ts b/a b/c.ts\n--- a/a b/c.ts\t\n+++ b/a b/c.ts\t\n@@ -1 +1 @@\n-x\n+y\n';
    expect(parseDiff(spaced)).toMatchObject({ files: [{ oldPath: 'a b/c.ts' }], problems: [] });
  });

  it('keeps carriage returns and markers of a missing line break', () => {
    const { files, problems } = parseDiff(`${HEAD}@@ -1 +1 @@\n-x\r\n\\ No newline at end of file\n+y\r\n`);
    expect(problems).toEqual([]);
    expect(files[0]?.hunks[0]?.lines).toEqual(['-x\r', '\\ No newline at end of file', '+y\r']);
  });

  it('does not take a removed line for a header', () => {
    const { files, problems } = parseDiff(`${HEAD}@@ -1,2 +1 @@\n--- a/other.ts\n x\n`);
    expect(problems).toEqual([]);
    expect(files[0]).toMatchObject({ removed: 1, added: 0 });
  });

  it('steps over binary patches', () => {
    const binary =
      'diff --git a/x.png b/x.png\nindex 1111111..2222222 100644\nGIT binary patch\nliteral 3\nKcmZQzU|?^\n\n';
    const { files, problems } = parseDiff(`${binary}${HEAD}@@ -1 +1 @@\n-x\n+y\n`);
    expect(problems).toEqual([]);
    expect(files.map((file) => [file.newPath, file.binary])).toEqual([
      ['x.png', true],
      ['src/a.ts', false],
    ]);
  });
});

describe('what git does not write', () => {
  it('counts anew and says so', () => {
    for (const header of ['@@ -1,5 +1,5 @@', '@@ -1,0 +1,0 @@', '@@ -1 +1 @@']) {
      const { files, problems } = parseDiff(`${HEAD}${header}\n a\n-b\n+c\n d\n`);
      expect(problems.map((problem) => problem.kind)).toEqual(['wrong-count']);
      expect(files[0]?.hunks[0]).toMatchObject({ oldLines: 3, newLines: 3 });
    }
  });

  it.each([
    ['unexpected-text', `Here is the patch:\n${HEAD}@@ -1 +1 @@\n-x\n+y\n`],
    ['unexpected-text', '--- a/x\n+++ b/x\n'],
    ['unexpected-text', `${HEAD}trailing words\n`],
    ['bad-header', 'diff --git a/x b/x\nold mode 12\n'],
    ['bad-header', 'diff --git a/x b/x\n--- a/x\n+++ b/y\n@@ -1 +1 @@\n-x\n+y\n'],
    ['bad-header', 'diff --git a/x b/x\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+y\n'],
    ['bad-header', `${HEAD}@@ nonsense @@\n`],
    ['bad-header', 'diff --git x y\nrename from x\nrename to y\n'],
    ['duplicate-file', `${HEAD}@@ -1 +1 @@\n-x\n+y\n${HEAD}@@ -1 +1 @@\n-y\n+z\n`],
    ['too-large', `${HEAD}@@ -1 +1 @@\n-x\n+${'y'.repeat(21 * 1024 * 1024)}\n`],
  ] as const)('notices %s', (kind, text) => {
    expect(kinds(text)).toContain(kind);
  });

  it('bounds what it remembers', () => {
    expect(kinds('nonsense\n'.repeat(5000)).length).toBe(20);
    expect(kinds('diff --git a/x b/x\nold mode 100644\nnew mode 100755\n'.repeat(10_001))).toEqual(['too-large']);
  });

  it('never throws', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        'diff --git ',
        'a/x b/x',
        '"a/\\',
        '--- ',
        '+++ ',
        '/dev/null',
        '@@ -1,3 +1 @@',
        '\n',
        '\n+',
        '\n-',
        '\n ',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        expect(parseDiff(pieces.join('')).files).toBeInstanceOf(Array);
      }),
      { numRuns: 500 },
    );
  });
});
