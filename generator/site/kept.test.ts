import { expect, it } from 'vitest';
import { keptInMemory } from './kept.ts';

it('keptInMemory() returns texts as texts and bytes as bytes', () => {
  const kept = keptInMemory();
  kept.set('text', 'a');
  kept.set('bytes', Uint8Array.of(1, 2));
  expect(kept.get('text')).toBe('a');
  expect(kept.get('bytes')).toEqual(Buffer.from([1, 2]));
  expect(kept.get('other')).toBeUndefined();
});
