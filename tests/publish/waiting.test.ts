/** Pull requests that are merged after a waiting period: runs the scripts of waiting.yml and publish.yml. */
import { describe, expect, it } from 'vitest';
import { build } from '../generate/git-fixture.ts';
import type { Files } from '../generate/git-fixture.ts';
import { CodeHostFixture } from './code-host-fixture.ts';
import type { Pull } from './code-host-fixture.ts';
import { ALICE, CAROL, MALLORY, REGISTRY, ROOT, ownerFile } from './gate-fixture.ts';

const DAYS = { 'gate-new-name': 24, 'gate-name-twin': 72 };
const NEW_NAME = build('alice/image-cutter', '1.0.0');

class Waiting {
  readonly host: CodeHostFixture;

  private constructor(host: CodeHostFixture) {
    this.host = host;
  }

  static async open(hours: object = DAYS): Promise<Waiting> {
    const config = JSON.parse(String(REGISTRY['registry.config.json'])) as object;
    const text = JSON.stringify({ ...config, waiting_hours: hours });
    return new Waiting(await CodeHostFixture.open({ ...REGISTRY, 'registry.config.json': text }));
  }

  /** Opens a pull request of Alice, which the gate judges. */
  async propose(files: Files = NEW_NAME): Promise<Pull> {
    const pull = this.host.pull(ALICE, files);
    await this.host.publish(pull);
    return pull;
  }

  /** Moves the times of all statuses back by so much. */
  pass(hours: number): void {
    for (const status of this.host.statuses) {
      const time = Date.parse(status.created_at) - hours * 3_600_000;
      status.created_at = new Date(time).toISOString();
    }
  }

  /** Runs waiting.yml; returns the pull requests that it has judged again. */
  async wake(): Promise<string[]> {
    const before = this.host.dispatched.length;
    const ran = await this.host.run('wake-waiting', { GITHUB_TOKEN: 'write' });
    if (ran.status !== 0) throw new Error(ran.stdout);
    const woken = this.host.dispatched.slice(before);
    return woken.map(({ file, inputs }) =>
      file === 'publish.yml' ? (inputs['pull'] ?? '') : file,
    );
  }

  /** Merges another change into the main branch. */
  async landed(files: Files): Promise<void> {
    const { git } = this.host;
    git.git('fetch', '-q', 'origin', 'main');
    git.git('checkout', '-q', '-f', 'FETCH_HEAD');
    git.commit(files);
    git.git('push', '-q', 'origin', 'HEAD:main');
  }

  /** Runs publish.yml as waiting.yml starts it; returns whether it merged. */
  async publish(pull: Pull): Promise<boolean> {
    const before = this.host.main;
    await this.host.publish(pull);
    const isMerged = this.host.main !== before;
    if (isMerged) pull.state = 'closed';
    return isMerged;
  }
}

describe('a pull request that waits', () => {
  it('is merged once its waiting period is over, and not before', async () => {
    const at = await Waiting.open();
    const pull = await at.propose();
    expect(pull.labels).toEqual(['gate: waiting']);
    expect(pull.comments[0]?.body).toContain('it is merged 24 hours after');
    expect(at.host.statuses).toMatchObject([
      {
        state: 'pending',
        description: expect.stringMatching(/^Merged after 24 hours unless held/),
      },
    ]);
    at.pass(23);
    expect([await at.wake(), await at.publish(pull)]).toEqual([[], false]);
    // Judging it again does not restart the period.
    expect(at.host.statuses).toHaveLength(1);
    at.pass(1);
    expect(await at.wake()).toEqual(['1']);
    expect(await at.publish(pull)).toBe(true);
    expect(at.host.dispatched.at(-1)?.file).toBe('deploy.yml');
  });

  it('is not merged while it has the label hold', async () => {
    const at = await Waiting.open();
    const pull = await at.propose();
    at.pass(1_000);
    pull.labels.push('hold');
    expect([await at.wake(), await at.publish(pull)]).toEqual([[], false]);
    expect(pull.labels).toEqual(['gate: waiting', 'hold']);
    pull.labels = ['gate: waiting'];
    expect(await at.publish(pull)).toBe(true);
  });

  it('restarts its period with each commit, and is not merged as a draft', async () => {
    const at = await Waiting.open();
    const pull = await at.propose();
    at.pass(25);
    at.host.git.git('checkout', '-q', pull.branch);
    at.host.git.commit({ 'builds/alice/image-cutter/src/index.ts': 'export const other = 1;\n' });
    at.host.push(pull.branch, pull.number);
    expect([await at.wake(), await at.publish(pull)]).toEqual([[], false]);
    at.pass(25);
    pull.draft = true;
    expect([await at.wake(), await at.publish(pull)]).toEqual([[], false]);
    pull.draft = false;
    expect(await at.publish(pull)).toBe(true);
  });

  it('restarts its period when the reasons change, and not when the main branch does', async () => {
    const at = await Waiting.open();
    const pull = await at.propose();
    const other = await at.propose(build('alice/crop-planner', '1.0.0'));
    at.pass(25);
    await at.landed(build('carol/crop-planner', '1.0.0'));
    expect(await at.wake()).toEqual(['1', '2']);
    expect([await at.publish(pull), await at.publish(other)]).toEqual([true, false]);
    expect(other.comments[0]?.body).toContain('gate-name-twin');
    at.pass(71);
    expect([await at.wake(), await at.publish(other)]).toEqual([[], false]);
    at.pass(1);
    expect([await at.wake(), await at.publish(other)]).toEqual([['2'], true]);
  });

  it('is never merged once the gate refuses it', async () => {
    const at = await Waiting.open();
    const pull = await at.propose();
    at.pass(25);
    await at.landed(build('alice/image-cutter', '1.0.0', {}, { 'other.ts': 'export {};\n' }));
    expect(await at.wake()).toEqual(['1']);
    expect(await at.publish(pull)).toBe(false);
    expect([pull.labels, pull.comments.length]).toEqual([['gate: refuse'], 1]);
    at.pass(1_000);
    expect([await at.wake(), await at.publish(pull)]).toEqual([[], false]);
  });

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

  it('is held in every pull request from its commit', async () => {
    const at = await Waiting.open();
    const first = await at.propose();
    first.labels.push('hold');
    const second = at.host.pullAgain(ALICE, first);
    await at.publish(second);
    at.pass(1_000);
    expect([await at.wake(), await at.publish(second)]).toEqual([[], false]);
    // The label counts on a closed one too, and after its branch moved on.
    first.state = 'closed';
    expect([await at.wake(), await at.publish(second)]).toEqual([[], false]);
    at.host.git.git('push', '-q', '-f', 'origin', 'HEAD~1:refs/pull/1/head');
    expect([await at.wake(), await at.publish(second)]).toEqual([[], false]);
    first.labels = [];
    first.closed_by = ALICE;
    expect([await at.wake(), await at.publish(second)]).toEqual([['2'], true]);
  });

  it.each([
    ['an admin', ROOT],
    ['an account that is gone', null],
  ])('is not merged by itself once %s closed a pull request from its commit', async (_, who) => {
    const at = await Waiting.open();
    const first = await at.propose();
    Object.assign(first, { state: 'closed', closed_by: who });
    const second = at.host.pullAgain(ALICE, first);
    await at.publish(second);
    at.pass(1_000);
    expect([await at.wake(), await at.publish(second)]).toEqual([[], false]);
    expect(second.state).toBe('open');
  });

  it('is not merged by itself when it was closed before the gate had judged it', async () => {
    const at = await Waiting.open();
    const first = at.host.pull(ALICE, NEW_NAME);
    const { verdict } = await at.host.gate(first);
    Object.assign(first, { state: 'closed', closed_by: ROOT });
    await at.host.settle(first, verdict);
    expect([first.comments, first.labels]).toEqual([[], []]);
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

  it.each<[string, object, Files]>([
    ['without a period', {}, NEW_NAME],
    [
      'with a reason that has none',
      DAYS,
      { ...NEW_NAME, 'builds/alice/owner.json': ownerFile(11) },
    ],
    ['that changes the registry itself', DAYS, { 'generator/commands/generate.ts': 'evil();\n' }],
  ])('is never one %s', async (_, hours, files) => {
    const at = await Waiting.open(hours);
    const pull = await at.propose(files);
    expect(pull.labels).toEqual(['gate: review']);
    at.pass(100_000);
    expect([await at.wake(), await at.publish(pull)]).toEqual([[], false]);
  });

  it('ignores statuses of another commit or context', async () => {
    const at = await Waiting.open();
    const pull = await at.propose();
    const [own] = at.host.statuses.splice(0);
    at.host.statuses.push({ ...own!, sha: at.host.main }, { ...own!, context: 'ci' });
    at.pass(100);
    expect([await at.wake(), await at.publish(pull)]).toEqual([[], false]);
  });
});

describe('wake-waiting.ts', () => {
  it('reports what it cannot read, and starts the others', async () => {
    const at = await Waiting.open();
    const [first, second] = [
      await at.propose(),
      at.host.pull(CAROL, build('carol/crop-planner', '1.0.0')),
    ];
    await at.host.publish(second);
    at.pass(100);
    at.host.git.git('-C', at.host.host, 'update-ref', '-d', `refs/pull/${first.number}/head`);
    const ran = await at.host.run('wake-waiting', { GITHUB_TOKEN: 'write' });
    expect([ran.status, ran.stdout]).toEqual([1, expect.stringMatching(/^::error::#1: /)]);
    expect(ran.stdout).toContain('judged again: #2\n');
  });
});
