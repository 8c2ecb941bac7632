/**
 * Brings the search data up to the builds of the registry. What it writes depends on the builds and the order of their
 * first publication alone, not on how many runs it took; a run costs what changed.
 */
import { canonicalJson } from '../../../format/document/canonical-json.ts';
import {
  SEARCH_MANIFEST_PATH,
  leafPath,
  nodePath,
  orderPath,
  searchBuildPath,
} from '../../../format/index/search-path.ts';
import type { TermChange } from './leaf-edit.ts';
import { MAX_LEAF_BYTES, editLeaves, entryOf } from './leaf-edit.ts';
import type { TermsChange } from './node-edit.ts';
import { editNodes } from './node-edit.ts';
import { pagesOf } from './order-pages.ts';
import type { SearchBuild } from './search-build.ts';
import { formatManifest } from './search-manifest.ts';
import type { SearchStore } from './search-store.ts';
import { FIELDS, termsOf } from './search-terms.ts';

/** Takes one file of the search data. */
export type AddSearchFile = (path: string, content: string | Uint8Array) => void;

/**
 * Gives `add` every file that differs from those of the last run.
 * @param builds those that changed; new ones in the order of their first publication
 * @param maxLeafBytes other than the default in tests only
 * @returns paths of files that are no longer part of the search data
 */
export function updateSearch(
  store: SearchStore,
  builds: Iterable<SearchBuild>,
  add: AddSearchFile,
  maxLeafBytes: number = MAX_LEAF_BYTES,
): string[] {
  const changes: TermsChange[] = [];
  for (const build of builds) {
    const known = store.build(build.id);
    const number = known?.number ?? store.count();
    store.setBuild(number, build);
    add(searchBuildPath(number), canonicalJson(build));
    const before = known === undefined ? new Map<string, number>() : termsOf(known.build);
    changes.push({ number, before, after: termsOf(build) });
  }
  const oldLeaves = leafNames(store);
  const written = editLeaves(store, termChanges(changes), maxLeafBytes);
  const leaves = leafNames(store);
  const removed: string[] = [];
  const give = (path: string, content: Uint8Array | undefined): void => {
    if (content === undefined) removed.push(path);
    else add(path, content);
  };
  for (const name of written) give(leafPath(name), store.leaf(name));
  for (const name of editNodes(store, oldLeaves, leaves, changes)) {
    give(nodePath(name), store.node(name));
  }
  const ordered = store.inOrder();
  const pages = pagesOf(ordered);
  for (const name of editPages(store, pages)) give(orderPath(name), pages.get(name));
  const counts = { builds: store.count(), shown: ordered.length };
  add(SEARCH_MANIFEST_PATH, formatManifest({ ...counts, leaves, pages: [...pages.keys()] }));
  return removed;
}

function leafNames(store: SearchStore): string[] {
  return store
    .leaves()
    .map(({ name }) => name)
    .sort();
}

/** The changes of builds, term by term. */
function termChanges(changes: readonly TermsChange[]): Map<string, TermChange> {
  const byTerm = new Map<string, TermChange>();
  const changeOf = (term: string): TermChange => {
    const change = byTerm.get(term) ?? { out: [], in: [] };
    byTerm.set(term, change);
    return change;
  };
  for (const { number, before, after } of changes) {
    for (const [term, fields] of before) {
      const gone = fields & ~(after.get(term) ?? 0);
      for (const at of FIELDS.keys()) {
        if (gone & (1 << at)) changeOf(term).out.push(entryOf(number, at));
      }
    }
    for (const [term, fields] of after) {
      const come = fields & ~(before.get(term) ?? 0);
      for (const at of FIELDS.keys()) {
        if (come & (1 << at)) changeOf(term).in.push(entryOf(number, at));
      }
    }
  }
  return byTerm;
}

/** @returns the names of the pages that were written or dropped */
function editPages(store: SearchStore, pages: ReadonlyMap<string, Uint8Array>): string[] {
  const written: string[] = [];
  for (const name of store.pages()) {
    if (pages.has(name)) continue;
    store.dropPage(name);
    written.push(name);
  }
  for (const [name, content] of pages) {
    const known = store.page(name);
    if (known !== undefined && isEqual(known, content)) continue;
    store.setPage(name, content);
    written.push(name);
  }
  return written;
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
