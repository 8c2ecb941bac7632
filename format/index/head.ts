/**
 * The versions of a head in few bytes: rows in order of publication, what they need written once, and groups of
 * versions about which the same is known now. Pure, and without a parser, so that pages load it alone.
 *
 *     ["1.0.0", "47DEQpj8…uFU", "Yx8fjd3k…0aE", 1790000000, 0]
 *
 * Version, SHA-256 of the tarball and of the version's document in base64 without padding, seconds since 1970 of the
 * publication, and the place of its needs.
 */
import { canonicalJson } from '../document/canonical-json.ts';
import { OPEN, type Status } from '../registry/status.ts';
import type { HeadVersion, VersionNeeds, VersionState } from './record.ts';

type HeadRow = [
  version: string,
  integrity: string,
  document: string,
  published: number,
  needs: number,
];

export interface HeadRows {
  readonly needs: readonly VersionNeeds[];
  readonly versions: readonly HeadRow[];
}

/** What is known of some versions. */
export interface SharedState extends VersionState {
  versions: string[];
}

/** The rows of versions, in their order. @throws {RangeError} for a version without a document */
export function rowsOf(listed: readonly HeadVersion[]): HeadRows {
  const places = new Map<string, number>();
  const needs: VersionNeeds[] = [];
  const versions = listed.map((one): HeadRow => {
    const { version, integrity, document, requires, provides, builds, builds_order } = one;
    if (document === undefined) throw new RangeError(`Version ${version} has no document`);
    const order = builds_order === undefined ? {} : { builds_order };
    const own = { requires, provides, builds, ...order };
    const key = canonicalJson(own);
    const place = places.get(key) ?? needs.push(own) - 1;
    places.set(key, place);
    return [version, digestOf(integrity), digestOf(document), secondsOf(one), place];
  });
  return { needs, versions };
}

/** What is known of versions now, in the order of the first version of each group. */
export function statesOf(listed: readonly HeadVersion[]): SharedState[] {
  const groups = new Map<string, SharedState>();
  for (const one of listed) {
    const { version, risk, status, advisories, packages, measured, findings } = one;
    const state: VersionState = {
      ...(risk === 'ok' ? {} : { risk }),
      ...writtenStatus(status),
      ...(advisories === undefined ? {} : { advisories }),
      ...(packages === undefined ? {} : { packages }),
      ...(measured === undefined ? {} : { measured }),
      ...(findings === undefined ? {} : { findings }),
    };
    if (Object.keys(state).length === 0) continue;
    const key = JSON.stringify(state);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { versions: [version], ...state });
    else group.versions.push(version);
  }
  return [...groups.values()];
}

/** The versions of rows in their order, as `rowsOf` and `statesOf` wrote them. */
export function versionsOf(
  parts: readonly HeadRows[],
  states: readonly SharedState[],
): HeadVersion[] {
  const known = new Map<string, VersionState>();
  for (const { versions, ...state } of states) {
    for (const version of versions) known.set(version, state);
  }
  return parts.flatMap(({ needs, versions }) =>
    versions.map(([version, integrity, document, published, place]) => {
      const { yanked, withdrawn, taken_down, ...own } = known.get(version) ?? {};
      const { risk = 'ok', ...state } = own;
      return {
        version,
        // oxlint-disable-next-line no-restricted-globals -- reads no clock
        published_at: new Date(published * 1000).toISOString(),
        integrity: `sha256-${integrity}=`,
        document: `sha256-${document}=`,
        ...needs[place]!,
        risk,
        status: readStatus({ yanked, withdrawn, taken_down }),
        ...state,
      };
    }),
  );
}

type WrittenStatus = Pick<VersionState, 'yanked' | 'withdrawn' | 'taken_down'>;

function writtenStatus(status: Status): WrittenStatus {
  if (status.is === 'open') return {};
  const { reason: yanked } = status;
  if (status.is === 'yanked') return { yanked };
  if (status.is !== 'taken down') return { yanked, withdrawn: true };
  const { date, reference } = status;
  return { yanked, withdrawn: true, taken_down: { date, reference } };
}

function readStatus({ yanked, withdrawn, taken_down }: WrittenStatus): Status {
  const reason = yanked ?? '';
  if (taken_down !== undefined) return { is: 'taken down', reason, ...taken_down };
  if (withdrawn === true) return { is: 'withdrawn', reason };
  return yanked === undefined ? OPEN : { is: 'yanked', reason };
}

function digestOf(integrity: string): string {
  return integrity.slice('sha256-'.length, -1);
}

/** The seconds since 1970: publications have the time of a commit. */
export function secondsOf({ published_at }: Pick<HeadVersion, 'published_at'>): number {
  // oxlint-disable-next-line no-restricted-globals -- reads no clock
  return Math.floor(Date.parse(published_at) / 1000);
}
