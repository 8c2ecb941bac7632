// The form of tokens: spelling, signature, members, claims.

import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { CompactSign, compactVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import {
  formatClaims,
  hasDuplicateMember,
  isExpired,
  isSignedBy,
  isTooEarly,
  MAX_TOKEN_LENGTH,
  signCompact,
  type TokenClaims,
  tryParseClaims,
  tryParseCompact,
  tryParseObject,
} from './tokens.js';

describe('compact token', () => {
  // The compact form: the vector of RFC 7515, everything that is spelled otherwise, and jose as an independent oracle.
  // RFC 7515 appendix A.1
  const RFC_TOKEN =
    'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.' +
    'eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.' +
    'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
  const RFC_KEY = Buffer.from(
    'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
    'base64url',
  );

  const KEY = Buffer.from('0123456789abcdef0123456789abcdef');
  const HEADER = { alg: 'HS256', typ: 'JWT' };
  const TOKEN = signCompact(HEADER, { sub: '1', text: 'ü' }, KEY);
  const [FIRST = '', SECOND = '', THIRD = ''] = TOKEN.split('.');

  function verifies(token: string, key = KEY): boolean {
    const parsed = tryParseCompact(token);
    return parsed !== undefined && isSignedBy(parsed, key);
  }

  // Signed by the key, so that nothing but the form can be wrong with it.
  function signText(header: string | Buffer, payload: string | Buffer): string {
    const input = [header, payload].map((part) => Buffer.from(part).toString('base64url')).join('.');
    return `${input}.${createHmac('sha256', KEY).update(input).digest('base64url')}`;
  }

  function signSegments(first: string, second: string): string {
    return `${first}.${second}.${createHmac('sha256', KEY).update(`${first}.${second}`).digest('base64url')}`;
  }

  test('tryParseCompact() and isSignedBy() hold for RFC 7515 A.1', () => {
    const parsed = tryParseCompact(RFC_TOKEN);
    if (!parsed) throw new Error('Expected a parsed token');
    expect(parsed.header).toEqual({ typ: 'JWT', alg: 'HS256' });
    expect(tryParseObject(parsed.payload)).toEqual({
      iss: 'joe',
      exp: 1300819380,
      'http://example.com/is_root': true,
    });
    expect(isSignedBy(parsed, RFC_KEY)).toBe(true);
    expect(isSignedBy(parsed, KEY)).toBe(false);
  });

  test('tryParseCompact() is the inverse of signCompact()', () => {
    const parsed = tryParseCompact(TOKEN);
    expect(parsed?.header).toEqual(HEADER);
    expect(parsed && tryParseObject(parsed.payload)).toEqual({ sub: '1', text: 'ü' });
    expect(verifies(TOKEN)).toBe(true);
  });

  describe('jose', () => {
    test('verifies what signCompact() signs', async () => {
      const { payload, protectedHeader } = await compactVerify(TOKEN, KEY, { algorithms: ['HS256'] });
      expect(JSON.parse(Buffer.from(payload).toString())).toEqual({ sub: '1', text: 'ü' });
      expect(protectedHeader).toEqual(HEADER);
    });

    test('signs what verifies here', async () => {
      const token = await new CompactSign(Buffer.from('{"a":1}')).setProtectedHeader(HEADER).sign(KEY);
      expect(verifies(token)).toBe(true);
      expect(verifies(token, RFC_KEY)).toBe(false);
    });
  });

  // The last character of 32 bytes holds two bits that must be zero.
  const NON_CANONICAL_END = TOKEN.slice(0, -1) + nextCharacter(THIRD.slice(-1));

  function nextCharacter(character: string): string {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    return alphabet.charAt(alphabet.indexOf(character) + 1);
  }

  describe('tryParseCompact() refuses', () => {
    test.each([
      ['nothing', ''],
      ['dots', '..'],
      ['one segment', FIRST],
      ['two segments', `${FIRST}.${SECOND}`],
      ['an empty signature', `${FIRST}.${SECOND}.`],
      ['an empty header', `.${SECOND}.${THIRD}`],
      ['an empty payload', `${FIRST}..${THIRD}`],
      ['a fourth segment', `${TOKEN}.${THIRD}`],
      ['a dot at the end', `${TOKEN}.`],
      ['a dot in front', `.${TOKEN}`],
      ['a short signature', TOKEN.slice(0, -1)],
      ['a long signature', `${TOKEN}A`],
      ['a signature of 31 bytes', `${FIRST}.${SECOND}.${THIRD.slice(0, 42)}`],
      ['padding', `${TOKEN}=`],
      ['padding of the header', `${FIRST}=.${SECOND}.${THIRD}`],
      ['space in front', ` ${TOKEN}`],
      ['space behind', `${TOKEN} `],
      ['a line feed behind', `${TOKEN}\n`],
      ['a space inside', `${FIRST}.${SECOND.slice(0, 4)} ${SECOND.slice(4)}.${THIRD}`],
      ['a line feed inside', `${FIRST}\n.${SECOND}.${THIRD}`],
      ['a NUL inside', `${FIRST}.${SECOND}\0.${THIRD}`],
      ['characters of plain base64', `${FIRST}.${SECOND}.${'+/'.repeat(21)}A`],
      ['a character of another script', `${FIRST}.${SECOND}\u0430.${THIRD}`],
      ['full-width letters', TOKEN.replace('e', '\uff45')],
      ['a percent sign', TOKEN.replace('.', '%2e')],
      ['a non-canonical last character', NON_CANONICAL_END],
      [
        'JSON in place of the compact form',
        JSON.stringify({ protected: FIRST, payload: SECOND, signature: THIRD }),
      ],
      ['five segments, as of an encrypted token', `${FIRST}.${SECOND}.${FIRST}.${SECOND}.${THIRD}`],
      ['the same token twice', `${TOKEN},${TOKEN}`],
    ])('%s', (_name, token) => {
      expect(tryParseCompact(token)).toBeUndefined();
    });

    test.each([
      ['a segment with a length that no bytes have', signSegments(FIRST, 'AAAAA')],
      ['bits behind the last byte of the payload', signSegments(FIRST, 'eyJhIjoxMX1')],
      ['padding that was signed', signSegments(FIRST, Buffer.from('{"a":1}').toString('base64'))],
      [
        'plain base64 that was signed',
        signSegments(FIRST, Buffer.from('{"a":"\u00ff\u00fe~~~"}').toString('base64')),
      ],
      ['a header that is no JSON', signText('{', '{}')],
      ['a header that is an array', signText('[]', '{}')],
      ['a header that is null', signText('null', '{}')],
      ['a header that is a string', signText('"HS256"', '{}')],
      ['a header with a byte order mark', signText('\ufeff{"alg":"HS256"}', '{}')],
      ['a header that is no UTF-8', signText(Buffer.from('7b22ff227d', 'hex'), '{}')],
      ['a header in UTF-16', signText(Buffer.from('{"alg":"HS256"}', 'utf16le'), '{}')],
      ['more than 4096 characters', signText('{"alg":"HS256"}', `{"a":"${'x'.repeat(3100)}"}`)],
    ])('%s, even when it is signed', (_name, token) => {
      expect(tryParseCompact(token)).toBeUndefined();
    });

    test('nothing of up to 4096 characters for its length', () => {
      const rest = MAX_TOKEN_LENGTH - signText('{"alg":"HS256"}', '').length;
      const token = signText('{"alg":"HS256"}', 'x'.repeat(Math.floor((rest * 3) / 4)));
      expect(token.length).toBeGreaterThan(MAX_TOKEN_LENGTH - 3);
      expect(verifies(token)).toBe(true);
    });
  });

  describe('tryParseObject() refuses', () => {
    test.each([
      '',
      '[]',
      'null',
      '"a"',
      '1',
      'true',
      '{',
      '{}{}',
      '{"a":1,}',
      '\ufeff{}',
      "{'a':1}",
      '{"a":NaN}',
    ])('%j', (text) => {
      expect(tryParseObject(Buffer.from(text))).toBeUndefined();
    });

    test('deep nesting only where it is no object', () => {
      expect(tryParseObject(Buffer.from('['.repeat(3000)))).toBeUndefined();
      const nested = `{"a":${'['.repeat(1400)}${']'.repeat(1400)}}`;
      expect(tryParseObject(Buffer.from(nested))).toBeDefined();
    });
  });

  describe('no mutation of a token verifies:', () => {
    const character = fc.constantFrom(
      ...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ ~\n\0é'),
    );
    const index = fc.nat(TOKEN.length - 1);

    test('another character', () => {
      fc.assert(
        fc.property(index, character, (at, other) => {
          const mutant = TOKEN.slice(0, at) + other + TOKEN.slice(at + 1);
          expect(verifies(mutant)).toBe(mutant === TOKEN);
        }),
        { numRuns: 2000 },
      );
    });

    test('an insertion, a deletion, a swap', () => {
      fc.assert(
        fc.property(index, index, character, (at, to, other) => {
          const [from, end] = [Math.min(at, to), Math.max(at, to)];
          const mutants = [
            TOKEN.slice(0, at) + other + TOKEN.slice(at),
            TOKEN.slice(0, from) + TOKEN.slice(end + 1),
            TOKEN.slice(end) + TOKEN.slice(0, end),
            TOKEN.slice(0, from) +
              TOKEN.charAt(end) +
              TOKEN.slice(from + 1, end) +
              TOKEN.charAt(from) +
              TOKEN.slice(end + 1),
          ];
          for (const mutant of mutants) expect(verifies(mutant)).toBe(mutant === TOKEN);
        }),
        { numRuns: 1000 },
      );
    });

    test('every single bit of the decoded segments', () => {
      const segments = [FIRST, SECOND, THIRD].map((segment) => Buffer.from(segment, 'base64url'));
      for (const [number, bytes] of segments.entries()) {
        for (let bit = 0; bit < bytes.length * 8; bit++) {
          const flipped = Buffer.from(bytes);
          flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
          const mutant = segments
            .map((each, at) => (at === number ? flipped : each).toString('base64url'))
            .join('.');
          expect(verifies(mutant)).toBe(false);
        }
      }
    });

    test('any text at all, and any other key', () => {
      fc.assert(
        fc.property(fc.string(), (text) => {
          expect(verifies(text)).toBe(false);
        }),
      );
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 64 }), (key) => {
          fc.pre(!KEY.equals(key));
          expect(verifies(TOKEN, Buffer.from(key))).toBe(false);
        }),
      );
    });

    test('while every token that was signed does', () => {
      fc.assert(
        fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 5 }), (payload) => {
          const token = signCompact(HEADER, payload, KEY);
          fc.pre(token.length <= MAX_TOKEN_LENGTH);
          expect(verifies(token)).toBe(true);
          const parsed = tryParseCompact(token);
          expect(parsed && tryParseObject(parsed.payload)).toEqual(JSON.parse(JSON.stringify(payload)));
        }),
      );
    });
  });
});

describe('duplicate member', () => {
  // Members that stand twice, at every depth and in every spelling.
  describe('hasDuplicateMember() finds', () => {
    test.each([
      '{"a":1,"a":2}',
      '{"a":1,"a":1}',
      '{ "a" : 1 , "b" : 2 , "a" : 3 }',
      '{"a":1,"\\u0061":2}',
      '{"":1,"":2}',
      '{"a":{"b":1,"b":2}}',
      '[{"a":[{"b":1,"b":2}]}]',
      '{"a":[1,{"x":"}"}],"a":2}',
      '{"\\"":1,"\\"":2}',
      '{"a\\\\":1,"a\\\\":2}',
      '{"__proto__":1,"__proto__":2}',
    ])('%s', (json) => {
      expect(hasDuplicateMember(json)).toBe(true);
    });
  });

  describe('hasDuplicateMember() passes', () => {
    test.each([
      '{}',
      '[]',
      '"a"',
      '1',
      '{"a":"a","b":"a"}',
      '{"a":{"a":{"a":1}}}',
      '[{"a":1},{"a":1}]',
      '{"a":"\\"a\\":1,\\"a\\":2"}',
      '{"a":["a","a"],"A":1}',
      '{"a\\\\":1,"a":2}',
    ])('%s', (json) => {
      expect(hasDuplicateMember(json)).toBe(false);
    });
  });

  test('hasDuplicateMember() passes what JSON.stringify writes, and finds a member that is added', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, name) => {
        expect(hasDuplicateMember(JSON.stringify(value))).toBe(false);
        const [key, text] = [JSON.stringify(name), JSON.stringify(value)];
        expect(hasDuplicateMember(`{${key}:${text},${key}:${text}}`)).toBe(true);
      }),
    );
  });
});

describe('token claims', () => {
  // What a payload must hold.
  const NOW = 1_790_000_000;

  const CLAIMS: TokenClaims = {
    userId: 42,
    email: 'a@example.com',
    tokenVersion: 3,
    tokenId: 'AAAAAAAAAAAAAAAAAAAAAA',
    issuedAt: NOW,
    expiresAt: NOW + 60,
  };

  function read(changes: Record<string, unknown>, parties = {}): TokenClaims | undefined {
    const dated = tryParseClaims({ ...formatClaims(CLAIMS, parties), ...changes }, parties);
    return dated && !isTooEarly(dated, NOW) ? dated.claims : undefined;
  }

  test('tryParseClaims() is the inverse of formatClaims()', () => {
    expect(read({})).toEqual(CLAIMS);
    expect(read({}, { issuer: 'i', audience: 'a' })).toEqual(CLAIMS);
    expect(formatClaims(CLAIMS, {})).toEqual({
      sub: '42',
      email: 'a@example.com',
      ver: 3,
      jti: 'AAAAAAAAAAAAAAAAAAAAAA',
      iat: NOW,
      exp: NOW + 60,
    });
  });

  describe('tryParseClaims() refuses', () => {
    const infinity = JSON.parse('1e400') as unknown;
    test.each([
      ...[
        '1e0',
        '01',
        '1 ',
        ' 1',
        '+1',
        '-1',
        '1.5',
        '0',
        '',
        '9007199254740993',
        '1'.repeat(17),
        1,
        1.5,
        null,
        {},
        undefined,
      ].map((value) => ({ name: 'sub', value })),
      ...['1790000060', null, infinity, -1, NOW + 0.5, NOW, NOW - 1, 0, 2 ** 53, undefined, true].map(
        (value) => ({
          name: 'exp',
          value,
        }),
      ),
      ...[String(NOW), null, infinity, -1, NOW + 0.5, NOW + 61, undefined].map((value) => ({
        name: 'iat',
        value,
      })),
      ...[NOW + 1, 'x', null, infinity, -1].map((value) => ({ name: 'nbf', value })),
      ...['3', -1, 0.5, null, infinity, undefined].map((value) => ({ name: 'ver', value })),
      ...['', 'short', 'x'.repeat(65), 'AAAAAAAAAAAAAAAA/A', 7, null, undefined].map((value) => ({
        name: 'jti',
        value,
      })),
      ...[1, null, undefined].map((value) => ({ name: 'email', value })),
      ...['x', null, ['x']].flatMap((value) => [
        { name: 'iss', value },
        { name: 'aud', value },
      ]),
    ])('$name $value', ({ name, value }) => {
      expect(read({ [name]: value })).toBeUndefined();
    });

    test('another issuer or audience than it wants', () => {
      const parties = { issuer: 'i', audience: 'a' };
      for (const changes of [
        { iss: 'x' },
        { iss: undefined },
        { aud: 'x' },
        { aud: ['a'] },
        { aud: undefined },
      ]) {
        expect(read(changes, parties)).toBeUndefined();
      }
    });
  });

  test.each([
    { iat: NOW + 60, exp: NOW + 61 },
    { nbf: NOW },
    { nbf: 0 },
    { sub: '9007199254740991' },
    { role: 'x' },
  ])('tryParseClaims() accepts %j', (changes) => {
    expect(read(changes)).toBeDefined();
  });

  test('isExpired() is true from the second of expiry on', () => {
    expect(isExpired(CLAIMS, NOW + 59)).toBe(false);
    expect(isExpired(CLAIMS, NOW + 60)).toBe(true);
    expect(isExpired(CLAIMS, NOW + 61)).toBe(true);
  });
});
