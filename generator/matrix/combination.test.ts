import { expect, it } from 'vitest';
import type { Axis } from './axis.ts';
import { combinationsOf, keyOf, withLowest } from './combination.ts';

const axis = (tag: string, ...versions: string[]): Axis => {
  return { tag, kind: 'npm', range: '*', versions };
};
const AXES = [axis('express', '4.10.0', '5.3.0'), axis('zod', '3.23.0', '4.6.7')];

it('combinationsOf() varies one tag at a time, the newest of all first', () => {
  const found = combinationsOf(AXES);
  expect(found.map(({ tag, version }) => `${tag} ${version}`)).toEqual([
    'express 5.3.0',
    'zod 4.6.7',
    'express 4.10.0',
    'zod 3.23.0',
  ]);
  expect(found[2]?.versions).toEqual({ express: '4.10.0', zod: '4.6.7' });
  expect(keyOf(found[0]!)).toBe(keyOf(found[1]!));
});

it('withLowest() takes the lowest of the others', () => {
  const [, , express] = combinationsOf(AXES);
  const lowest = { express: '4.10.0', zod: '3.23.0' };
  expect(withLowest(AXES, express!, false)).toMatchObject({ others: 'lowest', versions: lowest });
  const [only] = combinationsOf([axis('node', '22.14.0')]);
  expect(withLowest([axis('node', '22.14.0')], only!, false)).toBeUndefined();
  expect(withLowest([axis('node', '22.14.0')], only!, true)).toMatchObject({ others: 'lowest' });
});
