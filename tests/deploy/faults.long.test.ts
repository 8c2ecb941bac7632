/** Deployments that end at any write, that find no space, and two at once: a client reads one whole state at every moment. */
import { describe, expect, it } from 'vitest';
import { GeneratorError } from '../../generator/errors.ts';
import type { Store } from '../../generator/deploy/store.ts';
import {
  DAY_MS,
  HOUR_MS,
  MadeIndex,
  MemoryStore,
  deployMade,
  expectWhole,
  readState,
  textsOf,
} from './made-index.ts';

const first = textsOf(1, 112);
/** Most of it is new, and some of it comes back. */
const second = [...textsOf(2, 100), ...first.slice(100), 'z'];

/** A store with the first state, and with files of an earlier one that wait. */
async function deployed(index: MadeIndex): Promise<MemoryStore> {
  const store = new MemoryStore();
  await deployMade(store, index.set([...textsOf(0, 40), ...second.slice(4, 12)]));
  store.time += HOUR_MS;
  await deployMade(store, index.set(first));
  store.time += 23 * HOUR_MS;
  return store;
}

/** Deploys the second state; each write from the one with number `end` on fails. @returns whether there were fewer */
function deployUntil(
  store: MemoryStore,
  index: MadeIndex,
  graceMs: number,
  fail: (isWrite: boolean) => void,
  end: number,
): Promise<boolean> {
  store.before = (_path, isWrite) => {
    if (store.writes >= end) fail(isWrite);
  };
  return deployMade(store, index, { graceMs }).then(
    () => true,
    (error: unknown) => {
      expect(String(error)).toMatch(/killed|no space/);
      return false;
    },
  );
}

const killed = (): void => {
  throw new Error('killed');
};
const full = (isWrite: boolean): void => {
  if (isWrite) throw new GeneratorError('ERR_STORE_FULL', 'no space');
};

describe.each([
  ['killed', killed, DAY_MS],
  ['killed, without a grace time', killed, 0],
  ['on a full disk', full, DAY_MS],
  ['on a full disk, without a grace time', full, 0],
])('a deployment that is %s', (_what, fail, graceMs) => {
  it('at any write leaves the old or the new state whole, and the next run completes it', async () => {
    const index = new MadeIndex();
    const before = await deployed(index);
    index.set(second);
    for (let [end, isOver] = [1, false]; !isOver; end += 1) {
      const store = before.copy();
      isOver = await deployUntil(store, index, graceMs, fail, end);
      expect([first[0], second[0]]).toContain(readState(store));
      if (isOver) expect(end).toBeGreaterThan(200);
      store.before = () => expect([first[0], second[0]]).toContain(readState(store));
      store.time += 2 * DAY_MS;
      await deployMade(store, index, { graceMs });
      expectWhole(store, index);
      if (end % 10 !== 0) continue;
      // Once more, because the run that did not end may be at work still.
      await deployMade(store, index);
      expect((await deployMade(store, index)).uploads).toEqual([]);
    }
  });
});

/** A store of which each request waits until it is its turn. */
class Gate {
  readonly waiting: (() => void)[] = [];

  constructor(store: MemoryStore) {
    const turn = (): Promise<void> => new Promise((resolve) => this.waiting.push(resolve));
    this.store = {
      place: store.place,
      now: store.now,
      read: (path) => turn().then(() => store.read(path)),
      write: (...args) => turn().then(() => store.write(...args)),
      remove: (path) => turn().then(() => store.remove(path)),
      list: () => store.list(),
    };
  }

  readonly store: Store;
}

describe('two deployments at once', () => {
  const settle = (): Promise<void> =>
    new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

  /** The first makes `i` requests, the second `j`, the first `k`, then each all that are left. @returns what they ended with */
  async function interleave(
    store: MemoryStore,
    [a, b]: readonly [MadeIndex, MadeIndex],
    turns: readonly number[],
    graceMs: number,
  ): Promise<{ readonly outcomes: string[]; readonly made: number[] }> {
    const gates = [new Gate(store), new Gate(store)] as const;
    const runs = [a, b].map((index, at) => {
      const options = { graceMs: at === 0 ? graceMs : DAY_MS };
      return deployMade(gates[at]!.store, index, options).then(
        () => 'done',
        (error: unknown) => (error as GeneratorError).code,
      );
    });
    const states: unknown[] = ['first', 'second', 'third'];
    const made: number[] = [];
    for (const [at, count] of [...turns, Infinity, Infinity].entries()) {
      const gate = gates[at % 2]!;
      for (made[at] = 0; made[at]! < count; made[at]! += 1) {
        await settle();
        expect(states).toContain(readState(store));
        const next = gate.waiting.shift();
        if (next === undefined) break;
        next();
      }
    }
    return { outcomes: await Promise.all(runs), made };
  }

  it.each([
    ['with a grace time', DAY_MS],
    ['without', 0],
  ])('%s: one wins, the other says so, and the next run mends aliases', async (_what, graceMs) => {
    const indexes = [new MadeIndex(), new MadeIndex(), new MadeIndex()] as const;
    const before = new MemoryStore();
    await deployMade(before, indexes[0].set(['zero', 'x', 'y']));
    before.time += HOUR_MS;
    await deployMade(before, indexes[0].set(['first', 'x', 'z']));
    before.time += 23 * HOUR_MS;
    indexes[0].set(['second', 'x', 'second of z']);
    indexes[1].set(['third', 'x', 'third of z']);
    const seen = new Set<string>();
    for (let [first, isLast] = [0, false]; !isLast; first += 1) {
      for (let [second, isOver] = [1, false]; !isOver; second += 1) {
        const store = before.copy();
        const turns = [first, second];
        const { outcomes, made } = await interleave(
          store,
          [indexes[0], indexes[1]],
          turns,
          graceMs,
        );
        isLast = made[0]! < first;
        isOver = made[1]! < second;
        seen.add(outcomes.join(' '));
        expect(outcomes, turns.join()).toContain('done');
        for (const outcome of outcomes) expect(['done', 'ERR_DEPLOY_LOST']).toContain(outcome);
        await deployMade(store, indexes[2].set(['second', 'x', 'fourth of z']));
        expectWhole(store, indexes[2]);
      }
    }
    expect([...seen].sort()).toEqual(['ERR_DEPLOY_LOST done', 'done ERR_DEPLOY_LOST', 'done done']);
  });
});
