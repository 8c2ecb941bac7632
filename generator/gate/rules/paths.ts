/** What a pull request may touch: its scope, paths, modes, and the decisions of admins. */
import { printable } from '../../../format/build/file-path.ts';
import { finding } from '../../../format/finding/finding.ts';
import { isAccountOf, isBareLoginOf } from '../../../format/registry/account.ts';
import type { Reason } from '../../../format/registry/gate-verdict.ts';
import { Moderation } from '../../../format/registry/moderation.ts';
import { GeneratorError } from '../../errors.ts';
import type { ObjectReader } from '../../git/object-reader.ts';
import { entryTypeOf, treeEntries, type TreeEntry } from '../../git/source.ts';
import type { Change } from './rule.ts';
import { isGone } from '../changes.ts';
import { readDocument } from '../git.ts';
import { bareAdmin } from '../owners.ts';
import { findingReason, reason } from '../reasons.ts';

/** Of all changed folders together; the folder of a million owners has 50 MB. */
const MAX_TREE_BYTES = 128_000_000;
const MAX_REASONS = 100;

/** Builds and what belongs to them go into one pull request, the registry's own files into another. */
export function checkScope({ entries, others }: Change): Reason[] {
  if (entries.length === 0) return [reason('gate-nothing', '')];
  const encodings = entries
    .filter((one) => !one.isUtf8 && !isGone(one))
    .map(({ path }) => findingReason(finding('file-path-encoding', printable(path)), ''));
  if (others.length === entries.length) return [...encodings, reason('gate-no-build', '')];
  const file = others[0]?.path;
  return file === undefined ? encodings : [...encodings, reason('gate-mixed', file, { file })];
}

/** Below `builds/` everything is in a build folder, in the place that the layout has for its owner. */
export function checkPaths({ owners, strays }: Change): Reason[] {
  return owners.flatMap(({ owner, folder }) => {
    const own = strays.filter((one) => one.owner === owner && !isGone(one));
    const misplaced = own.find((one) => one.isMisplaced);
    const found = own
      .filter((one) => !one.isMisplaced)
      .map(({ path }) => reason('gate-stray', path));
    if (misplaced === undefined) return found;
    const args = { owner: printable(owner), folder: printable(folder) };
    return [...found, reason('gate-shard', printable(misplaced.path), args)];
  });
}

/** Decisions about reports and flags are the admins'. */
export async function checkModeration(change: Change): Promise<Reason[]> {
  const { moderation, author, reader } = change;
  const { admins } = change.config;
  const isAdmin = admins.some((admin) => isAccountOf(admin, author));
  const isBare = admins.some((admin) => isBareLoginOf(admin, author));
  const reasons: Reason[] = [];
  for (const entry of moderation) {
    const { path, mode, oid } = entry;
    if (!isAdmin) reasons.push(isBare ? bareAdmin(author) : reason('gate-moderation', path));
    if (!isAdmin || isGone(entry)) continue;
    const isFile = /^moderation\/[^/]+\/[^/]+\.json$/.test(path) && mode === '100644';
    const read = isFile ? await readDocument(reader, Moderation, oid) : undefined;
    if (read !== undefined && !(read instanceof Error)) continue;
    const problem = read?.message ?? 'it must be a file moderation/<owner>/<name>.json';
    reasons.push(reason('gate-moderation-file', path, { problem }));
  }
  return reasons;
}

/**
 * New tree entries with modes that git never writes. Merging keeps the trees of the head unchanged, so the rule covers every
 * folder that changes, not only builds. Those that the base branch has already are ignored: they must not block other pull
 * requests.
 */
export async function checkTreeModes({ reader, trees }: Change): Promise<Reason[]> {
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
