/** Pull requests that wait, of which several have one commit, or whose commit has many statuses. */
import { describe, expect, it } from 'vitest';
import { ALICE, MALLORY, ROOT } from './gate-fixture.ts';
import { NEW_NAME, Waiting } from './waiting-fixture.ts';

describe('a pull request that waits', () => {
  it('has a clock of its own: a second pull request from the same commit starts a new one', async () => {
    const at = await Waiting.open();
    const first = await at.propose();
    at.pass(25);
    const second = at.host.pullAgain(ALICE, first);
    expect(await at.publish(second)).toBe(false);
    expect(new Set(at.host.statuses.map(({ context }) => context))).toEqual(
      new Set(['stackyard/gate/1', 'stackyard/gate/2']),
    );
    at.pass(23);
    expect([await at.wake(), await at.publish(second)]).toEqual([['1'], false]);
  });

  it('is not merged by itself when it was closed before the gate had judged it', async () => {
    const at = await Waiting.open();
    const first = at.host.pull(ALICE, NEW_NAME);
    const { verdict } = await at.host.gate(first);
    Object.assign(first, { state: 'closed', closed_by: ROOT });
    await at.host.settle(first, verdict);
    expect([first.comments, first.labels]).toEqual([[], ['version: alice/image-cutter@1.0.0']]);
    const second = at.host.pullAgain(ALICE, first);
    await at.publish(second);
    at.pass(1_000);
    expect([await at.wake(), await at.publish(second)]).toEqual([[], false]);
  });

  it('is not delayed by a stranger who opens and closes a pull request from its commit', async () => {
    const at = await Waiting.open();
    const pull = await at.propose();
    at.pass(25);
    const strange = at.host.pullAgain(MALLORY, pull);
    await at.host.publish(strange);
    expect(strange.labels).toEqual(['gate: refuse']);
    Object.assign(strange, { state: 'closed', closed_by: MALLORY });
    expect([await at.wake(), await at.publish(pull)]).toEqual([['1'], true]);
  });

  it('finds its clock among the statuses of many pull requests, and stops at too many', async () => {
    const at = await Waiting.open();
    const pull = await at.propose();
    at.pass(25);
    const [own] = at.host.statuses.splice(0);
    const others = (count: number): void => {
      for (let n = 0; n < count; n += 1) {
        const context = `ci/${at.host.statuses.length}`;
        at.host.statuses.push({ ...own!, context });
      }
    };
    others(250);
    at.host.statuses.push(own!);
    expect(await at.wake()).toEqual(['1']);
    for (let n = 1; n <= 60; n += 1) {
      at.host.statuses.push({ ...own!, context: `stackyard/gate/${n + 1}` });
    }
    expect([await at.wake(), await at.publish(pull)]).toEqual([[], false]);
  });
});
