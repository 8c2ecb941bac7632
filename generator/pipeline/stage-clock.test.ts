import { describe, expect, it } from 'vitest';
import { StepClock, stageSeconds } from './stage-clock.ts';

function useProcessor(milliseconds: number): number {
  const until = performance.now() + milliseconds;
  let turns = 0;
  while (performance.now() < until) turns += 1;
  return turns;
}

describe('StepClock', () => {
  it('counts the processor time of a step and returns its result', () => {
    const clock = new StepClock();
    expect(clock.measure('check', () => useProcessor(30))).toBeGreaterThan(0);
    const { validate, check, pack } = clock.take();
    expect(check).toBeGreaterThan(0);
    expect([validate, pack]).toEqual([0, 0]);
  });

  it('counts a step that throws', () => {
    const clock = new StepClock();
    const fail = (): never => {
      useProcessor(30);
      throw new Error('no');
    };
    expect(() => clock.measure('pack', fail)).toThrow('no');
    expect(clock.take().pack).toBeGreaterThan(0);
  });

  it('adds the steps of other threads, and starts from zero when they are taken', () => {
    const clock = new StepClock();
    clock.add({ validate: 1, check: 2, pack: 3 });
    clock.add({ validate: 1, check: 0, pack: 0 });
    expect(clock.take()).toEqual({ validate: 2, check: 2, pack: 3 });
    expect(clock.take()).toEqual({ validate: 0, check: 0, pack: 0 });
  });
});

describe('stageSeconds()', () => {
  it('counts for discovering what collecting used in addition to the steps', () => {
    const steps = { validate: 1, check: 2, pack: 3 };
    expect(stageSeconds(10.0004, steps, { record: 0.5, emit: 0.25 })).toEqual({
      discover: 4,
      validate: 1,
      check: 2,
      pack: 3,
      record: 0.5,
      emit: 0.25,
    });
  });

  it('never goes below zero, where clocks are coarse', () => {
    const steps = { validate: 1, check: 2, pack: 3 };
    expect(stageSeconds(5.9, steps, { record: 0, emit: 0 }).discover).toBe(0);
  });
});
