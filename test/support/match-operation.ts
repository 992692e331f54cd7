import type { Operation } from './github-description.ts';

/** Parameters that hold slashes: GitHub takes `contents/src/a.ts` as well as `contents/src%2Fa.ts`. */
const multiSegment = new Set(['path', 'ref', 'branch', 'basehead']);

/** Finds the described operation of a concrete request; the one with the most literal segments wins. */
export function matchOperation(
  operations: Record<string, Operation>,
  method: string,
  requestPath: string,
): { operation: Operation | undefined; query: URLSearchParams } {
  const { pathname, searchParams: query } = new URL(requestPath, 'http://localhost');
  const concrete = pathname.replace(/^\/api\/v3(?=\/)/u, '');
  let best: { operation: Operation; literals: number } | undefined;
  for (const [key, operation] of Object.entries(operations)) {
    const [itsMethod, template = ''] = key.split(' ');
    if (itsMethod !== method.toUpperCase() || !pattern(template).test(concrete)) continue;
    const literals = template.split('/').filter((segment) => !segment.startsWith('{')).length;
    if (!best || literals > best.literals) best = { operation, literals };
  }
  return { operation: best?.operation, query };
}

function pattern(template: string): RegExp {
  const source = template
    .split('/')
    .map((segment) => {
      const parameter = /^\{(?<name>.+)\}$/u.exec(segment)?.groups?.['name'];
      if (parameter === undefined) return segment;
      if (/_number$|_id$/u.test(parameter)) return String.raw`\d+`;
      return multiSegment.has(parameter) ? '.+' : '[^/]+';
    })
    .join('/');
  return new RegExp(`^${source}$`, 'u');
}
