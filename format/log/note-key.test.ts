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
