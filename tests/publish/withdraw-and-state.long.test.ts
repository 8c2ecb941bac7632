/** What `yank`, `deprecate` and `report` refuse; what they propose is in the way from end to end. */
import { beforeEach, describe, expect, it } from 'vitest';
import { OwnerFile } from '../../format/registry/owner-file.ts';
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

function ownerFile(branch: string): string {
  return at.host.git('org/registry', 'show', `${branch}:builds/alice/owner.json`);
}

describe('yank', () => {
  it.each<[string[], number, string]>([
    [['alice/web@1.0.0'], 2, 'ERR_USAGE'],
    [['alice/web@1.0.0', '--reason', ' '], 2, 'ERR_USAGE'],
    [['alice/web', '--reason', 'x'], 2, 'ERR_USAGE'],
    [['alice/web@^1.0.0', '--reason', 'x'], 2, 'ERR_USAGE'],
    [['alice/web@1.0.0', '--reason', 'x'.repeat(301)], 2, 'ERR_USAGE'],
    [['alice/web@1.0.0', '--reason', 'Ask bob@example.org'], 6, 'ERR_PERSONAL_DATA'],
    [['alice/web@9.0.0', '--reason', 'x'], 3, 'ERR_VERSION_NOT_FOUND'],
    [['alice/wbe@1.0.0', '--reason', 'x'], 3, 'ERR_BUILD_NOT_FOUND'],
    [['alice/web@1.0.0', '--undo'], 5, 'ERR_CONFLICT'],
    [['alice/web@1.0.0', '--undo', '--reason', 'x'], 2, 'ERR_USAGE'],
  ])('refuses %j', async (args, status, code) => {
    const ended = await run('yank', ...args);
    expect([ended.status, ended.error.code, at.branches]).toEqual([status, code, []]);
  });
});

describe('deprecate', () => {
  it('records a reason and an existing replacement', async () => {
    const reason = ['--reason', 'Not maintained'];
    const lost = await run('deprecate', 'alice/web', ...reason, '--replacement', 'bob/gone');
    expect([lost.status, lost.error.code]).toEqual([3, 'ERR_BUILD_NOT_FOUND']);
    const ended = await run('deprecate', 'alice/web', ...reason, '--replacement', 'bob/tool');
    expect(ended.status).toBe(0);
    expect(OwnerFile.parse(JSON.parse(ownerFile('deprecate/alice/web')))).toEqual({
      account_id: 4711,
      maintainers: ['carol'],
      deprecated: { web: { reason: 'Not maintained', replacement: 'bob/tool' } },
    });
  });
});

describe('report and flag', () => {
  it.each<[string[], number, string]>([
    [
      ['report', 'alice/web@1.0.0', 'success', '--note', 'My key AKIA0123456789ABCDEF'],
      6,
      'ERR_PERSONAL_DATA',
    ],
    [['report', 'alice/web@1.0.0', 'perhaps'], 2, 'ERR_USAGE'],
    [['report', 'alice/web@1.0.0', 'success', '--account-id', '12'], 2, 'ERR_USAGE'],
    [['report', 'alice/web@1.0.0', 'success', '--account-id', '1e3'], 2, 'ERR_USAGE'],
    [['report', 'alice/web@1.0.0', 'flag'], 2, 'ERR_USAGE'],
    [['report', 'alice/web@1.0.0', 'flag', '--reason', 'dislike'], 2, 'ERR_USAGE'],
  ])('refuse %j', async (args, status, code) => {
    const ended = await run(...args);
    expect([ended.status, ended.error.code, at.branches]).toEqual([status, code, []]);
  });

  it('need an account when there is no token', async () => {
    const args = ['report', 'alice/web@1.0.0', 'failure'];
    const variables = { GITHUB_TOKEN: '', STACKYARD_REPOSITORY: at.host.bare('org/registry') };
    const refused = await at.run([...args, '--registry', url], variables);
    expect([refused.status, refused.error.code]).toEqual([8, 'ERR_NEEDS_ANSWER']);
    const ended = await at.run([...args, '--registry', url, '--account-id', '12'], variables);
    expect([ended.status, ended.data.document.account]).toEqual([0, 'host:12']);
  });
});
