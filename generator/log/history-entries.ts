/**
 * The entries of the log that a stretch of history adds, in the order of the main line. Pure.
 *
 * A yank or a deprecation counts from the moment on at which there is something to yank: of a version that is
 * published later, it follows the publication. A withdrawal is a yank: readers know these. A take-down is a yank and a tombstone.
 */
import { integrityOf } from '../../format/archive/integrity.ts';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import {
  formatLogEntry,
  tombstoneEntry,
  type LogEntry,
  type Tombstone,
} from '../../format/log/entry.ts';
import type { OwnerFile } from '../../format/registry/owner-file.ts';
import { own } from '../../format/registry/moves.ts';
import { statusOf } from '../../format/registry/status.ts';
import type { State } from '../state/state.ts';

/** Where on the main line something happened. */
interface Place {
  /** Orders events; a commit may have several. */
  readonly seq: number;
  readonly commit: string;
  /** ISO 8601, UTC. */
  readonly time: string;
}

/** A version was published, an owner file changed, something was taken down, or the configuration named a key. */
type LogEvent = Place &
  (
    | {
        readonly kind: 'publication';
        readonly id: string;
        readonly version: string;
        readonly tree: string;
        readonly integrity: string;
      }
    | {
        readonly kind: 'owner';
        readonly owner: string;
        readonly before: OwnerFile;
        readonly after: OwnerFile;
      }
    | { readonly kind: 'key'; readonly name: string; readonly key: string }
    | { readonly kind: 'take-down'; readonly tombstone: Tombstone; readonly tree: string }
    | {
        readonly kind: 'refusal';
        readonly path: string;
        readonly object: string;
        readonly version: string | undefined;
        readonly codes: readonly string[];
      }
  );

/** What was known before the events. */
export interface KnownBefore {
  readonly ownerFile: (owner: string) => OwnerFile;
  readonly hasVersion: (id: string, version: string) => boolean;
  readonly hasBuild: (id: string) => boolean;
}

/** The entries of `events`, which may come in any order. `known` is read while nothing of them is recorded. */
export function entriesOf(events: readonly LogEvent[], known: KnownBefore): LogEntry[] {
  const history = new History(events, known);
  return events.toSorted((a, b) => a.seq - b.seq).flatMap((event) => history.add(event));
}

class History {
  readonly #known: KnownBefore;
  /** The owner files in force; of other owners, those from before the events. */
  readonly #files = new Map<string, OwnerFile>();
  readonly #published = new Set<string>();

  constructor(events: readonly LogEvent[], known: KnownBefore) {
    this.#known = known;
    for (const event of events.toSorted((a, b) => b.seq - a.seq)) {
      if (event.kind === 'owner') this.#files.set(event.owner, event.before);
    }
  }

  add(event: LogEvent): LogEntry[] {
    const place = { commit: event.commit, published_at: event.time };
    if (event.kind === 'key') return [{ type: 'key', id: event.name, key: event.key, ...place }];
    if (event.kind === 'owner') return this.#ownerEntries(event, place);
    if (event.kind === 'take-down') {
      return [tombstoneEntry(event.tombstone, { object: event.tree, ...place })];
    }
    if (event.kind === 'refusal') return [refusal(event, place)];
    const { id, version, tree, integrity } = event;
    const [owner = '', name = ''] = id.split('/');
    const file = this.#files.get(owner) ?? this.#known.ownerFile(owner);
    const isFirst = !this.#hasBuild(id);
    this.#published.add(id).add(`${id}@${version}`);
    const entries: LogEntry[] = [{ type: 'publish', id, version, tree, integrity, ...place }];
    if (isFirst && file.deprecated?.[name] !== undefined) {
      entries.push({ type: 'deprecate', id, integrity: deprecation(file, name), ...place });
    }
    if (isYanked(file, name, version)) entries.push({ type: 'yank', id, version, ...place });
    return entries;
  }

  #ownerEntries(
    { owner, before, after }: LogEvent & { kind: 'owner' },
    place: { commit: string; published_at: string },
  ): LogEntry[] {
    this.#files.set(owner, after);
    const entries: LogEntry[] = [];
    if (permissions(before) !== permissions(after)) {
      entries.push({ type: 'owner', id: owner, integrity: permissions(after), ...place });
    }
    for (const name of namesIn(before, after)) {
      const id = `${owner}/${name}`;
      if (this.#hasBuild(id) && deprecation(before, name) !== deprecation(after, name)) {
        entries.push({ type: 'deprecate', id, integrity: deprecation(after, name), ...place });
      }
      for (const version of yankedIn(before, after, name)) {
        const [was, is] = [isYanked(before, name, version), isYanked(after, name, version)];
        if (was === is || !this.#hasVersion(id, version)) continue;
        entries.push({ type: is ? 'yank' : 'unyank', id, version, ...place });
      }
    }
    return entries;
  }

  #hasBuild(id: string): boolean {
    return this.#published.has(id) || this.#known.hasBuild(id);
  }

  #hasVersion(id: string, version: string): boolean {
    return this.#published.has(`${id}@${version}`) || this.#known.hasVersion(id, version);
  }
}

function refusal(
  { path, object, version, codes }: LogEvent & { kind: 'refusal' },
  place: { commit: string; published_at: string },
): LogEntry {
  const named = version === undefined ? {} : { version };
  return { type: 'refuse', path, object, ...named, codes: [...codes], ...place };
}

function isYanked(file: OwnerFile, name: string, version: string): boolean {
  return statusOf(file, name, version).is !== 'open';
}

/** Names with a yank or a deprecation in either file, sorted. */
function namesIn(...files: readonly OwnerFile[]): string[] {
  const names = files.flatMap((f) =>
    [f.yanked, f.withdrawn, f.taken_down, f.deprecated].flatMap((o) => Object.keys(o ?? {})),
  );
  return [...new Set(names)].sort();
}

/** Versions of `name` that either file yanks or withdraws, sorted. */
function yankedIn(before: OwnerFile, after: OwnerFile, name: string): string[] {
  const versions = [before, after]
    .flatMap((one) => [one.yanked, one.withdrawn, one.taken_down])
    .flatMap((member) => Object.keys(own<object>(member, name) ?? {}));
  return [...new Set(versions)].sort();
}

function deprecation(file: OwnerFile, name: string): string {
  return digest(file.deprecated?.[name] ?? null);
}

function permissions({ account_id, maintainers }: OwnerFile): string {
  return digest({
    ...(account_id === undefined ? {} : { account_id }),
    ...(maintainers === undefined ? {} : { maintainers }),
  });
}

function digest(statement: unknown): string {
  return integrityOf(new TextEncoder().encode(canonicalJson(statement)));
}

/** How many events wait before a part of them is added. */
const PART = 1_000;

export class LogQueue {
  readonly #state: State;
  readonly #maps: ReadonlyMap<number, Uint8Array>;
  #events: LogEvent[] = [];

  /** @param maps entries of maps that were published, by their place: the log has them where they were */
  constructor(state: State, maps: ReadonlyMap<number, Uint8Array> = new Map()) {
    [this.#state, this.#maps] = [state, maps];
  }

  /**
   * Takes an event; events may come in any order.
   * @param isSettled whether no event with this place in history or an earlier one is still to come
   */
  add(event: LogEvent, isSettled: (seq: number) => boolean): void {
    this.#events.push(event);
    if (this.#events.length % PART === 0) this.#append(isSettled);
  }

  /** Adds all that wait: nothing is still to come. */
  finish(): void {
    this.#append(() => true);
    this.#appendMaps();
  }

  /** Appends the maps that come next in the published log. @returns the size of the log */
  #appendMaps(): number {
    const { log } = this.#state;
    let size = log.size();
    for (let map = this.#maps.get(size); map !== undefined; map = this.#maps.get(size)) {
      log.addMap(size, map);
      size += 1;
    }
    return size;
  }

  /** Appends the entries of the settled events and records which of them publishes which version. */
  #append(isSettled: (seq: number) => boolean): void {
    const settled = this.#events.filter(({ seq }) => isSettled(seq));
    this.#events = this.#events.filter(({ seq }) => !isSettled(seq));
    const { log } = this.#state;
    const entries = entriesOf(settled, {
      ownerFile: (owner) => this.#ownerFile(owner),
      hasVersion: (id, version) => log.has(id, version),
      hasBuild: (id) => log.has(id),
    });
    let index = log.size();
    for (const entry of entries) {
      if (this.#maps.has(index)) index = this.#appendMaps();
      log.addEntry(index, formatLogEntry(entry));
      if (entry.type === 'publish') log.setIndex(entry.id, entry.version, index);
      index += 1;
    }
  }

  /** The file in force before the events that wait: the state has the newest one. */
  #ownerFile(owner: string): OwnerFile {
    const waiting = this.#events.flatMap((event) =>
      event.kind === 'owner' && event.owner === owner ? [event] : [],
    );
    const [first] = waiting.sort((a, b) => a.seq - b.seq);
    return first?.before ?? this.#state.ownerFile(owner);
  }
}
