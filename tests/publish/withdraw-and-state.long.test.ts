/** What `yank`, `deprecate` and `report` refuse; what they propose is in the way from end to end. */
import { beforeEach, describe, expect, it } from 'vitest';
import { serveRegistry } from '../client/registry-fixture.ts';
import { build } from '../generate/git-fixture.ts';
import { PublishingFixture, type Answered } from './publishing-fixture.ts';

const OWNER = '{\n    "account_id": 4711,\n    "maintainers": [ "carol" ]\n}\n';

let at: PublishingFixture;
let url: string;

beforeEach(async () => {
  at = await PublishingFixture.start();
  at.git.commit({ ...build('alice/web', '1.0.0'), 'builds/alice/owner.json': OWNER });
  at.git.commit(build('alice/web', '1.1.0'));
  await at.rehost();
  ({ url } = await serveRegistry(at.git));
});

function run(...args: string[]): Promise<Answered> {
  return at.run([...args, '--registry', url]);
}

describe('yank', () => {
  it.each<[string[], number, string]>([
    [['alice/web@1.0.0', '--reason', ' '], 2, 'ERR_USAGE'],
    [['alice/web@^1.0.0', '--reason', 'x'], 2, 'ERR_USAGE'],
    [['alice/web@1.0.0', '--reason', 'x'.repeat(301)], 2, 'ERR_USAGE'],
    [['alice/wbe@1.0.0', '--reason', 'x'], 3, 'ERR_BUILD_NOT_FOUND'],
    [['alice/web@1.0.0', '--undo'], 5, 'ERR_CONFLICT'],
    [['alice/web@1.0.0', '--undo', '--reason', 'x'], 2, 'ERR_USAGE'],
  ])('refuses %j', async (args, status, code) => {
    const ended = await run('yank', ...args);
    expect([ended.status, ended.error.code, at.branches]).toEqual([status, code, []]);
  });
});

describe('report and flag', () => {
  it.each<[string[], number, string]>([
    [['report', 'alice/web@1.0.0', 'success', '--account-id', '12'], 2, 'ERR_USAGE'],
    [['report', 'alice/web@1.0.0', 'success', '--account-id', '1e3'], 2, 'ERR_USAGE'],
  ])('refuse %j', async (args, status, code) => {
    const ended = await run(...args);
    expect([ended.status, ended.error.code, at.branches]).toEqual([status, code, []]);
  });
});
