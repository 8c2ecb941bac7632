/** What a pull request may touch: its scope, paths, modes, and the decisions of admins. */
import { isDeepStrictEqual } from 'node:util';
import { printable } from '../../../format/build/file-path.ts';
import { finding } from '../../../format/finding/finding.ts';
import { isAccountOf, isBareLoginOf } from '../../../format/registry/account.ts';
import type { Reason } from '../gate-verdict.ts';
import { Moderation, type Waiver } from '../../../format/registry/moderation.ts';
import { shownTextProblem } from '../../../format/document/shown-text.ts';
import { compareVersions } from '../../../format/version/semver-range.ts';
import { sha256Hex } from '../../../format/archive/integrity.ts';
import { isSafetyCode } from '../../waivers.ts';
import { ownerFileAt } from '../registry.ts';
import type { ObjectReader } from '../../git/object-reader.ts';
import { entryTypeOf } from '../../git/source.ts';
import { treeEntries, type TreeEntry } from '../../git/trees.ts';
import type { Change } from './rule.ts';
import { isGone } from '../changes.ts';
import { entryAt } from '../git.ts';
import { readDocument } from '../../git/read-document.ts';
import { bareAdmin } from '../owners.ts';
import { findingReason, reason } from '../reasons.ts';

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

/** Below `builds/` everything is in a build folder. */
export function checkPaths({ owners, strays }: Change): Reason[] {
  return owners.flatMap(({ owner }) =>
    strays
      .filter((one) => one.owner === owner && !isGone(one))
      .map(({ path }) => reason('gate-stray', path)),
  );
}

/** Decisions about reports, flags and findings are the admins'. */
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
    const place = path.slice(change.config.root.length);
    const isFile = /^moderation\/[^/]+\/[^/]+\.json$/.test(place) && mode === '100644';
    const read = isFile ? await readDocument(reader, Moderation, oid) : undefined;
    if (read !== undefined && !(read instanceof Error)) {
      reasons.push(...(await checkWaivers(change, path, read.waivers ?? [])));
      continue;
    }
    const problem = read?.message ?? 'it must be a file moderation/<owner>/<name>.json';
    reasons.push(reason('gate-moderation-file', path, { problem }));
  }
  return reasons;
}

/** New waivers: each names its author, and what the version has or may still have. */
async function checkWaivers(
  change: Change,
  path: string,
  waivers: readonly Waiver[],
): Promise<Reason[]> {
  const { repository, reader, author, now } = change;
  const entry = await entryAt(repository.folder, repository.head, path);
  const read = entry && (await readDocument(reader, Moderation, entry.oid));
  const known = read === undefined || read instanceof Error ? [] : (read.waivers ?? []);
  const fresh = waivers.filter((one) => !known.some((old) => isDeepStrictEqual(old, one)));
  const reasons: Reason[] = [];
  for (const waiver of fresh) {
    const { code, file, by, at } = waiver;
    const text = shownTextProblem(waiver.reason);
    const problem = !isSafetyCode(code)
      ? 'no finding with this code counts for the risk'
      : by.toLowerCase() !== author.login.toLowerCase()
        ? `field "by" is "${by}", not the author "${author.login}"`
        : at > now.slice(0, 10)
          ? `field "at" is ${at}, in the future`
          : text === undefined
            ? await contentProblem(change, path, waiver)
            : `field "reason" ${text}`;
    if (problem === undefined) continue;
    reasons.push(reason('gate-waiver', path, { code, of: file, problem }));
  }
  const owner = path.slice(change.config.root.length).split('/')[1] ?? '';
  const ownerFile = await ownerFileAt(change, repository.head, owner);
  const isOwn = !(ownerFile instanceof Error) && ownerFile?.account_id === author.id;
  if (isOwn && fresh.length > 0) {
    reasons.push(reason('gate-waiver-own', path, { login: author.login }));
  }
  return reasons;
}

/** A version that is not published yet may be in a pull request, which is judged by the waiver. */
async function contentProblem(
  { reader, history, config }: Change,
  path: string,
  { version, file, sha256: digest }: Waiver,
): Promise<string | undefined> {
  const published = await history(path.slice(`${config.root}moderation/`.length, -'.json'.length));
  const found = await published.find(version);
  if (found !== undefined) {
    const bytes = (await reader.read(`${found.tree}:${file}`))?.bytes;
    if (bytes === undefined) return `version ${version} has no such file`;
    return sha256Hex(bytes) === digest ? undefined : `version ${version} has another content there`;
  }
  const line = version.split('.')[0];
  const newest = await published.highest((one) => one.split('.')[0] === line);
  if (newest === undefined || compareVersions(version, newest.version) > 0) return undefined;
  return `version ${version} was never published, and cannot be any more`;
}

/**
 * New tree entries with modes that git never writes. Merging keeps the trees of the head unchanged, so the rule covers every
 * folder that changes, not only builds. Those that the base branch has already are ignored: they must not block other pull
 * requests.
 */
export async function checkTreeModes({ reader, trees }: Change): Promise<Reason[]> {
  const reasons: Reason[] = [];
  for (const { path, oldOid, oid } of trees) {
    const odd = await oddEntries(reader, oid);
    if (odd.length === 0) continue;
    const before = oldOid === undefined ? [] : await oddEntries(reader, oldOid);
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

async function oddEntries(reader: ObjectReader, tree: string): Promise<TreeEntry[]> {
  const { bytes = Buffer.alloc(0) } = (await reader.read(tree)) ?? {};
  const entries = [...treeEntries(bytes, tree.length / 2)];
  return entries.filter(({ mode }) => entryTypeOf(mode) === 'other');
}

function keyOf({ mode, name, oid }: TreeEntry): string {
  return `${mode} ${oid} ${name.toString('latin1')}`;
}
