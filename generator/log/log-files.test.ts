import { describe, expect, test } from 'vitest';
import { EMPTY_ROOT } from '../../format/log/hash.ts';
import { formatNoteSigner, noteSigner } from '../../format/log/note-key.ts';
import { formatSignature, parseNote, signersOf } from '../../format/log/note.ts';
import { cosign, cosignaturesOf } from '../../format/log/cosignature.ts';
import { signedCheckpoint, signersFrom } from './log-files.ts';

const [LOG, NEW] = [1, 2].map((fill) => noteSigner('r/log', 'note', new Uint8Array(32).fill(fill)));
const WITNESS = noteSigner('w', 'cosignature', new Uint8Array(32).fill(3));
const CHECKPOINT = { origin: 'r/log', size: 0, root: EMPTY_ROOT };
const read = (text: string): ReturnType<typeof parseNote> =>
  parseNote(new TextEncoder().encode(text));

describe('signedCheckpoint()', () => {
  test('has the signature of each key', () => {
    const note = read(signedCheckpoint(CHECKPOINT, [NEW!, LOG!], []));
    expect(signersOf(note, [LOG!, NEW!])).toEqual([LOG, NEW]);
  });

  test('without a key has none', () => {
    expect(signedCheckpoint(CHECKPOINT, [], [])).toMatch(/^r\/log\n0\n.*\n\n$/);
  });

  test('keeps the cosignatures of the same state, once', () => {
    const signed = signedCheckpoint(CHECKPOINT, [LOG!], []);
    const text = read(signed).text;
    const published = signed + formatSignature(cosign(text, WITNESS, 5));
    expect(signedCheckpoint(CHECKPOINT, [LOG!], [published, signed, published])).toBe(published);
    const later = signed + formatSignature(cosign(text, WITNESS, 6));
    const both = read(signedCheckpoint(CHECKPOINT, [LOG!], [published, later]));
    expect(cosignaturesOf(both, [WITNESS])).toEqual([{ key: WITNESS, time: 6 }]);
    const grown = { ...CHECKPOINT, size: 1 };
    expect(read(signedCheckpoint(grown, [LOG!], [published])).signatures).toHaveLength(1);
  });
});

describe('signersFrom()', () => {
  test('reads a key from each line', () => {
    const text = `\n${formatNoteSigner(NEW!)}\r\n ${formatNoteSigner(LOG!)}\n`;
    expect(signersFrom(text)).toEqual([NEW, LOG]);
    expect(signersFrom(undefined)).toEqual([]);
    expect(signersFrom(' \n')).toEqual([]);
  });

  test('refuses what is not a key, and does not print it', () => {
    const wrong = formatNoteSigner(LOG!).slice(0, -2);
    expect(() => signersFrom(wrong)).toThrow(expect.objectContaining({ code: 'ERR_LOG_KEY' }));
    expect(() => signersFrom(wrong)).not.toThrow(wrong.slice(-20));
  });
});
