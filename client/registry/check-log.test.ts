import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LockedBuild, LockedLog } from '../../format/project/lock.ts';
import { formatNoteKey, noteSigner } from '../../format/log/note-key.ts';
import { formatNote, signNote } from '../../format/log/note.ts';
import { encodeBase64 } from '../../format/log/base64.ts';
import { formatCheckpoint } from '../../format/log/checkpoint.ts';
import { formatLogEntry } from '../../format/log/entry.ts';
import { inclusionProof } from '../../format/log/proof.ts';
import { leafHash } from '../../format/log/hash.ts';
import { definedRoot, madeLeaves, subtreesOf } from '../../tests/log-vectors/made-tree.ts';
import { lockedLogProblem, requireWitnesses } from './check-log.ts';
import { cosign } from '../../format/log/cosignature.ts';

const SIGNER = noteSigner('r/log', 'note', new Uint8Array(32).fill(1));
const OTHER = formatNoteKey(noteSigner('r/log', 'note', new Uint8Array(32).fill(2)));
const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const INTEGRITY = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';
const PLACE = { commit: COMMIT, tree: COMMIT, published_at: '2026-01-01T00:00:00.000Z' };

/** A locked build whose version is entry `index` of a log with `size` entries. */
function locked(index: number, size: number): LockedBuild & { log: LockedLog } {
  const entry = {
    type: 'publish',
    id: 'a/x',
    version: '1.0.0',
    integrity: INTEGRITY,
    ...PLACE,
  } as const;
  const leaves = madeLeaves(size).with(index, leafHash(formatLogEntry(entry)));
  const text = formatCheckpoint({ origin: 'r/log', size, root: definedRoot(leaves) });
  const log = {
    ...PLACE,
    index,
    key: formatNoteKey(SIGNER),
    checkpoint: formatNote({ text, signatures: [signNote(text, SIGNER)] }),
    proof: inclusionProof(index, size, subtreesOf(leaves)).map(encodeBase64),
  };
  return { version: '1.0.0', integrity: INTEGRITY, log } as unknown as LockedBuild & {
    log: LockedLog;
  };
}

const place = fc.integer({ min: 1, max: 300 }).chain((size) => {
  return fc.tuple(fc.integer({ min: 0, max: size - 1 }), fc.constant(size));
});

describe('lockedLogProblem()', () => {
  test('finds none in what the log proves, with the known key or the kept one', () => {
    fc.assert(
      fc.property(place, ([index, size]) => {
        const build = locked(index, size);
        expect(lockedLogProblem('a/x', build, undefined)).toBeUndefined();
        expect(lockedLogProblem('a/x', build, formatNoteKey(SIGNER))).toBeUndefined();
      }),
    );
  });

  test('finds none in a build without a proof', () => {
    const { log: _, ...build } = locked(0, 1);
    expect(lockedLogProblem('a/x', build, OTHER)).toBeUndefined();
  });

  const BUILD = locked(3, 9);
  const withLog = (change: Partial<LockedLog>): LockedBuild => ({
    ...BUILD,
    log: { ...BUILD.log, ...change },
  });
  test.each<[string, LockedBuild, RegExp]>([
    ['another version', { ...BUILD, version: '1.0.1' }, /does not have "a\/x" 1\.0\.1/],
    ['another digest', { ...BUILD, integrity: INTEGRITY.replace('47', '48') }, /does not have/],
    ['another index', withLog({ index: 2 }), /does not have/],
    ['an index beyond the log', withLog({ index: 9 }), /does not have/],
    ['another time', withLog({ published_at: '2026-01-01T00:00:00.001Z' }), /does not have/],
    ['a proof less', withLog({ proof: BUILD.log.proof.slice(1) }), /does not have/],
    [
      'a proof that is no base64',
      withLog({ proof: ['?', ...BUILD.log.proof.slice(1)] }),
      /does not have/,
    ],
    ['another key', withLog({ key: OTHER }), /is not signed by/],
    ['no key', withLog({ key: 'x' }), /its key "x" is none/],
    ['no note', withLog({ checkpoint: 'x' }), /Cannot read the signed note/],
    [
      'another root',
      withLog({ checkpoint: BUILD.log.checkpoint.replace('\n9\n', '\n8\n') }),
      /The signature of "r\/log"/,
    ],
  ])('finds %s', (_, build, problem) => {
    expect(lockedLogProblem('a/x', build, undefined)).toMatch(problem);
  });

  test('finds a key that is not the known one', () => {
    expect(lockedLogProblem('a/x', BUILD, OTHER)).toMatch(/is not signed by/);
  });
});

const witness = (n: number) => noteSigner(`w${n}`, 'cosignature', new Uint8Array(32).fill(n));
const keys = [2, 3, 4].map((n) => formatNoteKey(witness(n)));
const TEXT = formatCheckpoint({ origin: 'r/log', size: 1, root: new Uint8Array(32) });

/** The checkpoint, confirmed by these witnesses. */
function note(...by: readonly number[]): string {
  const cosignatures = by.map((n) => cosign(TEXT, witness(n), 1_768_000_000));
  return formatNote({ text: TEXT, signatures: [signNote(TEXT, SIGNER), ...cosignatures] });
}

describe('requireWitnesses()', () => {
  test('accepts what enough witnesses confirmed', () => {
    expect(() => requireWitnesses(note(), undefined)).not.toThrow();
    expect(() => requireWitnesses(note(2), { count: 1, keys })).not.toThrow();
    expect(() => requireWitnesses(note(2, 4), { count: 2, keys })).not.toThrow();
  });

  test.each([
    [note(2), { count: 2, keys }, /of its 3 witnesses 1 confirmed .*, and 2 must/],
    [note(5, 6), { count: 1, keys }, /0 confirmed/],
    [note(2), { count: 2, keys: [keys[0]!, keys[0]!] }, /1 confirmed/],
  ])('refuses too few, and counts a key once', (text, witnesses, problem) => {
    expect(() => requireWitnesses(text, witnesses)).toThrow(problem);
  });
});
