import { describe, expect, test } from 'vitest';
import { formatNoteKey, noteSigner } from '../../../format/log/note-key.ts';
import { formatNote, signNote } from '../../../format/log/note.ts';
import { cosign } from '../../../format/log/cosignature.ts';
import { formatCheckpoint } from '../../../format/log/checkpoint.ts';
import { requireWitnesses } from './tree-reader.ts';

const SIGNER = noteSigner('r/log', 'note', new Uint8Array(32).fill(1));
const witness = (n: number) => noteSigner(`w${n}`, 'cosignature', new Uint8Array(32).fill(n));
const keys = [2, 3, 4].map((n) => formatNoteKey(witness(n)));
const TEXT = formatCheckpoint({ origin: 'r/log', size: 1, root: new Uint8Array(32) });
const NOW = '2026-01-10T00:00:00.000Z';

/** The checkpoint, confirmed by some witnesses that many days ago. */
function note(days: Readonly<Record<number, number>>): string {
  const cosignatures = Object.entries(days).map(([n, ago]) => {
    return cosign(TEXT, witness(Number(n)), Date.parse(NOW) / 1000 - ago * 86_400);
  });
  return formatNote({ text: TEXT, signatures: [signNote(TEXT, SIGNER), ...cosignatures] });
}

function problem(text: string, count: number | undefined, days?: number): string {
  const witnesses = count === undefined ? undefined : { count, keys };
  const maxAge = days === undefined ? undefined : { ms: days * 86_400_000, text: `${days}d` };
  try {
    requireWitnesses(text, 'r', { witnesses, maxAge, now: NOW });
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('requireWitnesses()', () => {
  test('accepts what enough witnesses confirmed recently', () => {
    expect(problem(note({}), undefined)).toBe('');
    expect(problem(note({ 2: 9 }), 1)).toBe('');
    expect(problem(note({ 2: 1, 4: 2, 3: 30 }), 2, 2)).toBe('');
  });

  test('refuses too few', () => {
    expect(problem(note({ 2: 0 }), 2)).toMatch(/of its 3 witnesses 1 confirmed .*, and 2 must/);
    expect(problem(note({ 5: 0, 6: 0 }), 1)).toMatch(/0 confirmed/);
  });

  test('counts the age by as many witnesses as are demanded', () => {
    expect(problem(note({ 2: 0, 3: 3 }), 2, 2)).toMatch(/last at 2026-01-07T00:00:00\.000Z/);
  });

  test('refuses an age where nobody states a time', () => {
    expect(problem(note({}), undefined, 2)).toMatch(/no witness of "r" is named/);
  });

  test('does not count a key that is listed twice', () => {
    const witnesses = { count: 2, keys: [keys[0]!, keys[0]!] };
    const demand = { witnesses, maxAge: undefined, now: NOW };
    expect(() => requireWitnesses(note({ 2: 0 }), 'r', demand)).toThrow(/1 confirmed/);
  });
});
