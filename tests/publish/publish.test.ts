/** `publish` against real repositories over git's HTTP protocol and an API on a real server. */
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Ended } from '../client/registry-fixture.ts';
import { makeProject, readProject, serveRegistry, stackyard } from '../client/registry-fixture.ts';
import { GitFixture, build, manifest, temporaryFolder } from '../generate/git-fixture.ts';
import { CodeHostFixture, TOKEN } from './code-host.ts';

const FILES = {
  'stackyard.json': manifest('web', '1.0.0'),
  LICENSE: 'MIT License\n',
  'README.md': '# web\n',
  'src/index.ts': 'export const web = 1;\n',
};
const OWN = { 'registry.config.json': '{ "name": "Test" }\n', 'README.md': '# Registry\n' };

let git: GitFixture;
let host: CodeHostFixture;
let cache: string;

beforeEach(async () => {
  git = new GitFixture();
  git.commit({ ...OWN, ...build('bob/tool', '1.0.0') });
  host = await CodeHostFixture.start(git);
  cache = temporaryFolder();
});

async function run(
  args: readonly string[],
  variables: object = {},
): Promise<Ended & { data: any; error: any }> {
  const env = { ...host.variables, STACKYARD_CACHE: cache, ...variables };
  const ended = await stackyard([...args, '--json'], env);
  const { data, error } = JSON.parse(ended.stdout) as { data: any; error: any };
  // Whatever happens, the token is in no output and in no file that is kept.
  expect(ended.stdout + ended.stderr).not.toContain(TOKEN);
  expect(filesUnder(cache).filter((file) => readFileSync(file).includes(TOKEN))).toEqual([]);
  const encoded = Buffer.from(`x-access-token:${TOKEN}`).toString('base64');
  expect(filesUnder(cache).filter((file) => readFileSync(file).includes(encoded))).toEqual([]);
  return { ...ended, data, error };
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

const BRANCH = 'publish/alice/web@1.0.0';

describe('publish', () => {
  it('pushes a branch and opens a pull request, with the owner file of a first-time owner', async () => {
    const project = makeProject(FILES);
    const before = readProject(project);
    chmodSync(join(project, 'src/index.ts'), 0o755);
    const ended = await run(['publish', project]);
    expect([ended.status, ended.stderr]).toEqual([0, expect.any(String)]);
    expect(ended.data).toMatchObject({
      build: 'alice/web',
      version: '1.0.0',
      branch: BRANCH,
      base: 'main',
      state: 'pushed',
      pull_request: expect.stringMatching(/\/org\/registry\/pull\/1$/),
    });
    expect(host.files('org/registry', BRANCH)).toEqual([
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
    expect(host.git('org/registry', 'show', `${BRANCH}:builds/alice/owner.json`)).toBe(
      '{"account_id":4711,"maintainers":[]}',
    );
    const main = host.git('org/registry', 'rev-parse', 'main');
    expect(host.git('org/registry', 'rev-parse', `${BRANCH}^`)).toBe(main);
    expect(host.pulls).toMatchObject([
      { title: 'Publish alice/web 1.0.0', head: `org:${BRANCH}`, base: 'main' },
    ]);
    expect(host.pulls[0]?.body).toContain(ended.data.integrity);
    const header = Buffer.from(`x-access-token:${TOKEN}`).toString('base64');
    expect([...host.gitSent]).toEqual([`Basic ${header}`]);
    expect(readProject(project)).toEqual(before);
  });

  it('changes nothing when run again, and updates the branch and the pull request after a change', async () => {
    const project = makeProject(FILES);
    await run(['publish', project]);
    const tip = host.git('org/registry', 'rev-parse', BRANCH);
    const again = await run(['publish', project]);
    expect([again.status, again.data.state, host.pulls.length]).toEqual([0, 'unchanged', 1]);
    expect(host.git('org/registry', 'rev-parse', BRANCH)).toBe(tip);
    writeFileSync(join(project, 'src/index.ts'), 'export const web = 2;\n');
    const updated = await run(['publish', project]);
    expect([updated.status, updated.data.state, host.pulls.length]).toEqual([0, 'updated', 1]);
    expect(host.git('org/registry', 'rev-parse', `${BRANCH}^`)).toBe(tip);
    expect(host.asked.at(-1)).toMatchObject({
      method: 'PATCH',
      path: '/repos/org/registry/pulls/1',
    });
  });

  it('never touches a branch with commits of somebody else', async () => {
    host.git('org/registry', 'branch', BRANCH, 'main');
    const ended = await run(['publish', makeProject(FILES)]);
    expect([ended.status, ended.error.code]).toEqual([5, 'ERR_CONFLICT']);
    expect(ended.error.message).toContain(BRANCH);
    const main = host.git('org/registry', 'rev-parse', 'main');
    expect(host.git('org/registry', 'rev-parse', BRANCH)).toBe(main);
    expect(host.pulls).toEqual([]);
  });

  it('makes a fork where the token may not push, and uses it again', async () => {
    host.mayPush = false;
    const project = makeProject(FILES);
    const first = await run(['publish', project]);
    expect([first.status, first.data.state]).toEqual([0, 'pushed']);
    expect(host.pulls[0]).toMatchObject({ head: `Alice:${BRANCH}` });
    expect(host.git('Alice/registry', 'rev-parse', BRANCH)).toBe(first.data.commit);
    expect(host.git('org/registry', 'branch', '--list', BRANCH)).toBe('');
    const again = await run(['publish', project]);
    expect(again.data.state).toBe('unchanged');
    expect(host.asked.filter(({ path }) => path.endsWith('/forks'))).toHaveLength(1);
  });

  it('pushes to a fork that is behind the registry', async () => {
    const fork = join(temporaryFolder(), 'alice', 'registry.git');
    execFileSync('git', ['clone', '-q', '--bare', git.folder, fork]);
    const bare = join(temporaryFolder(), 'org', 'registry.git');
    git.commit(build('bob/tool', '1.1.0'));
    git.commit(build('bob/tool', '1.2.0'));
    execFileSync('git', ['clone', '-q', '--bare', git.folder, bare]);
    const args = ['publish', makeProject(FILES), '--owner', 'alice', '--account-id', '7'];
    const place = ['--repository', `file://${bare}`, '--fork', fork];
    const refused = await run([...args, ...place], { GITHUB_TOKEN: '' });
    expect(refused.error.code).toBe('ERR_USAGE');
    const ended = await run([...args, '--repository', bare, '--fork', fork], { GITHUB_TOKEN: '' });
    expect([ended.status, ended.error]).toEqual([0, undefined]);
    const tip = execFileSync('git', ['rev-parse', BRANCH], { cwd: fork, encoding: 'utf8' });
    expect(tip.trim()).toBe(ended.data.commit);
  });

  it.each([
    [401, 'ERR_CODE_HOST', 'not accepted'],
    [403, 'ERR_CODE_HOST', 'write access'],
    [422, 'ERR_CODE_HOST', 'see what the code host says'],
  ])(
    'tells what is to do when the API answers %i to the pull request',
    async (status, code, hint) => {
      const body = { message: 'No', errors: [{ message: 'base is invalid' }] };
      host.refusals.set('POST /repos/org/registry/pulls', { status, body });
      const ended = await run(['publish', makeProject(FILES)]);
      expect([ended.status, ended.error.code]).toEqual([7, code]);
      expect(ended.error.hint).toContain(hint);
      // The branch is there: the page that opens the pull request is told.
      expect(ended.data.compare).toMatch(
        /\/org\/registry\/compare\/main\.\.\.org%3Apublish\/alice\//,
      );
      expect(host.git('org/registry', 'rev-parse', BRANCH)).toBe(ended.data.commit);
    },
  );

  it('ends before any push when the token is not accepted', async () => {
    host.refusals.set('GET /user', { status: 401, body: { message: 'Bad credentials' } });
    const ended = await run(['publish', makeProject(FILES)]);
    expect([ended.status, ended.error.code]).toEqual([7, 'ERR_CODE_HOST']);
    expect(host.git('org/registry', 'branch', '--list', BRANCH)).toBe('');
  });

  it('ends with the reason when the push is rejected', async () => {
    const hook = join(host.bare('org/registry'), 'hooks', 'pre-receive');
    writeFileSync(hook, '#!/bin/sh\necho "branches are closed"\nexit 1\n');
    chmodSync(hook, 0o755);
    const ended = await run(['publish', makeProject(FILES)]);
    expect([ended.status, ended.error.code]).toEqual([7, 'ERR_GIT']);
    expect(ended.error.hint).toContain('--fork');
    expect(host.pulls).toEqual([]);
  });

  it('ends with status 7 without a network', async () => {
    const nowhere = 'http://127.0.0.1:9/org/registry.git';
    const ended = await run(['publish', makeProject(FILES), '--owner', 'alice'], {
      STACKYARD_REPOSITORY: nowhere,
      GITHUB_TOKEN: '',
    });
    expect([ended.status, ended.error.code]).toEqual([7, 'ERR_NETWORK']);
  });

  it('sends the token to no other host', async () => {
    const other = await CodeHostFixture.start(git);
    const ended = await run(
      ['publish', makeProject(FILES), '--owner', 'alice', '--account-id', '4711'],
      { STACKYARD_REPOSITORY: other.repository },
    );
    expect([ended.status, ended.error.code]).toEqual([7, 'ERR_GIT']);
    expect([[...other.gitSent], other.asked, host.asked]).toEqual([[], [], []]);
  });

  it('prints what it would do with --dry-run, and the compare page without a token', async () => {
    const project = makeProject(FILES);
    const dry = await run(['publish', project, '--dry-run']);
    expect([dry.status, dry.data.files.length]).toEqual([0, 5]);
    expect(host.git('org/registry', 'branch', '--list', 'publish/*')).toBe('');
    const bare = host.bare('org/registry');
    const args = [
      'publish',
      project,
      '--owner',
      'alice',
      '--account-id',
      '4711',
      '--repository',
      bare,
    ];
    const ended = await run(args, { GITHUB_TOKEN: '' });
    expect([ended.status, ended.data.state]).toEqual([0, 'pushed']);
    expect(host.git('org/registry', 'rev-parse', BRANCH)).toBe(ended.data.commit);
  });

  it.each<[string, string[], number, string]>([
    ['who publishes', [], 8, '--owner'],
    ['the account of a first-time owner', ['--owner', 'alice'], 8, '--account-id'],
  ])('names the option for %s', async (_, more, status, flag) => {
    const args = [
      'publish',
      makeProject(FILES),
      '--repository',
      host.bare('org/registry'),
      ...more,
    ];
    const ended = await run(args, { GITHUB_TOKEN: '' });
    expect([ended.status, ended.error.code]).toEqual([status, 'ERR_NEEDS_ANSWER']);
    expect(ended.error.hint).toContain(flag);
  });

  it('publishes for an organisation, whose account it looks up', async () => {
    await run(['publish', makeProject(FILES), '--owner', 'acme']);
    const text = host.git('org/registry', 'show', 'publish/acme/web@1.0.0:builds/acme/owner.json');
    expect(JSON.parse(text)).toEqual({ account_id: 99, maintainers: ['Alice'] });
  });
});

describe('publish refuses', () => {
  async function published(version: string): Promise<void> {
    git.commit({
      ...build('alice/web', version),
      'builds/alice/owner.json': '{ "account_id": 4711 }\n',
    });
    host = await CodeHostFixture.start(git);
  }

  it.each([
    ['1.0.0', 'is published already, with other content', '"1.0.1"'],
    ['1.0.1', 'is not higher than 1.0.1', '"1.0.2"'],
    ['1.2.0', 'is not higher than 1.2.0', '"1.2.1" (a fix), "1.3.0" (an addition)'],
  ])('1.0.0 after %s', async (before, problem, hint) => {
    await published(before);
    const ended = await run(['publish', makeProject(FILES)]);
    expect([ended.status, ended.error.code]).toEqual([5, 'ERR_CONFLICT']);
    expect([ended.error.message, ended.error.hint]).toEqual([
      expect.stringContaining(problem),
      expect.stringContaining(hint),
    ]);
    expect(host.git('org/registry', 'branch', '--list', 'publish/*')).toBe('');
  });

  it('a version that the registry has, though the repository shows a newer line only', async () => {
    await published('1.0.0');
    git.commit(build('alice/web', '2.0.0'));
    host = await CodeHostFixture.start(git);
    const { url } = await serveRegistry(git);
    const ended = await run(['publish', makeProject(FILES), '--registry', url]);
    expect([ended.status, ended.error.message]).toEqual([
      5,
      expect.stringContaining('1.0.0 is published already'),
    ]);
  });

  it('nothing that is higher in its own line', async () => {
    await published('0.9.9');
    const ended = await run(['publish', makeProject(FILES)]);
    expect([ended.status, ended.data.files]).toEqual([
      0,
      expect.arrayContaining([{ path: 'builds/alice/web/stackyard.json', change: 'changed' }]),
    ]);
  });

  it('an unchanged version', async () => {
    git.commit({
      ...Object.fromEntries(
        Object.entries(FILES).map(([path, text]) => [`builds/alice/web/${path}`, text]),
      ),
      'builds/alice/owner.json': '{ "account_id": 4711 }\n',
    });
    host = await CodeHostFixture.start(git);
    const ended = await run(['publish', makeProject(FILES)]);
    expect([ended.status, ended.error.message]).toEqual([
      5,
      expect.stringContaining('nothing has changed'),
    ]);
  });

  it('what the registry would refuse, with its findings', async () => {
    const project = makeProject({ ...FILES, 'aux.txt': 'x\n', 'stackyard.json': '{}\n' });
    symlinkSync('/etc/passwd', join(project, 'link'));
    const ended = await run(['publish', project]);
    expect([ended.status, ended.data.publishable]).toEqual([10, false]);
    const codes = ended.data.findings.map(({ code }: { code: string }) => code);
    expect(codes).toEqual(expect.arrayContaining(['file-symlink', 'manifest-field-missing']));
    expect(host.git('org/registry', 'branch', '--list', 'publish/*')).toBe('');
  });

  it('an address that holds a password, and one that runs a program', async () => {
    for (const address of [
      'https://u:secretword@host.example/a/b',
      'ext::sh -c id',
      '--upload-pack=x',
    ]) {
      const ended = await run(['publish', makeProject(FILES), `--repository=${address}`]);
      expect([ended.status, ended.error.code]).toEqual([2, 'ERR_USAGE']);
      expect(ended.stdout).not.toContain('secretword');
    }
  });
});

describe('publish from a git repository', () => {
  it('publishes a subfolder as it is on disk, without what git ignores, and says what is not committed', async () => {
    const project = new GitFixture();
    const files = Object.entries(FILES).map(([path, text]) => [`lib/web/${path}`, text]);
    project.commit({ ...Object.fromEntries(files), '.gitignore': '*.log\n', 'other.ts': 'x\n' });
    project.write({
      'lib/web/debug.log': 'x\n',
      'lib/web/src/more.ts': 'export const more = 1;\n',
    });
    const status = project.git('status', '--porcelain');
    const ended = await run(['publish', join(project.folder, 'lib/web')]);
    expect(ended.status).toBe(0);
    const warnings = (JSON.parse(ended.stdout) as { warnings: { code: string }[] }).warnings;
    expect(warnings.map(({ code }) => code)).toEqual(['uncommitted']);
    const paths = host.files('org/registry', BRANCH).filter((line) => line.includes('alice/web'));
    expect(paths.map((line) => line.slice(24))).toEqual([
      'LICENSE',
      'README.md',
      'src/index.ts',
      'src/more.ts',
      'stackyard.json',
    ]);
    expect([project.git('status', '--porcelain'), project.git('branch', '-a')]).toEqual([
      status,
      '* main',
    ]);
  });

  it('commits the very bytes, whatever attributes say', async () => {
    const crlf = 'a\r\nb\r\n';
    const attributes = '* text=auto eol=lf\n*.ts filter=evil\n';
    const project = makeProject({ ...FILES, 'a.txt': crlf, '.gitattributes': attributes });
    await run(['publish', project]);
    const branch = `${BRANCH}:builds/alice/web/a.txt`;
    expect(host.git('org/registry', 'cat-file', '-s', branch)).toBe(String(crlf.length));
  });
});
