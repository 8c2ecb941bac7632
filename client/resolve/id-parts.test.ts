import { describe, expect, test } from 'vitest';
import { ClientError } from '../errors.ts';
import { parseBuildName, parseOwner } from './id-parts.ts';

describe('parseOwner()', () => {
  test('returns a login', () => {
    expect(parseOwner('alice-1')).toBe('alice-1');
  });

  test.each(['', 'Alice', '-a', 'a-', 'a b', 'a'.repeat(40), '../x'])('refuses %j', (text) => {
    expect(() => parseOwner(text)).toThrow(ClientError);
  });
});

describe('parseBuildName()', () => {
  test('returns a name', () => {
    expect(parseBuildName('web-login')).toBe('web-login');
  });

  test.each(['', 'Web', 'web_login', 'web-', 'a'.repeat(51)])('refuses %j', (text) => {
    expect(() => parseBuildName(text)).toThrow(ClientError);
  });
});
