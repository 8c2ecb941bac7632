/** Cycles of a graph of imports. */

/** Each cycle that a walk along the edges meets, once, beginning and ending with its first node by name. */
export function findCycles(graph: ReadonlyMap<string, Iterable<string>>): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  const visit = (node: string): void => {
    const at = trail.indexOf(node);
    if (at >= 0) {
      const cycle = trail.slice(at);
      const first = cycle.indexOf([...cycle].sort()[0] ?? node);
      const turned = [...cycle.slice(first), ...cycle.slice(0, first)];
      found.push([...turned, turned[0] ?? node]);
    }
    if (at >= 0 || done.has(node)) return;
    trail.push(node);
    for (const target of graph.get(node) ?? []) visit(target);
    trail.pop();
    done.add(node);
  };
  for (const node of graph.keys()) visit(node);
  return found;
}
