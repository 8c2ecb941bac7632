/** `yank`, `deprecate`, `report` and `flag`: the content of their pull requests, and the effect on the registry. */
import { beforeEach, describe, expect, it } from 'vitest';
import { OwnerFile } from '../../format/registry/owner-file.ts';
import { parseStatementPath, statementId, Report } from '../../format/statement/statement.ts';
import { serveRegistry } from '../client/registry-fixture.ts';
import { build } from '../generate/git-fixture.ts';
import { PublishingFixture, type Answered } from './publishing-fixture.ts';

const OWNER = '{\n    "account_id": 4711,\n    "maintainers": [ "carol" ]\n}\n';

let at: PublishingFixture;
let url: string;
let integrity: string;

beforeEach(async () => {
  at = await PublishingFixture.start();
  at.git.commit({ ...build('alice/web', '1.0.0'), 'builds/alice/owner.json': OWNER });
  at.git.commit(build('alice/web', '1.1.0'));
  await at.rehost();
  ({ url } = await serveRegistry(at.git));
  const info = await at.run(['info', 'alice/web@1.0.0', '--registry', url]);
  integrity = info.data.integrity;
});

function run(...args: string[]): Promise<Answered> {
  return at.run([...args, '--registry', url]);
}

function ownerFile(branch: string): string {
  return at.host.git('org/registry', 'show', `${branch}:builds/alice/owner.json`);
}

describe('yank', () => {
  it("edits the owner's file and nothing else of it, and its undo reverts the edit", async () => {
    const ended = await run('yank', 'alice/web@1.0.0', '--reason', 'Loses the last line');
    expect([ended.status, ended.data.files]).toEqual([
      0,
      [{ path: 'builds/alice/owner.json', change: 'changed' }],
    ]);
    const branch = 'yank/alice/web@1.0.0';
    expect(at.host.pulls).toMatchObject([
      {
        title: 'Yank alice/web 1.0.0',
        head: `org:${branch}`,
        body: expect.stringContaining('Loses'),
      },
    ]);
    const text = ownerFile(branch);
    expect(text.startsWith(OWNER.trimEnd().replace(/\n\}$/, ''))).toBe(true);
    expect(OwnerFile.parse(JSON.parse(text)).yanked).toEqual({
      web: { '1.0.0': 'Loses the last line' },
    });
    // After the merge the registry shows the yank, and the undo restores the previous file.
    at.git.commit({ 'builds/alice/owner.json': `${text}\n` });
    await at.rehost();
    ({ url } = await serveRegistry(at.git));
    const head = await run('info', 'alice/web');
    expect(head.data.versions).toContainEqual(
      expect.objectContaining({ version: '1.0.0', yanked: true }),
    );
    const again = await run('yank', 'alice/web@1.0.0', '--reason', 'Loses the last line');
    expect([again.status, again.error.message]).toEqual([5, expect.stringContaining('already')]);
    const undone = await run('yank', 'alice/web@1.0.0', '--undo');
    expect(undone.status).toBe(0);
    expect(`${ownerFile('unyank/alice/web@1.0.0')}\n`).toBe(OWNER);
  });

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
  it('propose one file that is named by its digest', async () => {
    const note = ['--note', 'Works with  Node 24'];
    const ended = await run('report', 'alice/web@1.0.0', 'success', ...note);
    expect(ended.status).toBe(0);
    const [{ path }] = ended.data.files as [{ path: string }];
    const text = at.host.git('org/registry', 'show', `${ended.data.branch}:${path}`);
    const report = Report.parse(JSON.parse(text));
    expect(report).toMatchObject({
      account: 'host:4711',
      build: 'alice/web',
      version: '1.0.0',
      integrity,
      outcome: 'success',
      note: 'Works with Node 24',
    });
    expect(parseStatementPath(path)).toEqual({
      kind: 'reports',
      build: 'alice/web',
      version: '1.0.0',
      id: statementId(report),
    });
    const flagged = await run(
      'report',
      'alice/web@1.1.0',
      'flag',
      '--reason',
      'broken',
      '--dry-run',
    );
    expect([flagged.status, flagged.data.document.reason, at.branches.length]).toEqual([
      0,
      'broken',
      1,
    ]);
  });

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
