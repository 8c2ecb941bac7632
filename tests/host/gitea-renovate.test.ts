/** `npm run test:host`: Renovate itself, at a real Gitea, makes the branches that `stackyard update` gives by hand. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { serveIndex } from '../../generator/serve/serve-index.ts';
import { findFreePort } from '../../tools/free-port.ts';
import { makeProject, readProject, stackyard } from '../client/registry-fixture.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { runCommand } from '../run/generator-command.ts';
import { provideRenovate } from '../run/provide-packages.ts';
import { GiteaServer } from './gitea-server.ts';

const STORE = ['export const a = 1;', '', '', '', 'export const z = 1;', ''];

function store(version: string, lines: readonly string[] = STORE) {
  const manifest = { base: 'src/store', files: ['index.ts'] };
  return build('bob/store', version, manifest, { 'index.ts': lines.join('\n') });
}

function web(version: string) {
  const files = { 'index.ts': `export const version = '${version}';\n` };
  return build('alice/web', version, { base: 'src/web', files: ['index.ts'] }, files);
}

const PORT = 3991;
const PATH = 'src/store/index.ts';
const run = promisify(execFile);

function tracked(folder: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(readProject(folder)).filter(([path]) => !/^\.(?:git|stackyard)\//.test(path)),
  );
}

it('Renovate makes the branches of three projects', async () => {
  const port = await findFreePort();
  const address = `http://127.0.0.1:${port}`;
  const registry = new GitFixture();
  registry.commit({ 'registry.config.json': JSON.stringify({ base_url: address, name: 'Ours' }) });
  registry.commit({ ...store('1.0.0'), ...web('1.0.0') });
  const index = join(temporaryFolder(), 'index');
  const generate = async () => {
    const ended = await runCommand('generate', ['--repo', registry.folder, '--out', index]);
    if (ended.status !== 0) throw new Error(ended.stderr);
  };
  await generate();
  const served = await serveIndex(index, port);
  onTestFinished(() => void served.close());
  const variables = { STACKYARD_REGISTRY: address };
  const installed = async (...ids: string[]) => {
    const folder = makeProject();
    const ended = await stackyard(['add', ...ids, '--no-install', '-C', folder], variables);
    if (ended.status !== 0) throw new Error(ended.stderr);
    return readProject(folder);
  };
  const [plain, both] = [await installed('bob/store'), await installed('bob/store', 'alice/web')];
  const edited = { ...plain, [PATH]: [...STORE.slice(0, 4), 'export const z = 9;', ''].join('\n') };
  registry.commit({
    ...store('1.1.0', ['export const a = 2;', ...STORE.slice(1)]),
    ...web('1.2.0'),
  });
  await generate();

  const server = await GiteaServer.start(join(temporaryFolder(), 'gitea'), PORT);
  const alice = await server.account('alice', true);
  const base = server.url.replace('//', `//alice:${alice.token}@`);
  const works = new Map<string, GitFixture>();
  const settings = { extends: [`${address}/renovate.json`], enabledManagers: ['custom.regex'] };
  for (const [name, files] of Object.entries({ plain, edited, both })) {
    const made = { name, auto_init: true, default_branch: 'main' };
    await server.api(alice.token, 'POST', '/user/repos', made);
    const work = new GitFixture();
    work.git('remote', 'add', 'origin', `${base}/alice/${name}.git`);
    work.commit({ ...files, 'renovate.json': `${JSON.stringify(settings)}\n` });
    work.git('push', '-q', '-f', 'origin', 'HEAD:refs/heads/main');
    works.set(name, work);
  }
  const names = [...works.keys()].map((name) => `alice/${name}`);
  const env = {
    ...process.env,
    LOG_LEVEL: 'debug',
    RENOVATE_PLATFORM: 'gitea',
    RENOVATE_ENDPOINT: `${server.url}/api/v1/`,
    RENOVATE_TOKEN: alice.token,
    RENOVATE_GIT_AUTHOR: 'Renovate <renovate@host.example>',
    RENOVATE_BASE_DIR: temporaryFolder(),
    RENOVATE_REQUIRE_CONFIG: 'optional',
    RENOVATE_ONBOARDING: 'false',
    RENOVATE_ALLOWED_COMMANDS: JSON.stringify([
      '^git checkout -- ',
      `^npx --yes ${address}/client/`,
    ]),
  };
  const { stdout } = await run(process.execPath, [await provideRenovate(), ...names], {
    env,
    maxBuffer: 1e8,
  });
  const branches: Record<string, readonly [string, string][]> = {
    plain: [['renovate/bob-store-1.x', 'bob/store']],
    edited: [['renovate/bob-store-1.x', 'bob/store']],
    both: [
      ['renovate/bob-store-1.x', 'bob/store'],
      ['renovate/alice-web-1.x', 'alice/web'],
    ],
  };
  for (const [name, work] of works) {
    for (const [branch, id] of branches[name]!) {
      const copy = new GitFixture(undefined, work);
      const range = id === 'bob/store' ? '1.1.0' : '1.2.0';
      const args = ['update', `${id}@${range}`, '--conflict', 'markers', '-C', copy.folder];
      expect((await stackyard(args, variables)).status).toBe(0);
      const folder = temporaryFolder();
      const remote = work.git('remote', 'get-url', 'origin');
      const cloned = work.git('ls-remote', 'origin', `refs/heads/${branch}`);
      expect(cloned, stdout.slice(-6_000)).not.toBe('');
      work.git('clone', '-q', '--branch', branch, remote, folder);
      const shown = stdout
        .split('\n')
        .filter((line) => /upgrade task|post.?upgrade|npx|git checkout/i.test(line));
      expect(tracked(folder), `${name} ${branch}\n${shown.join('\n')}`).toEqual(
        tracked(copy.folder),
      );
    }
  }
});
