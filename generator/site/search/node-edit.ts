/** Keeps the nodes equal to the leaves below them. */
import { readLeaf } from './leaf-file.ts';
import { formatNode, readNode } from './node-file.ts';
import type { SearchStore } from './search-store.ts';
import { BEGINNINGS, FIELDS } from './search-terms.ts';
import { leavesUnder, nodesOf } from './term-tree.ts';

/** A build whose terms changed. */
export interface TermsChange {
  readonly number: number;
  readonly before: ReadonlyMap<string, number>;
  readonly after: ReadonlyMap<string, number>;
}

/**
 * Brings the nodes up to the leaves in the store.
 * @param oldLeaves names of the leaves before, sorted
 * @param leaves names now, sorted
 * @returns the names of the nodes that were written or dropped
 */
export function editNodes(
  store: SearchStore,
  oldLeaves: readonly string[],
  leaves: readonly string[],
  changes: readonly TermsChange[],
): Set<string> {
  const written = new Set<string>();
  const old = new Set(nodesOf(oldLeaves));
  const nodes = new Set(nodesOf(leaves));
  for (const name of [...old].filter((known) => !nodes.has(known))) {
    store.dropNode(name);
    written.add(name);
  }
  for (const name of [...nodes].filter((now) => !old.has(now))) {
    store.setNode(name, formatNode(listsBelow(store, leaves, name)));
    written.add(name);
  }
  const kept = new Set([...nodes].filter((now) => old.has(now)));
  const edits = new Map<string, Map<number, boolean>[]>();
  for (const { number, before, after } of changes) {
    for (const [at, field] of BEGINNINGS.entries()) {
      const bit = 1 << FIELDS.indexOf(field);
      const [from, to] = [startsIn(kept, before, bit), startsIn(kept, after, bit)];
      for (const name of new Set([...from, ...to])) {
        if (from.has(name) === to.has(name)) continue;
        const edit = edits.get(name) ?? BEGINNINGS.map(() => new Map<number, boolean>());
        edits.set(name, edit);
        edit[at]!.set(number, to.has(name));
      }
    }
  }
  for (const [name, edit] of edits) {
    const lists = readNode(store.node(name)!).map((list, at) => edited(list, edit[at]!));
    store.setNode(name, formatNode(lists));
    written.add(name);
  }
  return written;
}

function listsBelow(store: SearchStore, leaves: readonly string[], name: string): number[][] {
  const marks = BEGINNINGS.map(() => new Uint8Array(store.count()));
  for (const leaf of leavesUnder(leaves, name)) {
    for (const postings of readLeaf(store.leaf(leaf)!).values()) {
      for (const [at, field] of BEGINNINGS.entries()) {
        for (const number of postings[FIELDS.indexOf(field)]!) marks[at]![number] = 1;
      }
    }
  }
  return marks.map((marked) => {
    const numbers: number[] = [];
    for (let at = marked.indexOf(1); at >= 0; at = marked.indexOf(1, at + 1)) numbers.push(at);
    return numbers;
  });
}

/** The nodes that begin a term with this bit. */
function startsIn(
  nodes: ReadonlySet<string>,
  terms: ReadonlyMap<string, number>,
  bit: number,
): Set<string> {
  const starts = new Set<string>();
  for (const [term, fields] of terms) {
    if ((fields & bit) === 0) continue;
    for (let length = 1; length <= term.length; length += 1) {
      const start = term.slice(0, length);
      if (nodes.has(start)) starts.add(start);
    }
  }
  return starts;
}

function edited(list: readonly number[], edit: ReadonlyMap<number, boolean>): number[] {
  if (edit.size === 0) return [...list];
  const come = [...edit].filter(([, isIn]) => isIn).map(([number]) => number);
  return [...list.filter((number) => !edit.has(number)), ...come].sort((a, b) => a - b);
}
