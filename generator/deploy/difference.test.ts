import { describe, expect, it } from 'vitest';
import { atOnce } from './difference.ts';

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('atOnce()', () => {
  it('does everything, and never more at a time than allowed', async () => {
    let [now, most] = [0, 0];
    const done: number[] = [];
    await atOnce([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
      most = Math.max(most, (now += 1));
      await tick();
      now -= 1;
      done.push(item);
    });
    expect(done.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(most).toBe(3);
  });

  it('begins nothing after a failure, and ends after what is under way', async () => {
    const ended: number[] = [];
    const run = atOnce([1, 2, 3, 4], 2, async (item) => {
      if (item === 1) throw new Error('first');
      await tick();
      ended.push(item);
    });
    await expect(run).rejects.toThrow('first');
    expect(ended).toEqual([2]);
  });
});
