/** Adds what a run read from history to the log in the state. */
import { formatLogEntry } from '../../format/log/entry.ts';
import type { State } from '../state/state.ts';
import { entriesOf } from './history-entries.ts';
import type { LogEvent } from './history-entries.ts';

/** Appends the entries of `events` and records which of them publishes which version. */
export function addToLog(state: State, events: readonly LogEvent[]): void {
  const { log } = state;
  const entries = entriesOf(events, {
    ownerFile: (owner) => state.ownerFile(owner),
    hasVersion: (id, version) => log.has(id, version),
    hasBuild: (id) => log.has(id),
  });
  let index = log.size();
  for (const entry of entries) {
    log.addEntry(index, formatLogEntry(entry));
    if (entry.type === 'publish') log.setIndex(entry.id, entry.version, index);
    index += 1;
  }
}
