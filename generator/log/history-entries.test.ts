import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test, onTestFinished } from 'vitest';
import { parseLogEntry, type LogEntry } from '../../format/log/entry.ts';
import type { OwnerFile } from '../../format/registry/owner-file.ts';
import { entriesOf, LogQueue, type KnownBefore } from './history-entries.ts';
import { integrityOf } from '../../format/archive/integrity.ts';
import { State } from '../state/state.ts';

type LogEvent = Parameters<LogQueue['add']>[0];

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const DIGEST = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';
const TIME = '2026-01-01T00:00:00.000Z';
const NOTHING: KnownBefore = {
  ownerFile: () => ({}),
  hasVersion: () => false,
  hasBuild: () => false,
};

const place = (seq: number): { seq: number; commit: string; time: string } => ({
  seq,
  commit: COMMIT,
  time: TIME,
});

function published(seq: number, id: string, version: string): LogEvent {
  return { kind: 'publication', ...place(seq), id, version, tree: COMMIT, integrity: DIGEST };
}

function changed(seq: number, before: OwnerFile, after: OwnerFile): LogEvent {
  return { kind: 'owner', ...place(seq), owner: 'a', before, after };
}

/** Each entry in a few words. */
function words(entries: readonly LogEntry[]): string[] {
  return entries.map((entry) => {
    if ('id' in entry && 'version' in entry) return `${entry.type} ${entry.id}@${entry.version}`;
    return 'id' in entry ? `${entry.type} ${entry.id}` : entry.type;
  });
}

const yanks = (...versions: string[]): OwnerFile => ({
  yanked: { x: Object.fromEntries(versions.map((v) => [v, 'broken'])) },
});

describe('entriesOf()', () => {
  test('lists publications in the order of the main line', () => {
    const events = [published(2, 'a/y', '1.0.0'), published(1, 'a/x', '1.0.0')];
    const [first, second] = entriesOf(events, NOTHING);
    expect(first).toEqual({
      type: 'publish',
      id: 'a/x',
      version: '1.0.0',
      tree: COMMIT,
      integrity: DIGEST,
      commit: COMMIT,
      published_at: TIME,
    });
    expect(words([second!])).toEqual(['publish a/y@1.0.0']);
  });

  test('lists yanks and their end', () => {
    const events = [
      published(1, 'a/x', '1.0.0'),
      changed(2, {}, yanks('1.0.0')),
      changed(3, yanks('1.0.0'), {}),
    ];
    expect(words(entriesOf(events, NOTHING)).slice(1)).toEqual([
      'yank a/x@1.0.0',
      'unyank a/x@1.0.0',
    ]);
  });

  test('lists a yank of a later version after its publication', () => {
    const events = [
      changed(1, {}, yanks('1.0.0', '2.0.0')),
      published(2, 'a/x', '1.0.0'),
      changed(3, yanks('1.0.0', '2.0.0'), yanks('1.0.0')),
    ];
    expect(words(entriesOf(events, NOTHING))).toEqual(['publish a/x@1.0.0', 'yank a/x@1.0.0']);
  });

  test('lists a yank of what an earlier run published', () => {
    const known = { ...NOTHING, hasVersion: (id: string) => id === 'a/x' };
    expect(words(entriesOf([changed(1, {}, yanks('1.0.0'))], known))).toEqual(['yank a/x@1.0.0']);
  });

  test('yanks what the owner file of an earlier run names', () => {
    const known = { ...NOTHING, ownerFile: () => yanks('1.0.0') };
    expect(words(entriesOf([published(1, 'a/x', '1.0.0')], known))).toEqual([
      'publish a/x@1.0.0',
      'yank a/x@1.0.0',
    ]);
  });

  test('lists permissions and deprecations with the digest of what holds from then on', () => {
    const events = [
      changed(1, {}, { account_id: 7, deprecated: { x: { reason: 'old' } } }),
      published(2, 'a/x', '1.0.0'),
      published(3, 'a/x', '1.1.0'),
      changed(4, { account_id: 7, deprecated: { x: { reason: 'old' } } }, { account_id: 7 }),
    ];
    const entries = entriesOf(events, NOTHING);
    expect(words(entries)).toEqual([
      'owner a',
      'publish a/x@1.0.0',
      'deprecate a/x',
      'publish a/x@1.1.0',
      'deprecate a/x',
    ]);
    expect(entries[0]).toMatchObject({
      // SHA-256 of `{"account_id":7}` and a newline.
      integrity: 'sha256-HUDn2uTLZhRWQYHzF+1j4DAyTvGllre8/pLtlQdLWQg=',
    });
    expect(entries[4]).toMatchObject({
      // SHA-256 of `null` and a newline.
      integrity: 'sha256-OOC53oF/ZFxL7DfA1KPli67MywQPVxjcBppyxzhaC+0=',
    });
  });

  test('lists a new key', () => {
    const event: LogEvent = { kind: 'key', ...place(1), name: 'r/log', key: 'r/log+1+2' };
    expect(entriesOf([event], NOTHING)).toEqual([
      { type: 'key', id: 'r/log', key: 'r/log+1+2', commit: COMMIT, published_at: TIME },
    ]);
  });

  test('a reason alone that changes adds nothing', () => {
    const other: OwnerFile = { yanked: { x: { '1.0.0': 'very broken' } } };
    const events = [published(1, 'a/x', '1.0.0'), changed(2, {}, yanks('1.0.0'))];
    const more = [...events, changed(3, yanks('1.0.0'), other)];
    expect(entriesOf(more, NOTHING)).toEqual(entriesOf(events, NOTHING));
  });

  test('divided among any number of runs, the entries are the same', () => {
    const step = fc.oneof(
      fc.constantFrom('1.0.0', '1.1.0', '2.0.0').map((version) => ({ version })),
      fc.subarray(['1.0.0', '1.1.0', '2.0.0']).map((yanked) => ({ yanked })),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), fc.nat(12), (steps, cut) => {
        const events = eventsOf(steps);
        const [early, late] = [
          events.filter((e) => e.seq <= cut),
          events.filter((e) => e.seq > cut),
        ];
        const first = entriesOf(early, NOTHING);
        const isKnown = (id: string, version?: string): boolean =>
          first.some(
            (e) => e.type === 'publish' && e.id === id && (version ?? e.version) === e.version,
          );
        const lastFile = early.findLast((e) => e.kind === 'owner')?.after ?? {};
        const known = { hasVersion: isKnown, hasBuild: isKnown, ownerFile: () => lastFile };
        expect([...first, ...entriesOf(late, known)]).toEqual(entriesOf(events, NOTHING));
      }),
    );
  });
});

function eventsOf(steps: readonly ({ version: string } | { yanked: string[] })[]): LogEvent[] {
  const seen = new Set<string>();
  let file: OwnerFile = {};
  return steps.flatMap((step, at): LogEvent[] => {
    if ('version' in step) {
      if (seen.has(step.version)) return [];
      seen.add(step.version);
      return [published(at, 'a/x', step.version)];
    }
    const before = file;
    file = yanks(...step.yanked);
    return [changed(at, before, file)];
  });
}

const LOG_QUEUE_DIGEST = integrityOf(new Uint8Array());
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
        integrity: LOG_QUEUE_DIGEST,
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
