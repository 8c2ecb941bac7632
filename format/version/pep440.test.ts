import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import vectors from './packaging.vectors.json' with { type: 'json' };
import {
  MAX_SPECIFIER_LENGTH,
  PIP_NAME_PATTERN,
  isPipSpecifier,
  normalizePipName,
} from './pep440.ts';

test.each([
  '*',
  '>=1',
  '>=1.0,<2',
  '>= 1.0 , < 2',
  '==1.*',
  '==1.4.5',
  '~=1.4',
  '!=1.5',
  '===weird',
  '<1.0a1',
  '==1.0+local',
  '>=1!2.0',
])('isPipSpecifier() accepts %s', (text) => {
  expect(isPipSpecifier(text)).toBe(true);
});

test.each([
  '',
  ' ',
  ',',
  '1.0',
  '^1.0',
  '>=1,',
  '>=1 <2',
  '>=1.0.*',
  '~=1',
  '@ file:///x',
  '>=1; python_version < "3"',
  '>=1\n--index-url=https://example.com',
  '-r requirements.txt',
  `>=1${'.0'.repeat(MAX_SPECIFIER_LENGTH / 2)}`,
])('isPipSpecifier() rejects %j', (text) => {
  expect(isPipSpecifier(text)).toBe(false);
});

describe('isPipSpecifier() of the tables of packaging', () => {
  test.each([
    ...vectors.specifiers,
    ...new Set(vectors.specifier_cases.map(([, one]) => one as string)),
  ])('accepts %s', (text) => {
    expect(isPipSpecifier(text)).toBe(true);
  });

  test.each([...vectors.versions, ...vectors.normalized_versions])(
    'accepts version %s',
    (version) => {
      expect(isPipSpecifier(`==${version}`)).toBe(true);
      // Only equality takes a local version.
      expect(isPipSpecifier(`>=${version}`)).toBe(!version.includes('+'));
    },
  );

  test.each(vectors.invalid_specifiers)('rejects %s', (text) => {
    expect(isPipSpecifier(text)).toBe(false);
  });

  test.each(vectors.invalid_versions)('rejects version %s', (version) => {
    expect(isPipSpecifier(`==${version}`)).toBe(false);
  });
});

test('isPipSpecifier() never throws', () => {
  const unit = fc.constantFrom(...'<>=!~*.,0 19ab+-;@\n'.split(''));
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
      expect(typeof isPipSpecifier(text)).toBe('boolean');
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ['fastapi', true],
  ['uvicorn[standard]', true],
  ['a[b,c]', true],
  ['Foo_Bar.baz', true],
  ['-x', false],
  ['x-', false],
  ['a[]', false],
  ['a b', false],
  ['--index-url', false],
  ['a\n', false],
])('PIP_NAME_PATTERN matches %j: %s', (name, wanted) => {
  expect(PIP_NAME_PATTERN.test(name)).toBe(wanted);
});

test('normalizePipName() joins the spellings of a distribution', () => {
  expect(['Foo_Bar', 'foo.bar', 'FOO--bar[x]'].map(normalizePipName)).toEqual(
    Array(3).fill('foo-bar'),
  );
});
