/** Pull requests that are merged after a waiting period: runs the scripts of waiting.yml and publish.yml. */
import { describe, expect, it } from 'vitest';
import type { Files } from '../generate/git-fixture.ts';
import { CAROL, build, ownerFile } from './gate-fixture.ts';
import { DAYS, NEW_NAME, Waiting } from './waiting-fixture.ts';

const VERSION = 'version: alice/image-cutter@1.0.0';

describe('a pull request that waits', () => {
  it('is merged once its waiting period is over, and not before', async () => {
    const at = await Waiting.open();
    const pull = await at.propose();
    expect(pull.labels).toEqual(['gate: waiting', VERSION]);
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
    expect(pull.labels).toEqual(['gate: waiting', VERSION, 'hold']);
    pull.labels = ['gate: waiting', VERSION];
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
    expect(await at.publish(pull)).toBe(false);
    expect([await at.wake(), await at.publish(pull)]).toEqual([[], false]);
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
    expect([pull.labels, pull.comments.length]).toEqual([[VERSION, 'gate: refuse'], 1]);
    at.pass(1_000);
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
    expect(pull.labels).toContain('gate: review');
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
