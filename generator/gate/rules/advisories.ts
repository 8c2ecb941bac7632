/**
 * Advisories: those who may change a build may file advisories about it and add to them, as may an admin. Only its filer reduces one without
 * an admin. A new one has the next free id of the registry; an admin may import that of another database. None is ever deleted, and each
 * change is later than the last one. The content is hostile.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  ADVISORIES_FOLDER,
  Advisory,
  MAX_ADVISORY_BYTES,
  advisoryId,
  advisoryNumber,
  buildsOf,
  isAdvisoryId,
  isLater,
  tryParseTime,
} from '../../../format/advisory/advisory.ts';
import { affecting } from '../../../format/advisory/package-advisories.ts';
import { shownTextProblem } from '../../../format/document/shown-text.ts';
import { isAccountOf, type Person } from '../../../format/registry/account.ts';
import type { Reason } from '../gate-verdict.ts';
import type { Change } from './rule.ts';
import { ownerFileAt } from '../registry.ts';
import { isGone, type ChangedEntry } from '../changes.ts';
import { entryAt, gateGitText } from '../git.ts';
import { readDocument } from '../../git/read-document.ts';
import { authorityOver, type Authority } from '../owners.ts';
import { reason } from '../reasons.ts';

const MAX_ADVISORIES = 50;
/** Clocks of publishers may be ahead. */
const MAX_AHEAD_MS = 10 * 60_000;

export async function checkAdvisories(change: Change): Promise<Reason[]> {
  const entries = change.advisories;
  if (entries.length > MAX_ADVISORIES) {
    return [reason('gate-advisory-count', '', { limit: MAX_ADVISORIES })];
  }
  const reasons: Reason[] = [];
  for (const entry of entries) reasons.push(...(await checkEntry(change, entry)));
  const unusable = reasons.filter(({ code }) => code === 'gate-advisory').map(({ file }) => file);
  const usable = entries.filter(({ path }) => !unusable.includes(path));
  return [...reasons, ...(await checkIds(change, usable))];
}

/**
 * New ids. They follow the highest number on the base branch, so two pull requests cannot get the same one: what is merged is judged on
 * the newest commit, and the reason of the later one names its number.
 */
async function checkIds(
  { repository, config, author, now }: Change,
  entries: readonly ChangedEntry[],
): Promise<Reason[]> {
  const { advisory_prefix: prefix, admins } = config;
  const year = new Date(now).getUTCFullYear();
  const folder = `${config.root}${ADVISORIES_FOLDER}/`;
  const idOf = (path: string): string => path.slice(folder.length).replace(/\.json$/, '');
  const list = ['ls-tree', '-z', '--name-only', '--full-tree', repository.head, '--', folder];
  const known = new Set((await gateGitText(repository.folder, list)).split('\0').map(idOf));
  let last = Math.max(0, ...[...known].map((id) => advisoryNumber(id, prefix, year) ?? 0));
  const fresh = entries.filter((entry) => {
    const id = idOf(entry.path);
    return !isGone(entry) && isAdvisoryId(id) && !known.has(id);
  });
  const reasons: Reason[] = [];
  for (const { path } of fresh.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const id = idOf(path);
    const wanted = advisoryId(prefix, year, last + 1);
    if (id === wanted) {
      last += 1;
      continue;
    }
    const isImport = !id.startsWith(`x_${prefix}-`);
    const isAdmin = admins.some((admin) => isAccountOf(admin, author));
    const code = isImport && isAdmin ? 'gate-advisory-import' : 'gate-advisory-id';
    reasons.push(reason(code, path, { id, wanted }));
  }
  return reasons;
}

async function checkEntry(change: Change, entry: ChangedEntry): Promise<Reason[]> {
  const { path } = entry;
  const before = await readAt(change, path);
  if (isGone(entry)) return [reason('gate-advisory-deleted', path)];
  const [folder, file = '', ...below] = path.slice(change.config.root.length).split('/');
  const after =
    entry.isUtf8 && entry.mode === '100644' && folder === ADVISORIES_FOLDER && below.length === 0
      ? await readDocument(change.reader, Advisory, entry.oid, MAX_ADVISORY_BYTES)
      : new Error('it must be a plain file advisories/<id>.json');
  if (after instanceof Error) return [reason('gate-advisory', path, { problem: after.message })];
  if (file !== `${after.id}.json`) {
    const problem = `field "id" is "${after.id}", and the file must have that name`;
    return [reason('gate-advisory', path, { problem })];
  }
  const own = after.aliases?.find((alias) =>
    alias.startsWith(`x_${change.config.advisory_prefix}-`),
  );
  if (own !== undefined) {
    const problem = `field "aliases" has "${own}", an id of this registry: aliases are ids in other databases, and "related" names others here`;
    return [reason('gate-advisory', path, { problem })];
  }
  return [
    ...(await checkAuthority(change, path, before, after)),
    ...checkTimes(path, before, after, change.now),
    ...checkTexts(path, after),
    ...(await checkBuilds(change, path, after)),
  ];
}

/** Who corrects an advisory must be allowed to for the builds that it was about as well. */
async function checkAuthority(
  change: Change,
  path: string,
  before: Advisory | undefined,
  after: Advisory,
): Promise<Reason[]> {
  const { author, config, repository } = change;
  const builds = [...(before === undefined ? [] : buildsOf(before)), ...buildsOf(after)];
  const owners = [...new Set(builds.map((id) => id.split('/')[0] ?? ''))].sort();
  const authorities: Authority[] = [];
  for (const owner of owners) {
    const read = await ownerFileAt(change, repository.head, owner);
    const file = read instanceof Error ? undefined : read;
    authorities.push(authorityOver(owner, author, file, undefined, true, config));
  }
  const reasons = authorities.flatMap((one) => one.reasons);
  if (authorities.some(({ role }) => role === 'nobody')) return reasons;
  const isOwner = authorities.every(({ role }) => role === 'owner');
  return [...reasons, ...checkFiler(path, author, isOwner, before, after)];
}

/** An advisory without a filer belongs to the owner of its builds. */
function checkFiler(
  path: string,
  { login, id }: Person,
  isOwner: boolean,
  before: Advisory | undefined,
  after: Advisory,
): Reason[] {
  const own = { login, account_id: id };
  const known = before?.database_specific?.filer;
  const filer = after.database_specific?.filer;
  const wanted = before === undefined && (filer !== undefined || !isOwner) ? own : known;
  if (!isDeepStrictEqual(filer, wanted)) {
    const text = wanted === undefined ? 'absent' : JSON.stringify(wanted);
    return [reason('gate-advisory-filer', path, { wanted: text })];
  }
  const isFiler = known === undefined ? isOwner : known.account_id === id;
  if (before === undefined || isFiler || !isReduced(before, after)) return [];
  const whose = known === undefined ? 'the owner of its builds' : `"${known.login}"`;
  return [reason('gate-advisory-reduced', path, { id: after.id, login, whose })];
}

/** To these anybody may add who may change the builds. */
const GROWING = ['affected', 'aliases', 'related', 'references'] as const;
const FREE = { affected: 0, aliases: 0, related: 0, references: 0, modified: 0, withdrawn: 0 };

/** Whether an advisory says less than before, or says it in other words. To undo a withdrawal is neither. */
export function isReduced(before: Advisory, after: Advisory): boolean {
  const isGone = GROWING.some((field) => {
    const present: readonly unknown[] = after[field] ?? [];
    return before[field]?.some((one) => !present.some((each) => isDeepStrictEqual(one, each)));
  });
  const isWithdrawn = after.withdrawn !== undefined && after.withdrawn !== before.withdrawn;
  return isGone || isWithdrawn || !isDeepStrictEqual({ ...before, ...FREE }, { ...after, ...FREE });
}

function checkTimes(
  path: string,
  before: Advisory | undefined,
  after: Advisory,
  now: string,
): Reason[] {
  const { id, modified } = after;
  const reasons: Reason[] = [];
  if ((tryParseTime(modified) ?? 0) > (tryParseTime(now) ?? 0) + MAX_AHEAD_MS) {
    const problem = 'that is in the future';
    reasons.push(reason('gate-advisory-modified', path, { modified, problem }));
  }
  if (before === undefined) return reasons;
  if (!isLater(modified, before.modified)) {
    const problem = `it must be later than ${before.modified}, that of the base branch`;
    reasons.push(reason('gate-advisory-modified', path, { modified, problem }));
  }
  if (before.published !== undefined && before.published !== after.published) {
    reasons.push(reason('gate-advisory-published', path, { published: before.published }));
  }
  if (before.withdrawn !== undefined && after.withdrawn === undefined) {
    reasons.push(reason('gate-advisory-restored', path, { id }));
  }
  return reasons;
}

function checkTexts(path: string, advisory: Advisory): Reason[] {
  const { summary, details = '', credits = [], references = [] } = advisory;
  const names = credits.flatMap(({ name, contact = [] }) => [name, ...contact]);
  const texts = [
    { field: 'summary', problem: shownTextProblem(summary) },
    { field: 'details', problem: shownTextProblem(details, true) },
    ...names.map((name) => ({ field: 'credits', problem: shownTextProblem(name) })),
    ...references.map(({ url }) => ({ field: 'references', problem: shownTextProblem(url) })),
  ];
  return texts.flatMap(({ field, problem }) =>
    problem === undefined ? [] : [reason('gate-advisory-text', path, { field, problem })],
  );
}

/** A range that no version is in protects nobody, and is most likely a mistake. */
async function checkBuilds(change: Change, path: string, advisory: Advisory): Promise<Reason[]> {
  const { withdrawn: _, ...standing } = advisory;
  const reasons: Reason[] = [];
  for (const id of buildsOf(advisory)) {
    const history = await change.history(id);
    const isAffected = (version: string): boolean => affecting(id, version, [standing]).length > 0;
    if ((await history.highest(isAffected)) !== undefined) continue;
    const isKnown = (await history.highest(() => true)) !== undefined;
    reasons.push(reason(isKnown ? 'gate-advisory-range' : 'gate-advisory-build', path, { id }));
  }
  return reasons;
}

/** The advisory on the base branch; `undefined` when there is none that can be read. */
async function readAt({ repository, reader }: Change, path: string): Promise<Advisory | undefined> {
  const entry = await entryAt(repository.folder, repository.head, path);
  if (entry === undefined) return undefined;
  const read = await readDocument(reader, Advisory, entry.oid, MAX_ADVISORY_BYTES);
  return read instanceof Error ? undefined : read;
}
