/**
 * Tree entries with modes that git never writes. Merging keeps the trees of the head unchanged, so the rule covers
 * every folder that changes, not only builds.
 */
import { printable } from '../../format/build/file-path.ts';
import { finding } from '../../format/finding/finding.ts';
import type { Reason } from '../../format/registry/gate-verdict.ts';
import { GeneratorError } from '../errors.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import { entryTypeOf, treeEntries } from '../git/tree-entries.ts';
import type { TreeEntry } from '../git/tree-entries.ts';
import type { ChangedTree } from './changed-entries.ts';
import { findingReason } from './reason.ts';

/** Of all changed folders together; the folder of a million owners has 50 MB. */
const MAX_TREE_BYTES = 128_000_000;
const MAX_REASONS = 100;

/**
 * One reason for each new entry with such a mode. Entries that the base branch has already are ignored: they must
 * not block other pull requests.
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function checkTreeModes(
  reader: ObjectReader,
  trees: readonly ChangedTree[],
): Promise<Reason[]> {
  const reasons: Reason[] = [];
  const budget = { left: MAX_TREE_BYTES };
  for (const { path, oldOid, oid } of trees) {
    const odd = await oddEntries(reader, oid, budget);
    if (odd.length === 0) continue;
    const before = oldOid === undefined ? [] : await oddEntries(reader, oldOid, budget);
    const known = new Set(before.map(keyOf));
    for (const entry of odd) {
      if (known.has(keyOf(entry))) continue;
      const file = printable(path === '' ? String(entry.name) : `${path}/${String(entry.name)}`);
      reasons.push(findingReason(finding('file-mode', file, { mode: entry.mode }), ''));
      if (reasons.length === MAX_REASONS) return reasons;
    }
  }
  return reasons;
}

async function oddEntries(
  reader: ObjectReader,
  tree: string,
  budget: { left: number },
): Promise<TreeEntry[]> {
  const object = await reader.read(tree, budget);
  if (object?.bytes === undefined) {
    const problem = `the folders that change have over ${MAX_TREE_BYTES} bytes of entries`;
    throw new GeneratorError('ERR_GIT', `Cannot judge: ${problem}`);
  }
  const odd: TreeEntry[] = [];
  for (const entry of treeEntries(object.bytes, tree.length / 2)) {
    if (entryTypeOf(entry.mode) === 'other') odd.push(entry);
  }
  return odd;
}

function keyOf({ mode, name, oid }: TreeEntry): string {
  return `${mode} ${oid} ${name.toString('latin1')}`;
}
