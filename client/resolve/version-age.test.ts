import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Head, HeadVersion } from '../../format/index/record.ts';
import { parseDuration, hideYoung, parseAge } from './version-age.ts';
import { OPEN } from '../../format/registry/status.ts';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const DAY = 86_400_000;

function iso(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString();
}

describe('parseAge()', () => {
  test.each([
    [{}, undefined],
    [{ minAge: '7d' }, '2026-11-14T12:00:00.000Z'],
    [{ minAge: '12h' }, '2026-11-21T00:00:00.000Z'],
    [{ minAge: '0d' }, '2026-11-21T12:00:00.000Z'],
  ])('%j hides what is newer than %j', (options, newest) => {
    expect(iso(parseAge(options, NOW)?.newest)).toBe(newest);
  });

  test.each(['', '7', 'd', '7m', '7 d', '-1d', '1.5d', '7D', '100000d', 'P7D'])(
    'refuses --min-age %j',
    (minAge) => {
      expect(() => parseAge({ minAge }, NOW)).toThrow(
        expect.objectContaining({ code: 'ERR_USAGE' }),
      );
    },
  );
});

test('parseDuration() reads any count of hours, days and weeks', () => {
  fc.assert(
    fc.property(fc.nat({ max: 99_999 }), (count) => {
      expect(parseDuration(`${count}h`, '-x') * 24).toBe(parseDuration(`${count}d`, '-x'));
      expect(parseDuration(`${count}d`, '-x') * 7).toBe(parseDuration(`${count}w`, '-x'));
    }),
  );
});

describe('hideYoung()', () => {
  const version = (name: string, age: number): HeadVersion => ({
    version: name,
    published_at: new Date(NOW - age).toISOString(),
    integrity: `sha256-${'A'.repeat(43)}=`,
    requires: {},
    provides: [],
    builds: {},
    risk: 'ok',
    status: OPEN,
  });
  const head: Head = {
    id: 'a/x',
    kind: 'module',
    latest: '3.0.0',
    versions: [version('3.0.0', DAY), version('2.0.0', 7 * DAY), version('1.0.0', 30 * DAY)],
  };
  const left = (installed?: string): string[] => {
    const seen = hideYoung(head, parseAge({ minAge: '7d' }, NOW), installed);
    return seen.versions.map((v) => v.version);
  };

  test('hides younger versions with a reason, and keeps the installed one', () => {
    expect(left()).toEqual(['2.0.0', '1.0.0']);
    expect(left('3.0.0')).toEqual(['3.0.0', '2.0.0', '1.0.0']);
    expect(hideYoung(head, undefined, undefined)).toBe(head);
    const { hidden } = hideYoung(head, parseAge({ minAge: '7d' }, NOW), undefined);
    expect(hidden).toMatchObject([{ why: 'published 2026-11-20, --min-age 7d' }]);
  });
});
