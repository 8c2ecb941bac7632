import { describe, expect, test } from 'vitest';
import { formatNoteKey, noteSigner } from '../../format/log/note-key.ts';
import { formatNote, signNote } from '../../format/log/note.ts';
import { cosign } from '../../format/log/cosignature.ts';
import { formatCheckpoint } from '../../format/log/checkpoint.ts';
import { requireWitnesses } from './check-log.ts';

const SIGNER = noteSigner('r/log', 'note', new Uint8Array(32).fill(1));
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
