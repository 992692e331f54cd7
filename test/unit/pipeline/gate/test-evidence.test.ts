import { describe, expect, it } from 'vitest';
import { isTestFile, readTestEvidence } from '../../../../src/pipeline/gate/test-evidence.ts';

describe('what counts as a test file', () => {
  it.each([
    'src/a.test.ts',
    'src/__tests__/a.ts',
    'test/helpers.js',
    'a_test.go',
    'tests/test_a.py',
    'x/__snapshots__/a.snap',
  ])('%s does', (path) => expect(isTestFile(path)).toBe(true));
  it.each(['src/a.ts', 'src/testing.ts', 'src/latest/a.ts', 'contest/a.ts'])('%s does not', (path) =>
    expect(isTestFile(path)).toBe(false),
  );
});

describe('what a test file promises', () => {
  const assertions = (text: string) => readTestEvidence(text).assertions;

  it('reads the cases of each language', () => {
    expect(readTestEvidence("it('a', f); test.each([1])('b %i', f); test(\n  `c`, f)").cases).toEqual([
      'a',
      'b %i',
      'c',
    ]);
    expect(readTestEvidence('def test_x():\n    assert f(1) == 2\n').cases).toEqual(['test_x']);
    expect(readTestEvidence('func TestX(t *testing.T) {}').cases).toEqual(['TestX']);
    expect(readTestEvidence('#[test]\nfn works() {}').cases).toEqual(['works']);
  });

  it('does not see through layout, renames and other imports', () => {
    const before = assertions("import { expect } from 'vitest';\nexpect(add(1, 2)).toBe('x');");
    expect(before).toHaveLength(1);
    expect(assertions('import { assert, expect } from "chai";\nexpect(\n  sum(1, 2),\n)\n  .toBe("x");')).toEqual(
      before,
    );
  });

  it.each([
    ['another value', 'expect(f(1)).toBe(2)', 'expect(f(1)).toBe(3)'],
    ['another input', 'expect(f(1)).toBe(2)', 'expect(f(2)).toBe(2)'],
    ['another matcher', 'expect(f(1)).toBe(2)', 'expect(f(1)).toBeDefined()'],
    ['its opposite', 'expect(f(1)).toBe(2)', 'expect(f(1)).not.toBe(2)'],
    ['nothing called', 'expect(f(1)).toBe(2)', 'expect(2).toBe(2)'],
    ['another assertion of node', 'assert.equal(f(1), 2)', 'assert.ok(f(1), 2)'],
    ['python', 'assert f(1) == 2', 'assert f(1)'],
  ])('sees %s', (_what, before, after) => {
    expect(assertions(before)).not.toEqual(assertions(after));
  });

  it('takes what is commented out for gone, and an address for none', () => {
    expect(assertions("// expect(a).toBe(1)\n/* expect(b).toBe(2) */\nexpect(c).toBe('http://x');")).toEqual([
      'expect(_).toBe("http://x")',
    ]);
  });

  it.each([
    'it.skip(',
    'describe.only(',
    'test.todo(',
    'xit(',
    'test.concurrent.skip(',
    'this.skip(',
    '@pytest.mark.skip',
  ])('sees %s', (mark) => expect(readTestEvidence(`${mark}'x', f)`).skips).toHaveLength(1));

  it('sees no mark in other words', () => {
    expect(readTestEvidence('list.skip(3); const only = 1; it("skips", f); reader.only();').skips).toEqual([]);
  });

  it('ends on text that is made to take long', () => {
    for (const piece of ['/*', '@Test ', '#[test ', "it('", 'expect(', '"', '`', 'assert']) {
      expect(readTestEvidence(piece.repeat(100_000)).skips).toEqual([]);
    }
  }, 30_000);

  it('ends on any text', () => {
    for (const text of ['expect(', 'expect("', 'assert', '`', "it('", 'expect(((((']) {
      expect(readTestEvidence(text).cases).toEqual([]);
    }
  });
});
