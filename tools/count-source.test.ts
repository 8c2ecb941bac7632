import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BUDGET, countBudget, lowerBudget, overBudget, type Counts } from './count-source.ts';

test('the repository is within its budget (tools/count-source.ts --write-budget lowers it)', async () => {
  const budget = JSON.parse(readFileSync(BUDGET, 'utf8')) as Counts;
  const counts = await countBudget();
  expect(Object.keys(counts)).toEqual(Object.keys(budget));
  expect(overBudget(budget, counts)).toEqual([]);
});

test.each([
  [16, 16],
  [143, 143],
  [1_234, 1_240],
  [98_765, 98_800],
  [98_801, 98_900],
])('lowerBudget() rounds %i up to %i', (count, lowered) => {
  expect(lowerBudget({ a: 1e9 }, { a: count })).toEqual({ a: lowered });
});

test('lowerBudget() keeps what is lower, forgets what is not counted, and raises nothing', () => {
  expect(lowerBudget({ a: 1_235, old: 1 }, { a: 1_234, b: 5 })).toEqual({ a: 1_235, b: 5 });
  expect(() => lowerBudget({ a: 9 }, { a: 10 })).toThrow(
    new RangeError('Cannot raise the budget: a: 10, budget 9'),
  );
});
