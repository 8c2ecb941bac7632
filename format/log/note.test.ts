import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_NOTE_BYTES, formatNote, parseNote, signNote, signersOf } from './note.ts';
import { noteSigner, parseNoteKey, parseNoteSigner } from './note-key.ts';

// The example of Go's package golang.org/x/mod/sumdb/note.
const PETER = parseNoteSigner(
  'PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz',
);
const TEXT =
  "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const LINE =
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
const NOTE = `${TEXT}\n${LINE}`;
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (text: string): ReturnType<typeof parseNote> => parseNote(bytesOf(text));

describe('the example of Go', () => {
  test('is signed by its key', () => {
    expect(signersOf(read(NOTE), [PETER])).toEqual([PETER]);
  });

  test('is what its key signs', () => {
    expect(formatNote({ text: TEXT, signatures: [signNote(TEXT, PETER)] })).toBe(NOTE);
  });

  test('with another text is refused', () => {
    const altered = read(NOTE.replace('cryptography', 'blockchain'));
    expect(() => signersOf(altered, [PETER])).toThrow(
      expect.objectContaining({ code: 'ERR_NOTE_SIGNATURE' }),
    );
  });
});

describe('the example of C2SP signed-note', () => {
  test('is read', () => {
    const { text, signatures } = read(
      'Ognuno sta solo sul cuor della terra\ntrafitto da un raggio di sole:\n\ned è subito sera.\n\n' +
        '— quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=\n',
    );
    expect(text).toMatch(/^Ognuno[^]*sole:\n\ned è subito sera\.\n$/);
    expect(signatures).toHaveLength(1);
    expect(signatures[0]).toMatchObject({ name: 'quasimodo.example/salvatore', id: 0x367ba04b });
    expect(signatures[0]!.bytes).toHaveLength(64);
  });
});

describe('signersOf()', () => {
  const eve = noteSigner('Eve', 'note', new Uint8Array(32).fill(7));
  const both = read(NOTE + formatNote({ text: 'x\n', signatures: [signNote(TEXT, eve)] }).slice(3));

  test('ignores signatures of unknown keys', () => {
    expect(signersOf(both, [])).toEqual([]);
    expect(signersOf(both, [PETER])).toEqual([PETER]);
    expect(signersOf(both, [eve, PETER])).toEqual([eve, PETER]);
  });

  test('ignores a key with the same name and another id', () => {
    const other = noteSigner('PeterNeumann', 'note', new Uint8Array(32).fill(9));
    expect(signersOf(both, [other])).toEqual([]);
  });

  test('refuses a note with one wrong signature of a known key among right ones', () => {
    const wrong = LINE.replace('AQxVBt', 'AQxVBs');
    expect(() => signersOf(read(NOTE + wrong), [PETER])).toThrow('The signature of "PeterNeumann"');
    expect(() => signersOf(read(`${TEXT}\n${wrong}${LINE}`), [PETER])).toThrow(
      'The signature of "PeterNeumann"',
    );
  });

  test('a public key alone is enough', () => {
    const key = parseNoteKey('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW');
    expect(signersOf(read(NOTE), [key])).toEqual([key]);
  });
});

describe('parseNote()', () => {
  test('and formatNote() are inverse', () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((l) => !/\p{Cc}/u.test(l));
    const text = fc
      .array(line, { minLength: 1, maxLength: 5 })
      .map((lines) => `${lines.join('\n')}\n`);
    fc.assert(
      fc.property(text, (signed) => {
        const note = { text: signed, signatures: [signNote(signed, PETER)] };
        expect(read(formatNote(note))).toEqual(note);
      }),
    );
  });

  test.each([
    ['nothing', ''],
    ['no signatures', TEXT],
    ['no signature lines', `${TEXT}\n`],
    ['no empty line', TEXT + LINE],
    ['no text', LINE],
    ['no newline at the end', NOTE.slice(0, -1)],
    ['a line that is no signature', `${NOTE}x\n`],
    ['an empty line at the end', `${NOTE}\n`],
    ['a hyphen for the dash', NOTE.replace('—', '-')],
    ['two spaces', NOTE.replace('— ', '—  ')],
    ['a space at the end of a line', NOTE.replace('AM=', 'AM= ')],
    ['a name with +', NOTE.replace('— PeterNeumann', '— Peter+Neumann')],
    ['a name with a space of Unicode', NOTE.replace('— PeterNeumann', '— Peter\u2003Neumann')],
    ['no name', NOTE.replace('— PeterNeumann ', '—  ')],
    ['base64 without padding', NOTE.replace('AM=', 'AM')],
    ['base64 with bits that are not used', NOTE.replace('AM=', 'AN=')],
    ['base64 for URLs', NOTE.replace('x08go/', 'x08go_')],
    ['a key id alone', `${TEXT}\n— PeterNeumann x08gow==\n`],
    ['a tab in the text', NOTE.replace(' ', '\t')],
    ['a carriage return', NOTE.replaceAll('\n', '\r\n')],
    ['a null character', NOTE.replace('y', '\u0000')],
    ['101 signatures', `${TEXT}\n${LINE.repeat(101)}`],
    ['more than a million bytes', `${'x'.repeat(MAX_NOTE_BYTES)}\n${NOTE}`],
  ])('refuses a note with %s', (_, text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'ERR_NOTE' }));
  });

  test('refuses what is not UTF-8', () => {
    const bytes = bytesOf(NOTE);
    bytes[3] = 0xff;
    expect(() => parseNote(bytes)).toThrow('it is not UTF-8');
  });

  test('accepts 100 signatures, and text after an empty line', () => {
    expect(read(`${TEXT}\n${LINE.repeat(100)}`).signatures).toHaveLength(100);
    expect(read(`a\n\n\nb\n\n${LINE}`).text).toBe('a\n\n\nb\n');
  });
});
