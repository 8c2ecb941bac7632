import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCursor, listExport, tryParseCursor } from './statement-routes.ts';

// Cursors and pages of the export.

test('tryParseCursor() is the inverse of formatCursor(), and reads a cursor of older exports', () => {
  const place = fc.nat(1_000_000);
  fc.assert(
    fc.property(place, place, (accounts, ci) => {
      const cursor = { accounts, ci };
      expect(tryParseCursor(formatCursor(cursor))).toEqual(cursor);
    }),
  );
  expect(tryParseCursor('12')).toEqual({ accounts: 12, ci: 0 });
  expect(tryParseCursor(undefined)).toEqual({ accounts: 0, ci: 0 });
});

test.each(['', 'x', '-1', '01', '1.', '.1', '1.2.3', '1e3', ['1']])(
  'tryParseCursor() refuses %j',
  (text) => expect(tryParseCursor(text)).toBeUndefined(),
);

test('listExport() gives every line once, whatever the limit', async () => {
  const lines = (prefix: string, count: number) => ({
    list: async (after: number, _before: string, limit: number) =>
      Array.from({ length: count }, (_, n) => ({ cursor: n + 1, line: `${prefix}${n + 1}` }))
        .slice(after)
        .slice(0, limit),
  });
  await fc.assert(
    fc.asyncProperty(fc.nat(9), fc.nat(9), fc.integer({ min: 1, max: 5 }), async (a, b, limit) => {
      const found: string[] = [];
      for (let after = { accounts: 0, ci: 0 }; ;) {
        const page = await listExport([lines('a', a), lines('c', b)], after, '', limit);
        found.push(...page.lines);
        after = page.next;
        if (page.lines.length < limit) break;
      }
      expect(found).toEqual([
        ...Array.from({ length: a }, (_, n) => `a${n + 1}`),
        ...Array.from({ length: b }, (_, n) => `c${n + 1}`),
      ]);
    }),
    { numRuns: 30 },
  );
});
