/** A clock that only pauses move, and a request that fails until `ms`. */
import { describe, expect, it } from 'vitest';
import { withRetries } from './s3-store.ts';

function failing(until: number, forMs: number) {
  let time = 0;
  const tries: number[] = [];
  const patience = {
    forMs,
    now: () => time,
    sleep: (ms: number): Promise<void> => {
      time += ms;
      return Promise.resolve();
    },
  };
  const attempt = (): Promise<string> => {
    tries.push(time);
    return time < until ? Promise.reject(new Error('busy')) : Promise.resolve('done');
  };
  return { attempt, patience, tries };
}

describe('withRetries()', () => {
  it('survives a minute of failures with few requests', async () => {
    const { attempt, patience, tries } = failing(60_000, 150_000);
    expect(await withRetries(attempt, () => true, patience)).toBe('done');
    expect(tries.length).toBeGreaterThan(8);
    expect(tries.length).toBeLessThan(30);
  });

  it('gives up in time, with the failure', async () => {
    const { attempt, patience, tries } = failing(1_000_000, 20_000);
    await expect(withRetries(attempt, () => true, patience)).rejects.toThrow('busy');
    expect(tries.at(-1)).toBeLessThanOrEqual(20_000);
  });

  it('does not repeat what cannot succeed', async () => {
    const { attempt, patience, tries } = failing(1, 20_000);
    await expect(withRetries(attempt, () => false, patience)).rejects.toThrow('busy');
    expect(tries).toHaveLength(1);
  });
});
