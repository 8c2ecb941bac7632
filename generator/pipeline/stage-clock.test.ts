import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { StageClock, StepClock, stageSeconds } from './stage-clock.ts';

/** By the clock of the processor: on a busy machine this thread may have none of the time that passes. */
function useProcessor(milliseconds: number): number {
  const before = process.cpuUsage();
  let turns = 0;
  for (;;) {
    const { user, system } = process.cpuUsage(before);
    if (user + system >= milliseconds * 1000) return turns;
    turns += 1;
  }
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

describe('StageClock', () => {
  it('names waiting from work', async () => {
    const clock = new StageClock();
    useProcessor(30);
    const working = clock.mark();
    // On a busy machine the time can be over before the thread gets to wait.
    let waiting = working;
    for (let tries = 0; tries < 50 && waiting.waiting <= working.waiting; tries += 1) {
      await setTimeout(100);
      waiting = clock.mark();
    }
    expect(working.all).toBeGreaterThan(0);
    expect(working.main).toBeGreaterThan(0);
    expect(waiting.waiting).toBeGreaterThan(working.waiting);
  });
});

describe('stageSeconds()', () => {
  const steps = { validate: 1, check: 2, pack: 3 };

  it('counts for discovering what the main thread used', () => {
    const used = { all: 10.0004, main: 1.5, waiting: 1.5 };
    expect(stageSeconds(used, steps, { record: 0.5, emit: 0.25 })).toEqual({
      discover: 1.5,
      validate: 1,
      check: 2,
      pack: 3,
      threads: 2.5,
      record: 0.5,
      emit: 0.25,
      waiting: 1.5,
    });
  });

  it('never goes below zero, where clocks are coarse', () => {
    const used = { all: 5.9, main: 5.9, waiting: 0 };
    expect(stageSeconds(used, steps, { record: 0, emit: 0 }).threads).toBe(0);
  });
});
