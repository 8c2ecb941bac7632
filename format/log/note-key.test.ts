import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatNoteKey,
  formatNoteSigner,
  isKeyName,
  noteSigner,
  parseNoteKey,
  parseNoteSigner,
} from './note-key.ts';
import {
  MAX_NOTE_BYTES,
  formatNote,
  parseNote,
  signNote,
  signersOf,
  type NoteSignature,
} from './note.ts';
import { cosign, cosignaturesOf } from './cosignature.ts';
import { decodeBase64, encodeBase64 } from './base64.ts';

// The example of Go's package golang.org/x/mod/sumdb/note.
const PUBLIC = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const PRIVATE = 'PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz';

const name = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 40 })
  .filter((text) => isKeyName(text));
const seed = fc.uint8Array({ minLength: 32, maxLength: 32 });
const kind = fc.constantFrom('note', 'cosignature');

describe('text forms of keys', () => {
  test('the keys of the example in Go belong together', () => {
    const signer = parseNoteSigner(PRIVATE);
    expect(signer.name).toBe('PeterNeumann');
    expect(formatNoteKey(signer)).toBe(PUBLIC);
    expect(formatNoteSigner(signer)).toBe(PRIVATE);
    expect(formatNoteKey(parseNoteKey(PUBLIC))).toBe(PUBLIC);
  });

  test('parse and format are inverse', () => {
    fc.assert(
      fc.property(name, kind, seed, (text, kindOfKey, bytes) => {
        const signer = noteSigner(text, kindOfKey, bytes);
        expect(parseNoteSigner(formatNoteSigner(signer))).toEqual(signer);
        const { seed: _, ...key } = signer;
        expect(parseNoteKey(formatNoteKey(signer))).toEqual(key);
      }),
    );
  });

  test.each([
    ['', 'form'],
    ['PeterNeumann', 'form'],
    ['PeterNeumann+c74f20a3', 'form'],
    [PUBLIC.replace('c74f20a3', 'C74F20A3'), 'form'],
    [PUBLIC.replace('c74f20a3', 'c74f20a4'), 'its id is c74f20a4'],
    [PUBLIC.replace('PeterNeumann', 'Peter Neumann'), 'space'],
    [PUBLIC.replace('PeterNeumann', 'Eve'), 'its id is'],
    [`${PUBLIC}=`, 'no key for Ed25519'],
    [PUBLIC.replace('+ARpc', '+Ahpc'), 'no key for Ed25519'],
    [PUBLIC.slice(0, -4), '32 bytes'],
    [`${PUBLIC}\n`, 'form'],
    [PRIVATE, 'form'],
  ])('the public key %j is refused', (text, problem) => {
    expect(() => parseNoteKey(text)).toThrow(problem);
  });

  test.each(['', PUBLIC, PRIVATE.slice(0, -4), PRIVATE.replace('c74f20a3', '00000000'), 'hunter2'])(
    'what is no private key is refused, and not repeated',
    (text) => {
      try {
        parseNoteSigner(text);
        expect.unreachable();
      } catch (error) {
        expect(String(error)).toContain('Cannot read the key');
        if (text !== '') expect(String(error)).not.toContain(text);
      }
    },
  );
});

test.each(['', ' ', 'a b', 'a+b', 'a\u00a0b', 'a\u2028b', 'a\tb', 'a\nb', '\u0000', '\ud800'])(
  'isKeyName() refuses %j',
  (text) => {
    expect(isKeyName(text)).toBe(false);
  },
);

// Of the control characters the grammar refuses those below U+0020, and of spaces those of Unicode.
test.each(['a', 'registry.example/log', 'é', 'a\u007fb', 'a\ufeffb', 'a\u200bb', '😀'])(
  'isKeyName() accepts %j',
  (text) => {
    expect(isKeyName(text)).toBe(true);
  },
);

test.each(['a\u0085b', 'a\u1680b', 'a\u3000b', 'a\u001fb'])('isKeyName() refuses %j', (text) => {
  expect(isKeyName(text)).toBe(false);
});

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

const COSIGNATURE_TEXT = 'registry.example\n3\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n';
const LOG = noteSigner('registry.example', 'note', new Uint8Array(32).fill(1));
const WITNESS = noteSigner('witness.example/w1', 'cosignature', new Uint8Array(32).fill(2));
const OTHER = noteSigner('witness.example/w2', 'cosignature', new Uint8Array(32).fill(3));
const noteWith = (...more: NoteSignature[]): ReturnType<typeof parseNote> =>
  parseNote(
    new TextEncoder().encode(
      formatNote({
        text: COSIGNATURE_TEXT,
        signatures: [signNote(COSIGNATURE_TEXT, LOG), ...more],
      }),
    ),
  );

describe('cosignaturesOf()', () => {
  test('returns the time of each given witness', () => {
    const note = noteWith(
      cosign(COSIGNATURE_TEXT, WITNESS, 1_679_315_147),
      cosign(COSIGNATURE_TEXT, OTHER, 0),
    );
    expect(cosignaturesOf(note, [WITNESS])).toEqual([{ key: WITNESS, time: 1_679_315_147 }]);
    expect(cosignaturesOf(note, [OTHER, WITNESS]).map(({ time }) => time)).toEqual([
      0, 1_679_315_147,
    ]);
    expect(cosignaturesOf(noteWith(), [WITNESS])).toEqual([]);
  });

  test('takes the newest of one witness', () => {
    const note = noteWith(
      cosign(COSIGNATURE_TEXT, WITNESS, 20),
      cosign(COSIGNATURE_TEXT, WITNESS, 30),
      cosign(COSIGNATURE_TEXT, WITNESS, 10),
    );
    expect(cosignaturesOf(note, [WITNESS])[0]!.time).toBe(30);
  });

  test('a public key in its text form is enough', () => {
    const key = parseNoteKey(formatNoteKey(WITNESS));
    expect(cosignaturesOf(noteWith(cosign(COSIGNATURE_TEXT, WITNESS, 5)), [key])).toEqual([
      { key, time: 5 },
    ]);
  });

  test.each<[string, (line: NoteSignature) => NoteSignature]>([
    ['another time', (line) => ({ ...line, bytes: withByte(line.bytes, 7) })],
    ['a time above 2^53', (line) => ({ ...line, bytes: withByte(line.bytes, 0) })],
    ['another signature', (line) => ({ ...line, bytes: withByte(line.bytes, 40) })],
    ['a byte too few', (line) => ({ ...line, bytes: line.bytes.subarray(1) })],
    [
      'the signature of another witness',
      () => ({ ...cosign(COSIGNATURE_TEXT, OTHER, 5), name: WITNESS.name, id: WITNESS.id }),
    ],
    [
      'a signature of another log state',
      () => cosign(COSIGNATURE_TEXT.replace('3', '4'), WITNESS, 5),
    ],
    ['a signature as logs make them', () => signNote(COSIGNATURE_TEXT, WITNESS)],
  ])('refuses %s', (_, alter) => {
    const note = noteWith(alter(cosign(COSIGNATURE_TEXT, WITNESS, 5)));
    expect(() => cosignaturesOf(note, [WITNESS])).toThrow(
      expect.objectContaining({ code: 'ERR_NOTE_SIGNATURE' }),
    );
  });
});

test('cosign() refuses a time that is none', () => {
  for (const time of [-1, 0.5, NaN])
    expect(() => cosign(COSIGNATURE_TEXT, WITNESS, time)).toThrow(RangeError);
});

function withByte(bytes: Uint8Array, at: number): Uint8Array {
  return bytes.with(at, bytes[at]! ^ 1);
}

test('decodeBase64() is the inverse of encodeBase64()', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(decodeBase64(encodeBase64(bytes))).toEqual(bytes);
    }),
  );
});

test.each(['A', 'AA', 'AAA', 'AAAA=', 'AB==', 'AA=', 'A===', 'AA A', 'AA\nA', 'AA-_', '=AAA'])(
  'decodeBase64() refuses %j',
  (text) => {
    expect(decodeBase64(text)).toBeUndefined();
  },
);
