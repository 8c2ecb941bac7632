// The bounded map.

import { expect, test } from 'vitest';
import { RecentMap } from './recent-map.js';

test('RecentMap forgets what was not used for longest', () => {
  const map = new RecentMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  expect(map.get('a')).toBe(1);
  map.set('c', 3);
  expect([map.get('a'), map.get('b'), map.get('c'), map.size]).toEqual([1, undefined, 3, 2]);
  map.set('a', 4);
  expect([map.get('a'), map.size]).toEqual([4, 2]);
  map.delete('a');
  expect([map.get('a'), map.size]).toEqual([undefined, 1]);
});
