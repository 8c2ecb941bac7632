import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isBuildId, tryParseBuildId } from './build-id.ts';

const letters = 'abcxyz019'.split('');
const word = (max: number) =>
  fc.stringMatching(new RegExp(`^[a-z0-9](?:[a-z0-9-]{0,${max - 2}}[a-z0-9])?$`));

test.each([
  ['a leading dash', '-a/b'],
  ['a trailing dash', 'a/b-'],
  ['upper case', 'A/b'],
  ['upper case in the name', 'a/B'],
  ['no owner', '/b'],
  ['no name', 'a/'],
  ['no slash', 'ab'],
  ['two slashes', 'a/b/c'],
  ['an empty text', ''],
  ['a dot', 'a/b.c'],
  ['an underscore', 'a/b_c'],
  ['a traversal', '../b'],
  ['a space', 'a/b c'],
  ['a final newline', 'a/b\n'],
  ['a letter beyond ASCII', 'a/é'],
  ['a range', 'a/b@1.0.0'],
  ['an owner of 40 characters', `${'a'.repeat(40)}/b`],
  ['a name of 51 characters', `a/${'b'.repeat(51)}`],
])('tryParseBuildId() rejects %s', (_, text) => {
  expect(tryParseBuildId(text)).toBeUndefined();
  expect(isBuildId(text)).toBe(false);
});

test.each([
  'a/b',
  '0/0',
  'a--b/c--d',
  `${'a'.repeat(39)}/b`,
  `a/${'b'.repeat(50)}`,
  'stackyard/express-api',
])('isBuildId() accepts %s', (text) => {
  expect(isBuildId(text)).toBe(true);
});

test('tryParseBuildId() reads every owner and name', () => {
  fc.assert(
    fc.property(word(39), word(50), (owner, name) => {
      const id = { owner, name };
      expect(tryParseBuildId(`${owner}/${name}`)).toEqual(id);
    }),
  );
});

test('tryParseBuildId() gives what formats back, whatever the text', () => {
  const text = fc.string({ unit: fc.constantFrom(...letters, '-', '/', 'A', '.'), maxLength: 8 });
  fc.assert(
    fc.property(text, (candidate) => {
      const id = tryParseBuildId(candidate);
      expect(id === undefined ? candidate : `${id.owner}/${id.name}`).toBe(candidate);
      expect(isBuildId(candidate)).toBe(id !== undefined);
    }),
  );
});
