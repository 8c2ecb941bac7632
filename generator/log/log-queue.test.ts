import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { integrityOf } from '../../format/archive/integrity.ts';
import { parseLogEntry } from '../../format/log/entry.ts';
import type { OwnerFile } from '../../format/registry/owner-file.ts';
import { State } from '../state/state.ts';
import type { LogEvent } from './history-entries.ts';
import { entriesOf } from './history-entries.ts';
import { LogQueue } from './log-queue.ts';

const DIGEST = integrityOf(new Uint8Array());
const EVENTS = 2_300;

function openState(): State {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-test-'));
  const state = State.open(join(folder, 'state.sqlite'));
  onTestFinished(() => {
    state.close();
    rmSync(folder, { recursive: true });
  });
  return state;
}

/** Publications of two owners, and files of theirs that yank some versions, in the order of history. */
function history(seed: number): LogEvent[] {
  const files = new Map<string, OwnerFile>();
  return Array.from({ length: EVENTS }, (_, seq): LogEvent => {
    const owner = (seq * seed) % 3 === 0 ? 'alice' : 'bob';
    const place = {
      seq,
      commit: 'a'.repeat(40),
      time: new Date(seq * 60_000).toISOString(),
    };
    if ((seq * seed) % 7 !== 0) {
      const version = `1.${seq}.0`;
      const tree = 'b'.repeat(40);
      return {
        kind: 'publication',
        ...place,
        id: `${owner}/web`,
        version,
        tree,
        integrity: DIGEST,
      };
    }
    const before = files.get(owner) ?? {};
    const versions = [seq - 1, seq - 5, seq + 1].map((nth) => [`1.${nth}.0`, 'broken']);
    const after = { yanked: { web: Object.fromEntries(versions) as Record<string, string> } };
    files.set(owner, after);
    return { kind: 'owner', ...place, owner, before, after };
  });
}

test('a log that is added in parts has the entries of one that is added at once, whatever is late', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.nat(40), (seed, late) => {
      const state = openState();
      const queue = new LogQueue(state);
      const events = history(seed);
      const waiting: LogEvent[] = [];
      const take = (event: LogEvent): void => {
        if (event.kind === 'publication') {
          const { id, version, commit, tree, time: publishedAt, seq } = event;
          state.addVersion({
            id,
            version,
            commit,
            tree,
            publishedAt,
            risk: 'ok',
            seq,
            facts: '{}',
          });
        }
        queue.add(event, (seq) => waiting.every((one) => seq < one.seq) && seq < event.seq);
      };
      for (const event of events) {
        // As in a run: files of owners are taken at once, publications when they have been examined.
        if (event.kind === 'owner') {
          state.setOwnerFile(event.owner, event.after);
          take(event);
        } else waiting.push(event);
        if (waiting.length > late) {
          const [next] = waiting.splice((event.seq * seed) % waiting.length, 1);
          take(next!);
        }
      }
      for (const event of waiting.splice(0)) take(event);
      queue.finish();
      const added = state.log.entries(0, state.log.size()).map(parseLogEntry);
      const nothing = { ownerFile: () => ({}), hasVersion: () => false, hasBuild: () => false };
      expect(added).toEqual(entriesOf(events, nothing));
    }),
    { numRuns: 2 },
  );
});
