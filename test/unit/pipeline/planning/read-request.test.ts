import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scopeOfRequest } from '../../../../src/pipeline/planning/read-request.ts';

const PATHS = [
  'index.ts',
  'src/render.ts',
  'src/deep/a.ts',
  'packages/api/src/x.ts',
  'packages/api-client/y.ts',
  'app/[id]/page.tsx',
  'test/z.ts',
  'v1.2/w.ts',
];
const scope = (request: string) => PATHS.filter(scopeOfRequest(request, PATHS));

describe('scopeOfRequest', () => {
  it.each([
    ['only packages/api', ['packages/api/src/x.ts']],
    ['packages/api/**', ['packages/api/src/x.ts']],
    ['packages/api/*', ['packages/api/src/x.ts']],
    ['./packages/api/.', ['packages/api/src/x.ts']],
    ['please look at `src/render.ts`, thanks', ['src/render.ts']],
    ['See src/render.ts: it is long!', ['src/render.ts']],
    ['/src/render.ts', ['src/render.ts']],
    ['src/', ['src/render.ts', 'src/deep/a.ts']],
    ['src/deep and index.ts.', ['index.ts', 'src/deep/a.ts']],
    ['app/[id]/page.tsx', ['app/[id]/page.tsx']],
    ['app/[id]', ['app/[id]/page.tsx']],
    ['(v1.2)', ['v1.2/w.ts']],
  ])('%j names %j', (request, expected) => {
    expect(scope(request)).toEqual(expected);
  });

  it.each([
    '',
    'make it faster, e.g. with less code',
    'test',
    'src',
    '**/*',
    'src/*.ts',
    '{src,test}/**',
    '!src/render.ts',
    '../../etc/passwd',
    '.',
    './',
    '/',
    '../',
    'constructor __proto__ src/__proto__',
    'src/missing.ts',
    'SRC/RENDER.TS',
  ])('%j names nothing, so all is in scope', (request) => {
    expect(scope(request)).toEqual(PATHS);
  });

  it('does not read beyond its first part', () => {
    expect(scope(`${'word '.repeat(1000)} src/render.ts`)).toEqual(PATHS);
  });

  it('answers for any text, and never with less than it names', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.constantFrom(...PATHS), (noise, path) => {
        expect(scope(`${noise} ${path} ${noise}`)).toContain(path);
      }),
    );
  });
});
