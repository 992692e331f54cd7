/** Strongly connected components of more than one member, each sorted, in order of first member. Iterative Tarjan. */
export function findCycles(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const onStack = new Set<string>();
  const stack: string[] = [];
  const cycles: string[][] = [];

  const open = (node: string) => {
    order.set(node, order.size);
    low.set(node, order.size - 1);
    stack.push(node);
    onStack.add(node);
    return { node, next: 0 };
  };
  const lower = (node: string, value: number) => low.set(node, Math.min(low.get(node) ?? value, value));
  const close = (node: string) => {
    const members: string[] = [];
    for (let member = stack.pop(); member !== undefined; member = stack.pop()) {
      onStack.delete(member);
      members.push(member);
      if (member === node) break;
    }
    if (members.length > 1) cycles.push(members.toSorted());
  };

  for (const root of edges.keys()) {
    if (order.has(root)) continue;
    const frames = [open(root)];
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      const target = (edges.get(frame.node) ?? [])[frame.next];
      frame.next += 1;
      if (target !== undefined) {
        if (!order.has(target)) frames.push(open(target));
        else if (onStack.has(target)) lower(frame.node, order.get(target) ?? 0);
        continue;
      }
      frames.pop();
      const parent = frames.at(-1);
      if (parent !== undefined) lower(parent.node, low.get(frame.node) ?? 0);
      if (low.get(frame.node) === order.get(frame.node)) close(frame.node);
    }
  }
  return cycles.toSorted((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1));
}
