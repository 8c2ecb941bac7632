// The stored text of a password hash, and its bounds.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatScryptHash, isAcceptableCost, isWeaker, tryParseScryptHash } from './scrypt-hash.js';

const SALT = Buffer.alloc(16, 1);
const KEY = Buffer.alloc(32, 2);
const SALT_TEXT = 'AQEBAQEBAQEBAQEBAQEBAQ';
const KEY_TEXT = 'AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI';
const TEXT = `$scrypt$ln=15,r=8,p=3$${SALT_TEXT}$${KEY_TEXT}`;

test('formatScryptHash() writes the PHC form', () => {
  expect(formatScryptHash({ cost: { logN: 15, r: 8, p: 3 }, salt: SALT, key: KEY })).toBe(TEXT);
});

test('tryParseScryptHash() is its inverse', () => {
  fc.assert(
    fc.property(
      fc.record({
        logN: fc.integer({ min: 1, max: 17 }),
        r: fc.integer({ min: 1, max: 8 }),
        p: fc.integer({ min: 1, max: 10 }),
      }),
      fc.uint8Array({ minLength: 8, maxLength: 64 }),
      fc.uint8Array({ minLength: 16, maxLength: 64 }),
      (cost, salt, key) => {
        const hash = { cost, salt: Buffer.from(salt), key: Buffer.from(key) };
        expect(tryParseScryptHash(formatScryptHash(hash))).toEqual(hash);
      },
    ),
  );
});

describe('tryParseScryptHash() refuses', () => {
  test.each([
    '',
    '$',
    'scrypt',
    TEXT.slice(1),
    `${TEXT}\n`,
    ` ${TEXT}`,
    `${TEXT}$`,
    `${TEXT}=`,
    TEXT.replace('scrypt', 'SCRYPT'),
    TEXT.replace('scrypt', 'argon2id'),
    TEXT.replace('ln=15', 'ln=18'),
    TEXT.replace('ln=15', 'ln=0'),
    TEXT.replace('ln=15', 'ln=015'),
    TEXT.replace('ln=15', 'ln=99'),
    TEXT.replace('ln=15', 'ln=1e1'),
    TEXT.replace('ln=15', 'ln=-1'),
    TEXT.replace('ln=15,r=8', 'r=8,ln=15'),
    TEXT.replace('r=8', 'r=9'),
    TEXT.replace('r=8', 'r=0'),
    TEXT.replace('p=3', 'p=11'),
    TEXT.replace('p=3', 'p=0'),
    TEXT.replace(',p=3', ''),
    TEXT.replace(SALT_TEXT, ''),
    TEXT.replace(SALT_TEXT, 'AQEBAQEBAQ'.slice(0, 8)),
    TEXT.replace(SALT_TEXT, `${SALT_TEXT}==`),
    TEXT.replace(SALT_TEXT, SALT_TEXT.replace(/Q$/, 'R')),
    TEXT.replace(SALT_TEXT, 'AQEB AQEBAQEBAQEBAQEBA'),
    TEXT.replace(KEY_TEXT, ''),
    TEXT.replace(KEY_TEXT, 'AgICAgICAgI'),
    TEXT.replace(KEY_TEXT, '-_'.repeat(20)),
    TEXT.replace(KEY_TEXT, 'A'.repeat(400)),
    '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
    'scrypt$32768$8$3$AQEB$AgIC',
  ])('%j', (text) => {
    expect(tryParseScryptHash(text)).toBeUndefined();
  });
});

test('isAcceptableCost() bounds each parameter', () => {
  expect(isAcceptableCost({ logN: 17, r: 8, p: 10 })).toBe(true);
  expect(isAcceptableCost({ logN: 18, r: 8, p: 1 })).toBe(false);
  expect(isAcceptableCost({ logN: 15, r: 8.5, p: 1 })).toBe(false);
  expect(isAcceptableCost({ logN: 15, r: 8, p: 0 })).toBe(false);
});

test('isWeaker() compares the work', () => {
  const current = { logN: 15, r: 8, p: 3 };
  expect(isWeaker({ logN: 14, r: 8, p: 5 }, current)).toBe(true);
  expect(isWeaker({ logN: 17, r: 8, p: 1 }, current)).toBe(false);
  expect(isWeaker(current, current)).toBe(false);
});
