/** Adds what a run reads from history to the log in the state, in the order of the main line and in parts: a long history never waits in memory as a whole. */
import type { OwnerFile } from '../../format/registry/owner-file.ts';
import { formatLogEntry } from '../../format/log/entry.ts';
import type { State } from '../state/state.ts';
import { entriesOf } from './history-entries.ts';
import type { LogEvent } from './history-entries.ts';

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
