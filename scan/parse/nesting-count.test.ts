import { expect, it } from 'vitest';
import { INFIX_WEIGHT, NestingCount, WEIGHT } from './nesting-count.ts';

it('counts open brackets, and operators until their statement ends', () => {
  const count = new NestingCount();
  count.add(WEIGHT);
  count.open();
  count.add(INFIX_WEIGHT);
  expect(count.total).toBe(2 * WEIGHT + INFIX_WEIGHT);
  count.settle();
  expect(count.total).toBe(2 * WEIGHT);
  count.close();
  count.settle();
  expect(count.total).toBe(0);
});

it('keeps what an else adds until its bracket closes', () => {
  const count = new NestingCount();
  count.open();
  count.add(WEIGHT);
  count.keep();
  count.settle();
  expect(count.total).toBe(2 * WEIGHT);
  count.close();
  count.close();
  expect(count.total).toBe(0);
});
