/**
 * Public vectors of signed notes, checkpoints and keys, from the tests of the Go modules
 *
 * - golang.org/x/mod v0.42.0, sumdb/note/note_test.go (BSD-3-Clause),
 * - github.com/transparency-dev/formats v0.1.1, log/note_test.go, log/checkpoint_test.go, note/note_cosigv1_test.go (Apache-2.0).
 */
import { describe, expect, test } from 'vitest';
import { parseCheckpoint } from './checkpoint.ts';
import { parseNoteKey, parseNoteSigner } from './note-key.ts';
import { parseNote, signersOf } from './note.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (text: string): ReturnType<typeof parseNote> => parseNote(bytesOf(text));

describe('golang.org/x/mod/sumdb/note', () => {
  const PUBLIC = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
  const PRIVATE = 'PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz';
  const PETER = parseNoteKey(PUBLIC);
  const ENOCH = parseNoteKey('EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop');
  const TEXT =
    "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
  const PETER_LINE =
    '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
  const ENOCH_LINE =
    '— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n';

  /** What the tests of Go make of a key: every other part of it, and each byte one higher. */
  function mangled(key: string): string[] {
    const texts: string[] = [];
    for (let from = 0; from <= key.length; from += 1) {
      for (let to = from + 1; to <= key.length; to += 1) texts.push(key.slice(from, to));
      const higher = String.fromCodePoint((key.codePointAt(from) ?? 0) + 1);
      if (from < key.length) texts.push(key.slice(0, from) + higher + key.slice(from + 1));
    }
    return texts.filter((text) => text !== key);
  }

  test('TestNewVerifier: each mangling of a public key is refused', () => {
    const accepted = [
      ...mangled(PUBLIC),
      // A key of another length and one of an unknown algorithm, each with the id that belongs to it.
      'PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==',
      'PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    ].filter((text) => isTaken(() => parseNoteKey(text)));
    expect(accepted).toEqual([]);
  });

  test('TestNewSigner: each mangling of a private key is refused', () => {
    expect(isTaken(() => parseNoteSigner(PRIVATE))).toBe(true);
    expect(mangled(PRIVATE).filter((text) => isTaken(() => parseNoteSigner(text)))).toEqual([]);
  });

  test('TestOpen: signatures of known and unknown keys', () => {
    const both = read(`${TEXT}\n${PETER_LINE}${ENOCH_LINE}`);
    expect(both.text).toBe(TEXT);
    expect(signersOf(both, [PETER])).toEqual([PETER]);
    expect(signersOf(both, [PETER, ENOCH])).toEqual([PETER, ENOCH]);
    expect(signersOf(both, [])).toEqual([]);
    const longer = (line: string): string => line.replace(/^(— \S+ \S{40})/, '$1ABCD');
    expect(() => signersOf(read(`${TEXT}\n${longer(PETER_LINE)}`), [PETER])).toThrow(
      expect.objectContaining({ code: 'ERR_NOTE_SIGNATURE' }),
    );
    const lines = `${PETER_LINE}${PETER_LINE}${ENOCH_LINE}${ENOCH_LINE}${longer(ENOCH_LINE)}`;
    expect(signersOf(read(`${TEXT}\n${lines}`), [PETER])).toEqual([PETER]);
  });

  test.each([
    ['no empty line', TEXT],
    ['no signatures', `${TEXT}\n`],
    ['no newline at the end', `${TEXT}\n${PETER_LINE.slice(0, -1)}`],
    ['a control character', `\u0001${TEXT}\n${PETER_LINE}`],
    ['a name with a space', `${TEXT}\n${PETER_LINE.replace('PeterNeumann', 'Bad Name')}`],
    ['a line after the signatures', `${TEXT}\n${PETER_LINE}Unexpected line.\n`],
    ['101 signatures', `${TEXT}\n${PETER_LINE.repeat(101)}`],
  ])('TestOpen: a note with %s is refused', (_, text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'ERR_NOTE' }));
  });

  test('TestOpen: a note that is not UTF-8 is refused', () => {
    const bytes = Uint8Array.of(0xff, ...bytesOf(`${TEXT}\n${PETER_LINE}`));
    expect(() => parseNote(bytes)).toThrow(expect.objectContaining({ code: 'ERR_NOTE' }));
  });
});

describe('github.com/transparency-dev/formats', () => {
  const BODY = 'go.sum database tree\n6476701\nmb8QLQIs0Z0yP5Cstq6guj87oXWeC9gEM8oVikmm9Wk=\n';
  const LINE =
    '— sum.golang.org Az3grsLX85Gz+s1SiTbgkuqxgItqFq7gsMUEyVnrsa9LM7Us9S+1xbFIGu95949rj4nPRYfvimWEPWL+o3GeoWwOoAw=\n';
  const SUMDB = parseNoteKey(
    'sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8',
  );

  test('TestSumDBNoteParsing: a checkpoint of sum.golang.org', () => {
    const note = read(`${BODY}\n${LINE}`);
    expect(signersOf(note, [SUMDB])).toEqual([SUMDB]);
    expect(parseCheckpoint(note.text)).toMatchObject({
      origin: 'go.sum database tree',
      size: 6_476_701,
    });
    expect(() =>
      signersOf(read(`${BODY.replace('6476701', '6476702')}\n${LINE}`), [SUMDB]),
    ).toThrow(expect.objectContaining({ code: 'ERR_NOTE_SIGNATURE' }));
  });

  // Its good cases have roots of 7 and 37 bytes, which C2SP tlog-checkpoint does not have.
  test.each([
    ['two lines', 'Head\n9944\n'],
    ['an empty first line', '\n9944\ndGhlIHZpZXcgZnJvbSB0aGUgdHJlZSB0b3BzIGlzIGdyZWF0IQ==\n'],
    ['no newline at the end', 'Log\n123\nYmFuYW5hcw=='],
    [
      'a size that is not a number',
      'Log\nbananas\ndGhlIHZpZXcgZnJvbSB0aGUgdHJlZSB0b3BzIGlzIGdyZWF0IQ==\n',
    ],
    ['a negative size', 'Log\n-34\ndGhlIHZpZXcgZnJvbSB0aGUgdHJlZSB0b3BzIGlzIGdyZWF0IQ==\n'],
    [
      'a size that is too large',
      'Log\n3438945738945739845734895735\ndGhlIHZpZXcgZnJvbSB0aGUgdHJlZSB0b3BzIGlzIGdyZWF0IQ==\n',
    ],
    ['a root that is not base64', "Log\n123\nThisIsn'tBase64\n"],
  ])('TestUnmarshalLogState: a checkpoint with %s is refused', (_, text) => {
    expect(() => parseCheckpoint(text)).toThrow(
      expect.objectContaining({ code: 'ERR_CHECKPOINT' }),
    );
    // The same fault alone, beside a root of 32 bytes.
    const root = 'mb8QLQIs0Z0yP5Cstq6guj87oXWeC9gEM8oVikmm9Wk=';
    const alone = text.replace(/dGhl\S*==/, root).replace('YmFuYW5hcw==', root);
    expect(() => parseCheckpoint(alone)).toThrow(
      expect.objectContaining({ code: 'ERR_CHECKPOINT' }),
    );
  });

  test('TestCoSigV1NewVerifier: keys of witnesses', () => {
    const kindOf = (text: string): string => parseNoteKey(text).kind;
    expect(kindOf('TEST+7997405c+AQcC+FTVKf0jlTdHDY3rbevmnKxxPjigCXlVtGe6RIr6')).toBe('note');
    expect(kindOf('remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2')).toBe(
      'cosignature',
    );
    const accepted = [
      'bananas.sigstore.dev+12344556',
      'rekor.sigstore.dev+12345678+THIS_IS_NOT_BASE64!',
      'rekor.sigstore.dev+12345678+AwEB',
      'rekor.sigstore.dev+NOT_A_NUMBER+AQcC+FTVKf0jlTdHDY3rbevmnKxxPjigCXlVtGe6RIr6',
      'rekor.sigstore.dev+00000000+AQcC+FTVKf0jlTdHDY3rbevmnKxxPjigCXlVtGe6RIr6',
    ].filter((text) => isTaken(() => parseNoteKey(text)));
    expect(accepted).toEqual([]);
  });
});

function isTaken(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch {
    return false;
  }
}
