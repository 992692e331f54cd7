import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCycles } from '../../../../src/pipeline/indexing/find-cycles.ts';

type Graph = Readonly<Record<string, readonly string[]>>;
const cyclesOf = (graph: Graph) => findCycles(new Map(Object.entries(graph)));

/** By definition: two nodes are in one component when each can be reached from the other. */
function naiveCycles(graph: Graph): string[][] {
  const reach = (from: string): Set<string> => {
    const seen = new Set<string>();
    const pending = [...(graph[from] ?? [])];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (seen.has(node)) continue;
      seen.add(node);
      pending.push(...(graph[node] ?? []));
    }
    return seen;
  };
  const reached = new Map(Object.keys(graph).map((node) => [node, reach(node)]));
  const groups = Object.keys(graph).map((node) =>
    Object.keys(graph)
      .filter((other) => other === node || (reached.get(node)?.has(other) && reached.get(other)?.has(node)))
      .toSorted(),
  );
  const unique = new Map(groups.filter((group) => group.length > 1).map((group) => [group.join(), group]));
  return [...unique.values()].toSorted((a, b) => (a[0]! < b[0]! ? -1 : 1));
}

const graphs: fc.Arbitrary<Graph> = fc
  .integer({ min: 1, max: 9 })
  .chain((size) =>
    fc.array(fc.array(fc.integer({ min: 0, max: size }), { maxLength: 4 }), { minLength: size, maxLength: size }),
  )
  .map((edges) =>
    Object.fromEntries(edges.map((targets, node) => [`n${node}`, targets.map((target) => `n${target}`)])),
  );

describe('findCycles', () => {
  it.each<[string, Graph, string[][]]>([
    ['nothing', {}, []],
    ['a chain', { a: ['b'], b: ['c'], c: [] }, []],
    ['a file that imports itself', { a: ['a'] }, []],
    ['two that import each other', { b: ['a'], a: ['b'] }, [['a', 'b']]],
    ['two cycles that share a file', { a: ['b', 'c'], b: ['a'], c: ['a'] }, [['a', 'b', 'c']]],
    [
      'two apart, in order of the first',
      { z: ['y'], y: ['z'], b: ['a'], a: ['b', 'z'] },
      [
        ['a', 'b'],
        ['y', 'z'],
      ],
    ],
    ['a target that is no node', { a: ['elsewhere'] }, []],
  ])('of %s', (_, graph, expected) => {
    expect(cyclesOf(graph)).toEqual(expected);
  });

  it('agrees with the definition', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        expect(cyclesOf(graph)).toEqual(naiveCycles(graph));
      }),
      { numRuns: 500 },
    );
  });

  it('takes a chain as long as a repository is large', () => {
    const length = 100_000;
    const chain = new Map(Array.from({ length }, (_, node) => [`n${node}`, [`n${(node + 1) % length}`]]));
    expect(findCycles(chain)[0]).toHaveLength(length);
  });
});
