/** What a person with rights has rejected stays rejected, whatever the publisher does to the commit or the pull request. */
import { describe, expect, it } from 'vitest';
import type { Files } from '../generate/git-fixture.ts';
import type { Pull } from './code-host-fixture.ts';
import { ALICE, MALLORY, ROOT, build } from './gate-fixture.ts';
import { NEW_NAME, Waiting } from './waiting-fixture.ts';

const AMENDED = build('alice/image-cutter', '1.0.0', {}, { 'src/other.ts': 'export {};\n' });
/** A new version that starts a program: an admin looks at it. */
const GAINS = build(
  'alice/web-forms',
  '1.1.0',
  {},
  {
    'src/run.ts': "import { execFileSync } from 'node:child_process';\nexecFileSync('ls');\n",
  },
);
/** The same version without that: the gate has no reason left. */
const GAINS_NOTHING = build('alice/web-forms', '1.1.0', {}, { 'src/run.ts': 'export {};\n' });

const close = (pull: Pull): void => void Object.assign(pull, { state: 'closed', closed_by: ROOT });
const hold = (pull: Pull): void => void pull.labels.push('hold');

function amend(at: Waiting, pull: Pull, files: Files): void {
  at.host.git.git('checkout', '-q', '-f', pull.branch);
  at.host.git.commit(files);
  at.host.push(pull.branch, pull.number);
}

const approval = (at: Waiting, pull: Pull) => ({
  APPROVED_BY: ROOT.login,
  APPROVED_BY_ID: String(ROOT.id),
  APPROVED_HEAD: at.host.headOf(pull.number),
  TRIGGERED_BY: ROOT.login,
});

describe.each([
  ['held', hold],
  ['closed', close],
] as const)('a version that was %s', (how, reject) => {
  it('does not land from another commit of another pull request', async () => {
    const at = await Waiting.open();
    const first = await at.propose();
    reject(first);
    const second = await at.propose(AMENDED);
    at.pass(1_000);
    expect([await at.wake(), await at.publish(second)]).toEqual([[], false]);
    // The next version is another one.
    const next = await at.propose(build('alice/image-cutter', '1.0.1'));
    at.pass(1_000);
    expect([await at.wake(), await at.publish(next)]).toEqual([['3'], true]);
  });

  it('does not land when the gate has no reason against its next form', async () => {
    const at = await Waiting.open({});
    const first = await at.propose(GAINS);
    expect(first.labels).toContain('gate: review');
    reject(first);
    const second = at.host.pull(ALICE, GAINS_NOTHING);
    expect(await at.publish(second)).toBe(false);
    expect(second.labels).toContain('gate: merge');
    expect(await at.publish(second)).toBe(false);
  });

  it('lands again once it was lifted', async () => {
    const at = await Waiting.open();
    const first = await at.propose();
    reject(first);
    const second = await at.propose(AMENDED);
    at.pass(1_000);
    expect(await at.publish(second)).toBe(false);
    if (how === 'held') first.labels = first.labels.filter((label) => label !== 'hold');
    else first.labels.push('lifted');
    expect(await at.wake()).toContain('2');
    expect(await at.publish(second)).toBe(true);
  });

  it('lands when an admin approves exactly this commit', async () => {
    const at = await Waiting.open({});
    const first = await at.propose(GAINS);
    reject(first);
    const second = at.host.pull(ALICE, GAINS_NOTHING);
    await at.host.publish(second);
    const { main } = at.host;
    await at.host.publish(second, { ...approval(at, second), APPROVED_HEAD: main });
    expect(at.host.main).toBe(main);
    await at.host.publish(second, approval(at, second));
    expect(at.host.main).not.toBe(main);
  });
});

describe('a pull request', () => {
  it('with the label hold does not land when an amended commit leaves no reason', async () => {
    const at = await Waiting.open({});
    const pull = await at.propose(GAINS);
    hold(pull);
    amend(at, pull, { ...GAINS_NOTHING });
    expect(await at.publish(pull)).toBe(false);
    expect(pull.labels).toEqual(expect.arrayContaining(['gate: merge', 'hold']));
    pull.labels = pull.labels.filter((label) => label !== 'hold');
    expect(await at.publish(pull)).toBe(true);
  });

  it('of a stranger binds nothing of the owner, also when an admin closes it', async () => {
    const at = await Waiting.open();
    const strange = at.host.pull(MALLORY, AMENDED);
    await at.host.publish(strange);
    expect(strange.labels).toEqual(['gate: refuse']);
    close(strange);
    const pull = await at.propose();
    at.pass(25);
    expect([await at.wake(), await at.publish(pull)]).toEqual([['2'], true]);
  });

  it('that its own author closed is no rejection', async () => {
    const at = await Waiting.open();
    const first = await at.propose();
    Object.assign(first, { state: 'closed', closed_by: ALICE });
    const second = await at.propose(AMENDED);
    at.pass(25);
    expect([await at.wake(), await at.publish(second)]).toEqual([['2'], true]);
  });
});

describe('the waiting time', () => {
  it('does not run while the pull request is a draft', async () => {
    const at = await Waiting.open();
    const pull = at.host.pull(ALICE, NEW_NAME);
    pull.draft = true;
    await at.host.publish(pull);
    at.pass(1_000);
    pull.draft = false;
    // `ready_for_review` starts the workflow.
    expect([await at.publish(pull), await at.wake()]).toEqual([false, []]);
    at.pass(23);
    expect([await at.wake(), await at.publish(pull)]).toEqual([[], false]);
    at.pass(1);
    expect([await at.wake(), await at.publish(pull)]).toEqual([['1'], true]);
  });
});
