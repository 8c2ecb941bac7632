import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { NO_SIGNALS, Signals, mergeSignals, withStatements } from './signals.ts';

const AT = '2026-11-21T09:30:00.000Z';

test('Signals reads every field', () => {
  const value = {
    downloads: 3,
    agent_reports: { success: 2, failure: 1 },
    flags: 1,
    updated_at: AT,
  };
  expect(Signals.parse(value)).toEqual(value);
});

test('Signals counts nothing by default', () => {
  expect(Signals.parse({ updated_at: AT })).toEqual({
    downloads: 0,
    agent_reports: { success: 0, failure: 0 },
    flags: 0,
    updated_at: AT,
  });
});

test.each([
  {},
  { updated_at: 'today' },
  { updated_at: AT, downloads: -1 },
  { updated_at: AT, downloads: 0.5 },
  { updated_at: AT, flags: '1' },
  { updated_at: AT, agent_reports: { success: 1 } },
  { updated_at: AT, agent_reports: { success: 1, failure: 0, success_rate: 1 } },
  { updated_at: AT, extra: 1 },
  { updated_at: AT, downloads: 3, months: { main: { '2026-11': { '1.0.0': 2 } } } },
  { updated_at: AT, downloads: 2, months: { Main: { '2026-11': { '1.0.0': 2 } } } },
  { updated_at: AT, downloads: 2, months: { main: { '2026-13': { '1.0.0': 2 } } } },
  { updated_at: AT, downloads: 2, months: { main: { '2026-11': { latest: 2 } } } },
])('Signals refuses %j', (value) => {
  expect(Signals.safeParse(value).success).toBe(false);
});

const counts = fc.dictionary(
  fc.constantFrom('main', 'cdn'),
  fc.dictionary(
    fc.constantFrom('2026-10', '2026-11'),
    fc.dictionary(fc.constantFrom('1.0.0', '2.0.0-rc.1'), fc.nat(50), { noNullPrototype: true }),
    { noNullPrototype: true },
  ),
  { noNullPrototype: true },
);
const signals = fc
  .record({
    months: counts,
    earlier: fc.nat(9),
    success: fc.nat(9),
    failure: fc.nat(9),
    flags: fc.nat(3),
    upheld: fc.nat(2),
    day: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ months, earlier, success, failure, flags, upheld, day }) =>
    // Merging with nothing gives the one spelling that files have.
    mergeSignals(NO_SIGNALS, {
      downloads: earlier + sumOf(months),
      earlier,
      months,
      agent_reports: { success, failure },
      flags,
      upheld,
      updated_at: `2026-11-0${day}T00:00:00.000Z`,
    }),
  );

function sumOf(tree: unknown): number {
  if (typeof tree === 'number') return tree;
  return Object.values(tree as object).reduce((sum: number, part) => sum + sumOf(part), 0);
}

describe('mergeSignals()', () => {
  it('is commutative, associative and idempotent, and gives what the schema reads', () => {
    fc.assert(
      fc.property(signals, signals, signals, (a, b, c) => {
        expect(mergeSignals(a, b)).toEqual(mergeSignals(b, a));
        expect(mergeSignals(mergeSignals(a, b), c)).toEqual(mergeSignals(a, mergeSignals(b, c)));
        expect(mergeSignals(a, a)).toEqual(a);
        expect(mergeSignals(mergeSignals(a, b), b)).toEqual(mergeSignals(a, b));
        expect(Signals.parse(mergeSignals(a, b))).toEqual(mergeSignals(a, b));
        expect(mergeSignals(a, b).downloads).toBeGreaterThanOrEqual(a.downloads);
      }),
    );
  });

  it('adds collectors up, and takes the newer count of each', () => {
    const of = (main: number, cdn: number): Signals => ({
      ...NO_SIGNALS,
      downloads: main + cdn,
      months: { main: { '2026-11': { '1.0.0': main } }, cdn: { '2026-11': { '1.0.0': cdn } } },
    });
    expect(mergeSignals(of(5, 1), of(2, 4)).downloads).toBe(9);
  });

  it('keeps the downloads of a file without months', () => {
    const old: Signals = { ...NO_SIGNALS, downloads: 40 };
    const fresh: Signals = {
      ...NO_SIGNALS,
      downloads: 2,
      months: { main: { '2026-11': { '1.0.0': 2 } } },
    };
    expect(mergeSignals(old, fresh)).toMatchObject({ downloads: 42, earlier: 40 });
  });
});

describe('withStatements()', () => {
  it('replaces reports and flags and leaves downloads alone', () => {
    fc.assert(
      fc.property(signals, signals, (a, b) => {
        const after = withStatements(a, b);
        expect(after.downloads).toBe(a.downloads);
        expect(after.months).toEqual(a.months);
        expect([after.agent_reports, after.flags]).toEqual([b.agent_reports, b.flags]);
        expect(after.updated_at >= a.updated_at && after.updated_at >= b.updated_at).toBe(true);
      }),
    );
  });
});
