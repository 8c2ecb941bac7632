/** `publish` against real repositories over git's HTTP protocol and an API on a real server. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeProject, readProject, serveAnswers } from '../client/registry-fixture.ts';
import { temporaryFolder } from '../generate/git-fixture.ts';
import { CodeHostFixture, TOKEN } from './code-host.ts';
import { FILES, PublishingFixture } from './publishing-fixture.ts';

const BRANCH = 'publish/alice/web@1.0.0';

let at: PublishingFixture;

beforeEach(async () => {
  at = await PublishingFixture.start();
});

describe('publish', () => {
  it('pushes a branch and opens a pull request, with the owner file of a first-time owner', async () => {
    const project = makeProject(FILES);
    const before = readProject(project);
    chmodSync(join(project, 'src/index.ts'), 0o755);
    const ended = await at.run(['publish', project]);
    expect([ended.status, ended.stderr]).toEqual([0, expect.any(String)]);
    expect(ended.data).toMatchObject({
      build: 'alice/web',
      version: '1.0.0',
      branch: BRANCH,
      base: 'main',
      state: 'pushed',
      pull_request: expect.stringMatching(/\/org\/registry\/pull\/1$/),
    });
    expect(at.host.files('org/registry', BRANCH)).toEqual([
      '100644 README.md',
      '100644 builds/alice/owner.json',
      '100644 builds/alice/web/LICENSE',
      '100644 builds/alice/web/README.md',
      '100755 builds/alice/web/src/index.ts',
      '100644 builds/alice/web/stackyard.json',
      '100644 builds/bob/tool/LICENSE',
      '100644 builds/bob/tool/README.md',
      '100644 builds/bob/tool/src/index.ts',
      '100644 builds/bob/tool/stackyard.json',
      '100644 registry.config.json',
    ]);
    expect(at.host.git('org/registry', 'show', `${BRANCH}:builds/alice/owner.json`)).toBe(
      '{"account_id":4711,"maintainers":[]}',
    );
    const main = at.host.git('org/registry', 'rev-parse', 'main');
    expect(at.host.git('org/registry', 'rev-parse', `${BRANCH}^`)).toBe(main);
    expect(at.host.pulls).toMatchObject([
      { title: 'Publish alice/web 1.0.0', head: `org:${BRANCH}`, base: 'main' },
    ]);
    expect(at.host.pulls[0]?.body).toContain(ended.data.integrity);
    const header = Buffer.from(`x-access-token:${TOKEN}`).toString('base64');
    expect([...at.host.gitSent]).toEqual([`Basic ${header}`]);
    expect(readProject(project)).toEqual(before);
  });

  it('changes nothing when run again, and updates the branch and the pull request after a change', async () => {
    const project = makeProject(FILES);
    await at.run(['publish', project]);
    const tip = at.host.git('org/registry', 'rev-parse', BRANCH);
    const again = await at.run(['publish', project]);
    expect([again.status, again.data.state, at.host.pulls.length]).toEqual([0, 'unchanged', 1]);
    expect(at.host.git('org/registry', 'rev-parse', BRANCH)).toBe(tip);
    writeFileSync(join(project, 'src/index.ts'), 'export const web = 2;\n');
    const updated = await at.run(['publish', project]);
    expect([updated.status, updated.data.state, at.host.pulls.length]).toEqual([0, 'updated', 1]);
    expect(at.host.git('org/registry', 'rev-parse', `${BRANCH}^`)).toBe(tip);
    expect(at.host.asked.at(-1)).toMatchObject({
      method: 'PATCH',
      path: '/repos/org/registry/pulls/1',
    });
  });

  it('commits as who the environment names, then git, then the account', async () => {
    const HOME = temporaryFolder();
    const args = ['publish', makeProject(FILES)];
    const [author, committer] = ['AUTHOR', 'COMMITTER'].map((role) => ({
      [`GIT_${role}_NAME`]: role,
      [`GIT_${role}_EMAIL`]: `${role}@example.org`,
    }));
    const identity = (): string =>
      at.host.git('org/registry', 'log', '-1', '--format=%an <%ae>, %cn <%ce>', BRANCH);
    expect((await at.run(args, author)).status).toBe(0);
    expect(identity()).toBe('AUTHOR <AUTHOR@example.org>, Alice <alice@example.org>');
    at.host.git('org/registry', 'branch', '-D', BRANCH);
    expect((await at.run(args, { HOME, ...committer })).status).toBe(0);
    expect(identity()).toMatch(
      /^Alice <4711\+Alice@users\.noreply\.[^>]+>, COMMITTER <COMMITTER@example\.org>$/,
    );
    at.host.git('org/registry', 'branch', '-D', BRANCH);
    const repository = at.host.bare('org/registry');
    const bare = { HOME, GITHUB_TOKEN: '', STACKYARD_REPOSITORY: repository };
    args.push('--owner', 'alice', '--account-id', '4711');
    expect((await at.run(args, { ...bare, ...author })).error).toMatchObject({
      code: 'ERR_GIT',
      message: 'Git does not know who you are',
    });
    expect((await at.run(args, { ...bare, ...author, ...committer })).status).toBe(0);
    expect(identity()).toBe('AUTHOR <AUTHOR@example.org>, COMMITTER <COMMITTER@example.org>');
  });

  it('never changes a branch with commits of another author', async () => {
    at.host.git('org/registry', 'branch', BRANCH, 'main');
    const ended = await at.run(['publish', makeProject(FILES)]);
    expect([ended.status, ended.error.code]).toEqual([5, 'ERR_CONFLICT']);
    expect(ended.error.message).toContain(BRANCH);
    const main = at.host.git('org/registry', 'rev-parse', 'main');
    expect(at.host.git('org/registry', 'rev-parse', BRANCH)).toBe(main);
    expect(at.host.pulls).toEqual([]);
  });

  it('makes a fork where the token may not push, and uses it again', async () => {
    at.host.mayPush = false;
    const project = makeProject(FILES);
    const first = await at.run(['publish', project]);
    expect([first.status, first.data.state]).toEqual([0, 'pushed']);
    expect(at.host.pulls[0]).toMatchObject({ head: `Alice:${BRANCH}` });
    expect(at.host.git('Alice/registry', 'rev-parse', BRANCH)).toBe(first.data.commit);
    expect(at.host.git('org/registry', 'branch', '--list', BRANCH)).toBe('');
    const again = await at.run(['publish', project]);
    expect(again.data.state).toBe('unchanged');
    expect(at.host.asked.filter(({ path }) => path.endsWith('/forks'))).toHaveLength(1);
  });

  it('ends before any push when the token is not accepted', async () => {
    at.host.refusals.set('GET /user', { status: 401, body: { message: 'Bad credentials' } });
    const ended = await at.run(['publish', makeProject(FILES)]);
    expect([ended.status, ended.error.code]).toEqual([7, 'ERR_CODE_HOST']);
    expect(at.host.git('org/registry', 'branch', '--list', BRANCH)).toBe('');
  });

  it('ends with the reason when the push is rejected', async () => {
    const hook = join(at.host.bare('org/registry'), 'hooks', 'pre-receive');
    writeFileSync(hook, '#!/bin/sh\necho "branches are closed"\nexit 1\n');
    chmodSync(hook, 0o755);
    const ended = await at.run(['publish', makeProject(FILES)]);
    expect([ended.status, ended.error.code]).toEqual([7, 'ERR_GIT']);
    expect(ended.error.hint).toContain('fork');
    expect(at.host.pulls).toEqual([]);
  });

  it('uses no network with --offline', async () => {
    const ended = await at.run(['publish', makeProject(FILES), '--offline']);
    expect([ended.status, ended.error.code]).toEqual([7, 'ERR_NETWORK']);
    expect([at.host.asked, at.host.gitSent.size]).toEqual([[], 0]);
  });

  it('follows no redirect with the token', async () => {
    const other = await CodeHostFixture.start(at.git);
    const away = await serveAnswers((request, response) => {
      response
        .writeHead(301, { location: other.repository.replace(/\/org.*/, request.url ?? '') })
        .end();
    });
    const ended = await at.run(['publish', makeProject(FILES)], {
      STACKYARD_REPOSITORY: `${away}/org/registry.git`,
      GITHUB_SERVER_URL: away,
    });
    expect([ended.status, ended.error.code]).toEqual([7, 'ERR_GIT']);
    expect([...other.gitSent]).toEqual([]);
  });

  it('sends the token to no other host', async () => {
    const other = await CodeHostFixture.start(at.git);
    const ended = await at.run(
      ['publish', makeProject(FILES), '--owner', 'alice', '--account-id', '4711'],
      { STACKYARD_REPOSITORY: other.repository },
    );
    expect([ended.status, ended.error.code]).toEqual([7, 'ERR_GIT']);
    expect([[...other.gitSent], other.asked, at.host.asked]).toEqual([[], [], []]);
  });

  it('prints what it would do with --dry-run, and the compare page without a token', async () => {
    const project = makeProject(FILES);
    const dry = await at.run(['publish', project, '--dry-run']);
    expect([dry.status, dry.data.files.length]).toEqual([0, 5]);
    expect(at.host.git('org/registry', 'branch', '--list', 'publish/*')).toBe('');
    const bare = at.host.bare('org/registry');
    const args = ['publish', project, '--owner', 'alice', '--account-id', '4711'];
    const ended = await at.run(args, { GITHUB_TOKEN: '', STACKYARD_REPOSITORY: bare });
    expect([ended.status, ended.data.state]).toEqual([0, 'pushed']);
    expect(at.host.git('org/registry', 'rev-parse', BRANCH)).toBe(ended.data.commit);
  });

  it('publishes for an organisation, whose account it looks up', async () => {
    const ended = await at.run(['publish', makeProject(FILES), '--owner', 'acme']);
    expect([ended.status, ended.warnings.map(({ code }) => code)]).toEqual([0, ['needs-admin']]);
    const text = at.host.git(
      'org/registry',
      'show',
      'publish/acme/web@1.0.0:builds/acme/owner.json',
    );
    expect(JSON.parse(text)).toEqual({
      account_id: 99,
      maintainers: [{ login: 'Alice', account_id: 4711 }],
    });
  });
});
