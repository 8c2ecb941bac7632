import { describe, expect, test } from 'vitest';
import { cosign, cosignaturesOf } from './cosignature.ts';
import { formatNote, parseNote, signNote } from './note.ts';
import type { NoteSignature } from './note.ts';
import { formatNoteKey, noteSigner, parseNoteKey } from './note-key.ts';

const TEXT = 'registry.example\n3\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n';
const LOG = noteSigner('registry.example', 'note', new Uint8Array(32).fill(1));
const WITNESS = noteSigner('witness.example/w1', 'cosignature', new Uint8Array(32).fill(2));
const OTHER = noteSigner('witness.example/w2', 'cosignature', new Uint8Array(32).fill(3));
const noteWith = (...more: NoteSignature[]): ReturnType<typeof parseNote> =>
  parseNote(
    new TextEncoder().encode(
      formatNote({ text: TEXT, signatures: [signNote(TEXT, LOG), ...more] }),
    ),
  );

describe('cosignaturesOf()', () => {
  test('returns the time of each given witness', () => {
    const note = noteWith(cosign(TEXT, WITNESS, 1_679_315_147), cosign(TEXT, OTHER, 0));
    expect(cosignaturesOf(note, [WITNESS])).toEqual([{ key: WITNESS, time: 1_679_315_147 }]);
    expect(cosignaturesOf(note, [OTHER, WITNESS]).map(({ time }) => time)).toEqual([
      0, 1_679_315_147,
    ]);
    expect(cosignaturesOf(noteWith(), [WITNESS])).toEqual([]);
  });

  test('takes the newest of one witness', () => {
    const note = noteWith(
      cosign(TEXT, WITNESS, 20),
      cosign(TEXT, WITNESS, 30),
      cosign(TEXT, WITNESS, 10),
    );
    expect(cosignaturesOf(note, [WITNESS])[0]!.time).toBe(30);
  });

  test('a public key in its text form is enough', () => {
    const key = parseNoteKey(formatNoteKey(WITNESS));
    expect(cosignaturesOf(noteWith(cosign(TEXT, WITNESS, 5)), [key])).toEqual([{ key, time: 5 }]);
  });

  test.each<[string, (line: NoteSignature) => NoteSignature]>([
    ['another time', (line) => ({ ...line, bytes: withByte(line.bytes, 7) })],
    ['a time above 2^53', (line) => ({ ...line, bytes: withByte(line.bytes, 0) })],
    ['another signature', (line) => ({ ...line, bytes: withByte(line.bytes, 40) })],
    ['a byte too few', (line) => ({ ...line, bytes: line.bytes.subarray(1) })],
    [
      'the signature of another witness',
      () => ({ ...cosign(TEXT, OTHER, 5), name: WITNESS.name, id: WITNESS.id }),
    ],
    ['a signature of another log state', () => cosign(TEXT.replace('3', '4'), WITNESS, 5)],
    ['a signature as logs make them', () => signNote(TEXT, WITNESS)],
  ])('refuses %s', (_, alter) => {
    const note = noteWith(alter(cosign(TEXT, WITNESS, 5)));
    expect(() => cosignaturesOf(note, [WITNESS])).toThrow(
      expect.objectContaining({ code: 'ERR_NOTE_SIGNATURE' }),
    );
  });
});

test('cosign() refuses a time that is none', () => {
  for (const time of [-1, 0.5, NaN]) expect(() => cosign(TEXT, WITNESS, time)).toThrow(RangeError);
});

function withByte(bytes: Uint8Array, at: number): Uint8Array {
  return bytes.with(at, bytes[at]! ^ 1);
}
