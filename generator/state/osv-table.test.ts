import { expect, onTestFinished, test } from 'vitest';
import type { BuildSummary } from '../../format/index/record.ts';
import { State } from './state.ts';

test('ShardTable has the shards by prefix, and the builds under each', () => {
  const state = State.open(':memory:');
  onTestFinished(() => state.close());
  for (const [id, bits] of [
    ['b/y', '0110'],
    ['a/x', '0101'],
    ['a/z', '1000'],
  ] as const) {
    state.setBuild(id.slice(0, 1), bits, { id, updated_at: '' } as BuildSummary);
  }
  expect(state.shards.summariesUnder('01').map(({ id }) => id)).toEqual(['a/x', 'b/y']);
  expect(['', '0', '1', '11'].map((prefix) => state.shards.countUnder(prefix))).toEqual([
    3, 2, 1, 0,
  ]);
  const [one, zero] = [
    { prefix: '1', sha256: 'ff', count: 1 },
    { prefix: '0', sha256: 'aa', count: 2 },
  ];
  state.shards.set(one);
  state.shards.set({ ...zero, sha256: 'bb' });
  state.shards.set(zero);
  expect(state.shards.all()).toEqual([zero, one]);
  state.shards.drop('0');
  expect([state.shards.has('0'), state.shards.has('1')]).toEqual([false, true]);
});
