import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayOfEpoch, tryParseCommonTime, tryParseIsoTime } from './log-time.ts';

const MS_PER_DAY = 86_400_000;
const moment = fc.date({
  min: new Date('1970-01-02T00:00:00Z'),
  max: new Date('2099-12-31T00:00:00Z'),
  noInvalidDate: true,
});
const zone = fc.tuple(fc.constantFrom('+', '-'), fc.nat(14), fc.constantFrom(0, 30, 45));

/** The clock of a zone at a moment, and how it writes its distance to UTC. */
function inZone(time: Date, [sign, hours, minutes]: [string, number, number]) {
  const distance = (sign === '+' ? 1 : -1) * (hours * 60 + minutes) * 60_000;
  const pad = (n: number): string => String(n).padStart(2, '0');
  const local = new Date(time.getTime() + distance);
  return { local, iso: local.toISOString(), hours: `${sign}${pad(hours)}`, minutes: pad(minutes) };
}

describe('times of logs', () => {
  it('are the day of UTC, in every form and zone', () => {
    fc.assert(
      fc.property(moment, zone, (time, place) => {
        const day = Math.floor(time.getTime() / MS_PER_DAY);
        const { local, iso, hours, minutes } = inZone(time, place);
        expect(tryParseIsoTime(iso.replace('Z', `${hours}:${minutes}`))).toBe(day);
        expect(tryParseIsoTime(iso.slice(0, 19).replace('T', ' ') + hours + minutes)).toBe(day);
        expect(tryParseIsoTime(time.toISOString())).toBe(day);
        const [, date, month, year] = local.toUTCString().split(' ');
        const common = `${date}/${month}/${year}:${iso.slice(11, 19)} ${hours}${minutes}`;
        expect(tryParseCommonTime(common)).toBe(day);
      }),
    );
  });

  it('are numbers since 1970 in any unit', () => {
    const time = Date.UTC(2026, 10, 21, 9, 30);
    for (const unit of [1e-3, 1, 1e3, 1e6]) {
      expect(dayOfEpoch(time * unit)).toBe(Math.floor(time / MS_PER_DAY));
    }
    for (const none of [-1, NaN, Infinity, 1e21]) expect(dayOfEpoch(none)).toBeUndefined();
  });

  it.each([
    '2026-11-21',
    '2026-11-21T09:30:00x',
    '2026-11-21T09:30:00+1',
    '2026-11-21T09:30:00+01:0',
    '2026-11-21T25:30:00Z',
    '2026-02-30T09:30:00Z',
    '2026/11/21 09:30:00',
    'T',
  ])('tryParseIsoTime() refuses %j', (text) => {
    expect(tryParseIsoTime(text)).toBeUndefined();
  });

  it('throw nothing for other text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (text) => {
        expect(() => [tryParseIsoTime(text), tryParseCommonTime(text)]).not.toThrow();
      }),
    );
  });
});
