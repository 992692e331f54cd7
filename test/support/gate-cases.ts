import type { Batch } from '../../src/domain/plan.ts';
import type { BatchId } from '../../src/domain/ids.ts';
import type { GateOptions } from '../../src/pipeline/gate/evidence.ts';
import type { GateRule, Patch } from '../../src/domain/patch.ts';

const REPEATED = 'call();\nstop();\n'.repeat(3);

/** The tree that all patches are made against. */
export const BASE_FILES: Readonly<Record<string, string>> = {
  'src/a.ts':
    'export const a = 1;\n\nexport function keep(): number {\n  return a;\n}\n\nfunction fat(): number {\n  return 2;\n}\n\nfat();\n',
  'src/repeated.ts': REPEATED,
  'src/run.sh': 'echo\n',
  'other/b.ts': 'export const b = 1;\n',
  'package.json': '{\n  "name": "sample",\n  "scripts": { "test": "vitest" },\n  "dependencies": {}\n}\n',
  'test/a.test.ts': "it('adds', () => {\n  expect(add(1, 2)).toBe(3);\n});\n",
};

export interface GateCase {
  readonly what: string;
  readonly diff: string;
  readonly batch?: Partial<Batch>;
  readonly options?: Partial<GateOptions>;
  readonly patch?: Partial<Patch>;
}

/** One hunk that replaces the first lines of a file. */
export function change(path: string, before: string, after: string): string {
  const [old, changed] = [before.split('\n').slice(0, -1), after.split('\n').slice(0, -1)];
  const head = `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n`;
  const context = (BASE_FILES[path] ?? '').slice(before.length).split('\n').slice(0, -1).slice(0, 3);
  const body = [
    ...old.map((line) => `-${line}`),
    ...changed.map((line) => `+${line}`),
    ...context.map((line) => ` ${line}`),
  ];
  const counts = `@@ -1,${old.length + context.length} +1,${changed.length + context.length} @@`;
  return `${head}${counts}\n${body.join('\n')}\n`;
}

export function create(path: string, lines: readonly string[], mode = '100644'): string {
  const body = lines.map((line) => `+${line}`).join('\n');
  return `diff --git a/${path} b/${path}\nnew file mode ${mode}\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${body}\n`;
}

const GOOD = change('src/a.ts', 'export const a = 1;\n', 'export const a = 2;\n');
const finding = {
  rule: 'function-too-long',
  path: 'src/a.ts',
  symbols: ['fat'],
  figure: 'longFunctions',
  measured: 60,
  threshold: 50,
  weight: 1,
} as const;

export const GOOD_CASE: GateCase = { what: 'a plain change', diff: GOOD };

/** For every rule a patch that it alone refuses. */
export const REFUSED: Readonly<Record<GateRule, readonly GateCase[]>> = {
  'empty-patch': [
    { what: 'no text', diff: '' },
    { what: 'the same again', diff: change('src/a.ts', 'export const a = 1;\n', 'export const a = 1;\n') },
  ],
  'malformed-diff': [
    { what: 'words around it', diff: `Here it is:\n${GOOD}` },
    { what: 'a file twice', diff: GOOD + change('src/a.ts', 'export const a = 2;\n', 'export const a = 3;\n') },
  ],
  'unsafe-path': [
    {
      what: 'a control character',
      diff: create('"src/a\\001.ts"', ['x']).replaceAll(/[ab]\/"src/g, (side) => `"${side[0]}/src`),
      patch: { touchedFiles: ['src/a\u0001.ts'] },
    },
    { what: 'a device of Windows', diff: create('src/aux.ts', ['x']) },
    { what: 'a backslash', diff: create('src/a\\b.ts', ['x']) },
  ],
  symlink: [
    { what: 'a new link', diff: `${create('src/link.ts', ['/etc/passwd'], '120000')}\\ No newline at end of file\n` },
  ],
  submodule: [{ what: 'a new submodule', diff: create('src/sub', [`Subproject commit ${'1'.repeat(40)}`], '160000') }],
  'mode-change': [
    { what: 'a program', diff: 'diff --git a/src/run.sh b/src/run.sh\nold mode 100644\nnew mode 100755\n' },
  ],
  binary: [
    {
      what: 'a new picture',
      diff: `diff --git a/src/x.png b/src/x.png\nnew file mode 100644\nindex ${'0'.repeat(40)}..f76dd238ade08917e6712764a16a22005a50573d\nGIT binary patch\nliteral 1\nIcmZPo000310RR91\n\n`,
    },
  ],
  'protected-path': [
    { what: 'a workflow', diff: create('.github/workflows/x.yml', ['on: push']), batch: { scope: ['**'] } },
    { what: 'instructions for agents, in any case', diff: create('docs/claude.md', ['x']), batch: { scope: ['**'] } },
    {
      what: 'a script',
      diff: change(
        'package.json',
        '{\n  "name": "sample",\n  "scripts": { "test": "vitest" },\n',
        '{\n  "name": "sample",\n  "scripts": { "test": "true" },\n',
      ),
      batch: { scope: ['**'] },
    },
    { what: 'a path of the configuration', diff: GOOD, options: { protectedPaths: ['src/a.*'] } },
  ],
  'out-of-scope': [
    { what: 'another folder', diff: change('other/b.ts', 'export const b = 1;\n', 'export const b = 2;\n') },
    { what: 'a dot file', diff: create('.env.example', ['x']) },
    { what: 'what the configuration excludes', diff: GOOD, options: { scopeExcludes: ['src/**'] } },
    { what: 'what the configuration does not include', diff: GOOD, options: { scopeIncludes: ['other/**'] } },
  ],
  'outside-symbols': [{ what: 'another declaration', diff: GOOD, batch: { findings: [finding] } }],
  'claims-differ': [
    { what: 'a file too many', diff: GOOD, patch: { touchedFiles: ['src/a.ts', 'src/z.ts'] } },
    { what: 'none', diff: GOOD, patch: { touchedFiles: [] } },
  ],
  'over-budget': [{ what: 'two lines for one', diff: GOOD, batch: { diffBudgetLines: 1 } }],
  'new-dependency': [
    {
      what: 'a package',
      diff: 'diff --git a/package.json b/package.json\n--- a/package.json\n+++ b/package.json\n@@ -1,5 +1,5 @@\n {\n   "name": "sample",\n   "scripts": { "test": "vitest" },\n-  "dependencies": {}\n+  "dependencies": { "left-pad": "1.0.0" }\n }\n',
      batch: { scope: ['**'] },
    },
    { what: 'a crate', diff: create('src/Cargo.toml', ['[dependencies]', 'x = "1"']) },
  ],
  'tests-weakened': [
    ['a case gone', "it('other', () => {\n  expect(add(1, 2)).toBe(3);\n});\n"],
    ['a skip', "it.skip('adds', () => {\n  expect(add(1, 2)).toBe(3);\n});\n"],
    ['another expectation', "it('adds', () => {\n  expect(add(1, 2)).toBe(4);\n});\n"],
    ['a weaker matcher', "it('adds', () => {\n  expect(add(1, 2)).toBeTruthy();\n});\n"],
    ['nothing tested', "it('adds', () => {\n  expect(3).toBe(3);\n});\n"],
    ['a comment', "it('adds', () => {\n  // expect(add(1, 2)).toBe(3);\n});\n"],
  ].map(([what = '', after = '']) => ({
    what,
    diff: change('test/a.test.ts', BASE_FILES['test/a.test.ts'] ?? '', after),
    batch: { scope: ['test/**'] },
  })),
  secret: [
    { what: 'a GitHub token', diff: create('src/t.ts', [`const t = 'ghp_${'a1'.repeat(18)}';`]) },
    { what: 'a private key', diff: create('src/k.ts', ['-----BEGIN RSA PRIVATE KEY-----']) },
  ],
  'ambiguous-context': [
    {
      what: 'a place that fits three times',
      diff: 'diff --git a/src/repeated.ts b/src/repeated.ts\n--- a/src/repeated.ts\n+++ b/src/repeated.ts\n@@ -4,3 +4,3 @@\n call();\n-stop();\n+go();\n call();\n',
    },
    {
      what: 'two line numbers that disagree',
      diff: 'diff --git a/src/repeated.ts b/src/repeated.ts\n--- a/src/repeated.ts\n+++ b/src/repeated.ts\n@@ -3,3 +1,3 @@\n call();\n-stop();\n+go();\n call();\n',
    },
  ],
  'does-not-apply': [
    { what: 'another pre-image', diff: change('src/a.ts', 'export const a = 9;\n', 'export const a = 2;\n') },
  ],
  'proof-failed': [
    {
      what: 'a proof',
      diff: GOOD,
      patch: { proofs: [{ name: 'cycles-not-up', held: false, evidence: '1 cycle more' }] },
    },
  ],
};

/** What is fine, though it comes near to a rule. */
export const ACCEPTED: readonly GateCase[] = [
  GOOD_CASE,
  { what: 'wrong counts, which are counted anew', diff: GOOD.replace(/@@ .* @@/, '@@ -1,9 +1,9 @@') },
  {
    what: 'a renamed function and another import in a test',
    diff: change(
      'test/a.test.ts',
      BASE_FILES['test/a.test.ts'] ?? '',
      "import { sum } from '../src/sum.ts';\nit('adds', () => {\n  expect(sum(1, 2)).toBe(3);\n});\n",
    ),
    batch: { scope: ['test/**'] },
  },
  {
    what: 'one more assertion',
    diff: change(
      'test/a.test.ts',
      BASE_FILES['test/a.test.ts'] ?? '',
      "it('adds', () => {\n  expect(add(1, 2)).toBe(3);\n  expect(add(2, 2)).toBe(4);\n});\n",
    ),
    batch: { scope: ['test/**'] },
  },
  {
    what: 'the named symbol, and an import',
    batch: { findings: [finding] },
    diff: "diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,3 +1,4 @@\n+import { two } from './two.ts';\n export const a = 1;\n \n export function keep(): number {\n@@ -5,7 +6,7 @@\n }\n \n function fat(): number {\n-  return 2;\n+  return two;\n }\n \n fat();\n",
  },
  {
    what: 'a repeated place that is named exactly',
    diff: 'diff --git a/src/repeated.ts b/src/repeated.ts\n--- a/src/repeated.ts\n+++ b/src/repeated.ts\n@@ -1,6 +1,6 @@\n call();\n stop();\n call();\n-stop();\n+go();\n call();\n stop();\n',
  },
];

export function batchOf({ batch }: GateCase): Batch {
  return {
    id: 'batch-001' as BatchId,
    goal: 'change a',
    scope: ['src/**', 'package.json'],
    operations: ['restructure'],
    diffBudgetLines: 100,
    risk: 10,
    verifier: 'fast',
    findings: [],
    improves: [],
    dependsOn: [],
    recipe: null,
    ...batch,
  };
}

export function patchOf({ diff, patch }: GateCase): Patch {
  const named = [...diff.matchAll(/^diff --git a\/(\S+) /gm)].map((match) => match[1] ?? '');
  return {
    batch: 'batch-001' as BatchId,
    author: 'replay',
    diff,
    rationale: '',
    riskNotes: [],
    touchedFiles: [...new Set(named)],
    proofs: [],
    recipe: null,
    ...patch,
  };
}

export function optionsOf({ options }: GateCase): GateOptions {
  return { scopeIncludes: [], scopeExcludes: [], protectedPaths: [], ...options };
}
