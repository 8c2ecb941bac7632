import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_MERGE_BYTES, mergeFile } from './merge-file.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const optional = (text: string | undefined) => (text === undefined ? undefined : bytes(text));
const conflict = (reason: string) => ({ kind: 'conflict', reason });

const BASE = 'a\nb\nc\nd\n';
const NEW = 'a\nb\nc\nD\n';
const EDITED = 'A\nb\nc\nd\n';

describe('mergeFile()', () => {
  test.each([
    { name: 'nothing new', base: BASE, ours: BASE, theirs: BASE, wanted: { kind: 'unchanged' } },
    { name: 'a file untouched', base: BASE, ours: BASE, theirs: NEW, wanted: { kind: 'replace' } },
    {
      name: 'a file that is new already',
      base: BASE,
      ours: NEW,
      theirs: NEW,
      wanted: { kind: 'replace' },
    },
    { name: 'an edit alone', base: BASE, ours: EDITED, theirs: BASE, wanted: { kind: 'keep' } },
    {
      name: 'an edit that has the new one in it',
      base: BASE,
      ours: 'A\nb\nc\nD\n',
      theirs: NEW,
      wanted: { kind: 'keep' },
    },
    {
      name: 'an edit that the new one has in it',
      base: BASE,
      ours: EDITED,
      theirs: 'A\nb\nc\nD\n',
      wanted: { kind: 'replace' },
    },
    {
      name: 'a new file',
      base: undefined,
      ours: undefined,
      theirs: NEW,
      wanted: { kind: 'replace' },
    },
    {
      name: 'a new file that is there',
      base: undefined,
      ours: NEW,
      theirs: NEW,
      wanted: { kind: 'replace' },
    },
    {
      name: 'a new file that is there with CRLF',
      base: undefined,
      ours: NEW.replaceAll('\n', '\r\n'),
      theirs: NEW,
      wanted: { kind: 'keep' },
    },
    {
      name: 'another file in the place of a new one',
      base: undefined,
      ours: EDITED,
      theirs: NEW,
      wanted: conflict('added-by-both'),
    },
    {
      name: 'a file deleted by the user',
      base: BASE,
      ours: undefined,
      theirs: BASE,
      wanted: { kind: 'keep' },
    },
    {
      name: 'the same, with a new version',
      base: BASE,
      ours: undefined,
      theirs: NEW,
      wanted: conflict('deleted-by-user'),
    },
    {
      name: 'a file deleted upstream',
      base: BASE,
      ours: BASE,
      theirs: undefined,
      wanted: { kind: 'delete' },
    },
    {
      name: 'the same, with CRLF',
      base: BASE,
      ours: BASE.replaceAll('\n', '\r\n'),
      theirs: undefined,
      wanted: { kind: 'delete' },
    },
    {
      name: 'the same, edited',
      base: BASE,
      ours: EDITED,
      theirs: undefined,
      wanted: conflict('deleted-upstream-edited'),
    },
    {
      name: 'a file deleted on both sides',
      base: BASE,
      ours: undefined,
      theirs: undefined,
      wanted: { kind: 'unchanged' },
    },
    {
      name: "a user's own file",
      base: undefined,
      ours: EDITED,
      theirs: undefined,
      wanted: { kind: 'keep' },
    },
    {
      name: 'no file at all',
      base: undefined,
      ours: undefined,
      theirs: undefined,
      wanted: { kind: 'unchanged' },
    },
    { name: 'an emptied file', base: BASE, ours: '', theirs: BASE, wanted: { kind: 'keep' } },
    { name: 'a NUL byte', base: BASE, ours: 'A\0', theirs: NEW, wanted: conflict('binary') },
    {
      name: 'a NUL byte in the base',
      base: 'a\0',
      ours: EDITED,
      theirs: NEW,
      wanted: conflict('binary'),
    },
    {
      name: 'an untouched file with a NUL byte',
      base: 'a\0',
      ours: 'a\0',
      theirs: 'b\0',
      wanted: { kind: 'replace' },
    },
    {
      name: 'an edited file with a NUL byte',
      base: 'a\0',
      ours: 'b\0',
      theirs: 'a\0',
      wanted: { kind: 'keep' },
    },
  ])('mergeFile() decides on $name', ({ base, ours, theirs, wanted }) => {
    expect(mergeFile(optional(base), optional(ours), optional(theirs))).toEqual(wanted);
  });

  test('mergeFile() merges edits that do not touch', () => {
    const result = mergeFile(bytes(BASE), bytes(EDITED), bytes(NEW));
    expect(result).toEqual({ kind: 'merged', bytes: bytes('A\nb\nc\nD\n') });
  });

  test('mergeFile() keeps CRLF and the byte order mark', () => {
    const ours = `\uFEFF${BASE.replaceAll('\n', '\r\n')}`;
    const result = mergeFile(bytes(`\uFEFF${BASE}`), bytes(ours), bytes(`\uFEFF${NEW}`));
    expect(result).toEqual({ kind: 'merged', bytes: bytes('\uFEFFa\r\nb\r\nc\r\nD\r\n') });
  });

  test('mergeFile() returns the marked text of a conflict', () => {
    const labels = { ours: 'yours', base: 'base 1', theirs: 'theirs 2' };
    const result = mergeFile(bytes('a\n'), bytes('b\n'), bytes('c\n'), { labels });
    const text = '<<<<<<< yours\nb\n||||||| base 1\na\n=======\nc\n>>>>>>> theirs 2\n';
    expect(result).toEqual({
      ...conflict('both-edited'),
      marked: { bytes: bytes(text), conflicts: 1 },
    });
  });

  test('mergeFile() does not merge what is not UTF-8', () => {
    const latin1 = Uint8Array.of(0x41, 0x0a, 0xe9, 0x0a);
    expect(mergeFile(bytes(BASE), latin1, bytes(NEW))).toEqual(conflict('binary'));
    const surrogate = Uint8Array.of(0xed, 0xa0, 0x80);
    expect(mergeFile(bytes(BASE), bytes(EDITED), surrogate)).toEqual(conflict('binary'));
  });

  test('mergeFile() does not merge more than 1 MiB', () => {
    const large = bytes('a'.repeat(MAX_MERGE_BYTES + 1));
    expect(mergeFile(bytes(BASE), large, bytes(NEW))).toEqual(conflict('too-large'));
    expect(mergeFile(bytes(BASE), bytes(BASE), large)).toEqual({ kind: 'replace' });
  });

  test('mergeFile() changes nothing without need and throws at no bytes', () => {
    const content = fc.option(
      fc.oneof(fc.uint8Array({ maxLength: 6 }), fc.constantFrom(BASE, NEW, EDITED).map(bytes)),
      { nil: undefined },
    );
    fc.assert(
      fc.property(content, content, content, (base, ours, theirs) => {
        const result = mergeFile(base, ours, theirs);
        const same = Buffer.from(ours ?? []).equals(Buffer.from(base ?? []));
        if (result.kind === 'delete') expect(theirs).toBeUndefined();
        if (result.kind === 'replace') expect(theirs).toBeDefined();
        if (same && ours !== undefined && base !== undefined) {
          expect(['unchanged', 'replace', 'delete']).toContain(result.kind);
        }
        expect(mergeFile(base, ours, base).kind).toMatch(/^(unchanged|keep|delete|replace)$/);
      }),
      { numRuns: 1000 },
    );
  });
});
