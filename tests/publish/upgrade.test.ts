/** The commands `setup`, `doctor` and `upgrade` as an operator types them, and the push with the key that `setup` makes. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { packTarball } from '../../format/archive/tarball.ts';
import { commitFiles } from '../../generator/host/push.ts';
import { programVersion } from '../../generator/packaged.ts';
import { temporaryFolder } from '../generate/git-fixture.ts';
import { FakeSettings, OPERATOR } from '../host/fake-settings.ts';
import { runCommand, runCommandProcess } from '../run/generator-command.ts';

const WHO = ['-c', 'user.name=alice', '-c', 'user.email=alice@host.example'];

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', [...WHO, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
}

function packageFile(name: string, version: string, text = ''): string {
  const json = JSON.stringify({ name, version, description: text });
  const file = join(temporaryFolder(), `${name}-${text}.tgz`);
  const bytes = new TextEncoder().encode(json);
  writeFileSync(file, packTarball([{ path: 'package.json', bytes, executable: false }]));
  return file;
}

/** A registry with workflows, and a bare repository as its origin. */
async function makeRegistry(): Promise<{ folder: string; origin: string }> {
  const [folder, origin] = [join(temporaryFolder(), 'registry'), temporaryFolder()];
  const software = packageFile('stackyard-registry', programVersion(), 'old');
  const made = await runCommand('init', [folder, '--admin', 'alice:1', '--software', software]);
  expect(made.status, made.stderr).toBe(0);
  git(folder, 'config', 'user.name', 'alice');
  git(folder, 'config', 'user.email', 'alice@host.example');
  git(origin, 'init', '-q', '--bare', '-b', 'main');
  git(folder, 'remote', 'add', 'origin', origin);
  git(folder, 'push', '-q', 'origin', 'main');
  return { folder, origin };
}

it('raises the software on a branch, leaves what a person changed, and proposes it', async () => {
  const { folder, origin } = await makeRegistry();
  const workflow = join(folder, '.github/workflows/waiting.yml');
  writeFileSync(workflow, `${readFileSync(workflow, 'utf8')}# by hand\n`);
  git(folder, 'rm', '-q', '.github/ISSUE_TEMPLATE/flag.yml');
  git(folder, 'commit', '-q', '-a', '-m', 'Change');
  const next = packageFile('stackyard-registry', programVersion(), 'new');
  const fake = await FakeSettings.start('github');
  fake.faults.set('POST /pulls', { status: 201, body: { html_url: 'https://host.example/1' } });
  const where = ['--repo', folder, '--repository', 'o/r', '--api', fake.url];
  const variables = { STACKYARD_HOST_TOKEN: OPERATOR };
  const ended = await runCommand('upgrade', [next, ...where], variables);
  expect(ended.stderr).toBe('');
  expect(ended.stdout).toContain(
    'left as it is, because it was changed: .github/workflows/waiting.yml',
  );
  expect(ended.stdout).toContain(
    'left as it is, because it was changed: .github/ISSUE_TEMPLATE/flag.yml',
  );
  expect(ended.stdout).toContain('Proposed it: https://host.example/1');
  const branch = `software-${programVersion()}`;
  const changed = git(origin, 'diff', '--name-only', `main`, branch).trim().split('\n');
  expect(changed).toEqual(
    expect.arrayContaining([
      '.stackyard/stackyard-registry-new.tgz',
      'measuring/software.json',
      'registry.config.json',
    ]),
  );
  expect(git(origin, 'ls-tree', '--name-only', branch, '.stackyard/')).not.toContain('old');
  const config = JSON.parse(git(origin, 'show', `${branch}:registry.config.json`));
  expect(config.software.address).toBe('.stackyard/stackyard-registry-new.tgz');
  expect(git(folder, 'status', '--porcelain')).toBe('');
  const again = await runCommand('upgrade', [next, ...where], variables);
  expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('already exists')]);
});

it('refuses another package, and one of another version, and names the way', async () => {
  const { folder } = await makeRegistry();
  const from = ['--repo', folder, '--no-pull-request'];
  for (const [file, text] of [
    [packageFile('thing', programVersion()), 'is no package "stackyard-registry"'],
    [packageFile('stackyard-registry', '99.0.0'), 'run the program of the package: npx --yes '],
    ['/nowhere/x.tgz', 'Argument <package> is "/nowhere/x.tgz": '],
  ] as const) {
    const ended = await runCommand('upgrade', [file, ...from]);
    expect([ended.status, ended.stderr]).toEqual([2, expect.stringContaining(text)]);
  }
  const { software } = JSON.parse(readFileSync(join(folder, 'registry.config.json'), 'utf8'));
  const same = await runCommand('upgrade', [join(folder, software.address), ...from]);
  expect([same.status, same.stdout]).toEqual([0, expect.stringContaining('Nothing to raise')]);
  expect(git(folder, 'branch', '--list', 'software-*')).toBe('');
});

it('prints each step of setup, and doctor names what is missing, without the token', async () => {
  const { folder } = await makeRegistry();
  const fake = await FakeSettings.start('github');
  const where = ['--repo', folder, '--repository', 'o/r', '--api', fake.url];
  const variables = { STACKYARD_HOST_TOKEN: OPERATOR };
  const dry = await runCommand('setup', [...where, '--dry-run'], variables);
  expect([dry.status, dry.stdout]).toEqual([
    0,
    expect.stringMatching(/^would be made +ruleset "stackyard: history": nobody rewrites/m),
  ]);
  expect(fake.changes).toEqual([]);
  const doctor = await runCommandProcess('doctor', ...where);
  expect(doctor.stdout).toContain('host: not looked at: STACKYARD_HOST_TOKEN is not set');
  const found = await runCommand('doctor', where, variables);
  expect([found.status, found.stdout]).toEqual([
    1,
    expect.stringMatching(/^problem +host: labels: .*: missing: report, flag/m),
  ]);
  expect(fake.changes).toEqual([]);
  const missing = await runCommand('setup', where);
  expect([missing.status, missing.stderr]).toEqual([
    2,
    expect.stringContaining('Variable "STACKYARD_HOST_TOKEN" is missing'),
  ]);
  const form = await runCommand('setup', [...where, '--variable', 'bucket'], variables);
  expect([form.status, form.stderr]).toEqual([2, expect.stringContaining('NAME=value')]);
  expect(JSON.stringify([dry, found, form])).not.toContain(OPERATOR);
});

it('pushes with the key, which is a file only while git runs', async () => {
  const { folder, origin } = await makeRegistry();
  const programs = temporaryFolder();
  const log = join(programs, 'log');
  // In place of ssh: notes what it got, and serves the repository.
  writeFileSync(
    join(programs, 'ssh'),
    `#!/bin/sh
while [ $# -gt 2 ]; do [ "$1" = -i ] && key=$2; echo "$1" >> ${log}; shift; done
stat -c %a "$key" >> ${log}; echo "key=$key" >> ${log}; echo "$1" >> ${log}; cat "$key" >> ${log}
exec git-receive-pack ${origin}
`,
  );
  chmodSync(join(programs, 'ssh'), 0o755);
  const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----';
  const core = execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim();
  const env = {
    PATH: [programs, core, process.env['PATH']].join(delimiter),
    HOME: process.env['HOME'],
    BASE_BRANCH: 'main',
    GITHUB_SERVER_URL: 'https://host.example',
    GITHUB_REPOSITORY: 'o/r',
    PUSH_KEY: `${key}\n`,
    PUSH_HOST_KEY: `ssh-ed25519 ${'A'.repeat(60)}`,
  };
  mkdirSync(join(folder, 'signals'), { recursive: true });
  await commitFiles(env, folder, 'Add a file', () => [{ path: 'signals/x', text: 'x' }]);
  expect(git(origin, 'show', 'main:signals/x')).toBe('x');
  const lines = readFileSync(log, 'utf8');
  expect(lines).toContain('\n600\n');
  expect(lines).toContain('git@host.example');
  expect(lines).toContain('StrictHostKeyChecking=yes');
  expect(lines).toContain(key);
  expect(existsSync(/^key=(.+)$/m.exec(lines)![1]!)).toBe(false);
});
