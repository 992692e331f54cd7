import type { ImportGraph } from './import-graph.ts';

/** Strongly connected components of more than one file. */
export interface CycleFigures {
  readonly valueCycles: number;
  readonly importCycles: number;
  /** Files in a component, type imports included: it may grow when a new file joins an old cycle. */
  readonly filesInCycles: number;
}

export function cycleFigures(graph: ImportGraph): CycleFigures {
  const all = components(graph, () => true);
  const value = components(graph, (typeOnly) => !typeOnly);
  return {
    valueCycles: value.length,
    importCycles: all.length,
    filesInCycles: all.reduce((sum, members) => sum + members.length, 0),
  };
}

interface Visit {
  readonly path: string;
  readonly targets: readonly string[];
  next: number;
}

/** Tarjan's algorithm with its own stack: import chains of large repositories are deeper than the call stack. */
function components(graph: ImportGraph, follows: (typeOnly: boolean) => boolean): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const found: string[][] = [];
  const enter = (path: string): Visit => {
    order.set(path, order.size);
    low.set(path, order.size - 1);
    open.push(path);
    isOpen.add(path);
    const edges = (graph.get(path) ?? []).filter((edge) => follows(edge.typeOnly) && graph.has(edge.target));
    return { path, targets: edges.map((edge) => edge.target), next: 0 };
  };
  const lower = (path: string, to: number | undefined) => low.set(path, Math.min(low.get(path) ?? 0, to ?? 0));
  const leave = (path: string) => {
    if (low.get(path) !== order.get(path)) return;
    const members = open.splice(open.indexOf(path));
    for (const member of members) isOpen.delete(member);
    if (members.length > 1) found.push(members);
  };
  for (const root of graph.keys()) {
    const visits: Visit[] = order.has(root) ? [] : [enter(root)];
    for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
      const target = visit.targets[visit.next];
      visit.next += 1;
      if (target === undefined) {
        visits.pop();
        leave(visit.path);
        const parent = visits.at(-1);
        if (parent !== undefined) lower(parent.path, low.get(visit.path));
      } else if (!order.has(target)) {
        visits.push(enter(target));
      } else if (isOpen.has(target)) {
        lower(visit.path, order.get(target));
      }
    }
  }
  return found;
}
