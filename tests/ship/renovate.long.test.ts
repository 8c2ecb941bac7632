/** Renovate itself reads the preset that an index serves, finds installed builds in locks, and looks their versions up in heads. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { serveIndex } from '../../generator/serve/serve-index.ts';
import { findFreePort } from '../../tools/free-port.ts';
import { makeProject, readProject, stackyard } from '../client/registry-fixture.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { runCommand } from '../run/generator-command.ts';
import { provideRenovate } from '../run/provide-packages.ts';

const run = promisify(execFile);

interface Update {
  readonly newVersion: string;
}

interface Line {
  readonly msg: string;
  readonly config?: {
    readonly regex?: { deps: { depName: string; currentValue: string; updates: Update[] }[] }[];
  };
}

async function renovate(folder: string): Promise<Record<string, string[]>> {
  const env = {
    ...process.env,
    LOG_FORMAT: 'json',
    LOG_LEVEL: 'debug',
    RENOVATE_BASE_DIR: temporaryFolder(),
  };
  const args = [await provideRenovate(), '--platform=local', '--require-config=optional'];
  const { stdout } = await run(process.execPath, args, { cwd: folder, env, maxBuffer: 1e8 });
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  const found = lines
    .map((line) => JSON.parse(line) as Line)
    .find(({ msg }) => msg === 'packageFiles with updates');
  const deps = (found?.config?.regex ?? []).flatMap((one) => one.deps);
  return Object.fromEntries(
    deps.map(({ depName, currentValue, updates }) => [
      `${depName} ${currentValue}`,
      updates.map(({ newVersion }) => newVersion),
    ]),
  );
}

it('finds the versions that "stackyard update" would install, and none that is yanked', async () => {
  const port = await findFreePort();
  const address = `http://127.0.0.1:${port}`;
  const git = new GitFixture();
  git.commit({ 'registry.config.json': JSON.stringify({ base_url: address, name: 'Ours' }) });
  git.commit({
    ...build('bob/store', '1.0.0', { base: 'src/store' }),
    ...build('alice/web', '1.0.0', { base: 'src/web', builds: { 'bob/store': '^1.0.0' } }),
  });
  const index = join(temporaryFolder(), 'index');
  const generate = async () => {
    const ended = await runCommand('generate', ['--repo', git.folder, '--out', index]);
    expect(ended.status, ended.stderr).toBe(0);
  };
  await generate();
  const server = await serveIndex(index, port);
  onTestFinished(() => void server.close());
  const project = makeProject();
  const variables = { STACKYARD_REGISTRY: address };
  const added = await stackyard(['add', 'alice/web', '--no-install', '-C', project], variables);
  expect(added.status, added.stderr).toBe(0);
  for (const version of ['1.1.0', '1.2.0', '2.0.0']) {
    git.commit(build('bob/store', version, { base: 'src/store' }));
  }
  git.commit({
    'builds/bob/owner.json': JSON.stringify({ yanked: { store: { '1.2.0': 'Broken' } } }),
  });
  await generate();
  expect(existsSync(join(index, 'renovate.json'))).toBe(true);

  const work = new GitFixture();
  work.commit({
    ...readProject(project),
    'renovate.json': JSON.stringify({
      extends: [`${address}/renovate.json`],
      enabledManagers: ['custom.regex'],
    }),
  });
  expect(await renovate(work.folder)).toEqual({
    'alice/web 1.0.0': [],
    'bob/store 1.0.0': ['1.1.0', '2.0.0'],
  });
  const preset = JSON.parse(readFileSync(join(index, 'renovate.json'), 'utf8')) as {
    packageRules: { postUpgradeTasks: { commands: string[] } }[];
  };
  expect(preset.packageRules[0]!.postUpgradeTasks.commands[1]).toContain(
    `npx --yes ${address}/client/stackyard.tgz update `,
  );
});
