/** A user whose project has a build that the registry takes down: every command names what happened, and no file is touched. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { build, temporaryFolder } from '../generate/git-fixture.ts';
import { runCommand } from '../run/generator-command.ts';
import { Scenario } from './log-scenario.ts';
import { makeProject, readProject, stackyard } from './registry-fixture.ts';

it('a build that is taken down stays installed, and is named by each command', async () => {
  const scenario = await Scenario.begin();
  const { git, url } = scenario;
  const take = async (...args: string[]): Promise<string[]> => {
    const { status, stdout, stderr } = await runCommand('take-down', [
      ...args,
      '--repo',
      git.folder,
    ]);
    return [String(status), stdout, stderr];
  };
  const stated = ['--reason', 'Court order', '--reference', '12 O 34/26', '--date', '2026-04-01'];
  git.commit(build('b/needs', '1.0.0', { base: 'src/needs', builds: { 'a/x': '^1.0.0' } }));
  await scenario.publish();
  const installed = await scenario.plain([
    'add',
    'b/needs',
    'a/y',
    '--registry',
    url,
    '--yes',
    '--allow',
    'all',
  ]);
  expect([installed.status, installed.stderr]).toEqual([0, expect.any(String)]);
  const before = readProject(scenario.project);

  // The command, first with what it refuses.
  expect(await take('a/none', ...stated)).toEqual([
    '1',
    '',
    expect.stringContaining('was never published in this history'),
  ]);
  expect(await take('a/x@9.0.0', ...stated)).toEqual([
    '1',
    '',
    expect.stringContaining('[ERR_TAKE_DOWN]'),
  ]);
  expect(await take('a/x@1', ...stated)).toEqual(['2', '', expect.stringContaining('[ERR_USAGE]')]);
  expect(await take('a/x', '--reason', ' ', '--reference', 'x')).toEqual([
    '2',
    '',
    expect.any(String),
  ]);
  expect(await take('a/x', ...stated, '--date', '2026-02-30')).toEqual([
    '2',
    '',
    expect.any(String),
  ]);
  expect(git.git('status', '--porcelain')).toBe('');
  const [status, printed] = await take('a/x', ...stated);
  expect([status, printed]).toEqual(['0', expect.stringContaining('Wrote builds/a/owner.json')]);
  expect(git.git('status', '--porcelain', '-uall')).toBe('?? builds/a/owner.json');
  expect(await take('a/x', ...stated)).toEqual([
    '1',
    '',
    expect.stringContaining('was taken down on 2026-04-01 (12 O 34/26)'),
  ]);
  git.commit({});
  await scenario.publish();

  // `verify` reads no registry: it knows what the cache has.
  const cache = temporaryFolder();
  const words = 'taken down on 2026-04-01 (12 O 34/26)';
  const named = async (code: number, ...args: string[]): Promise<string> => {
    const variables = { STACKYARD_STATE: scenario.state, STACKYARD_CACHE: cache };
    const ended = await stackyard([...args, '-C', scenario.project], variables);
    const text = (ended.stdout + ended.stderr).replaceAll(/\s+/g, ' ');
    expect([args[0], ended.status, text]).toEqual([args[0], code, expect.stringContaining(words)]);
    expect(readProject(scenario.project)).toEqual(before);
    return text;
  };
  expect(await named(0, 'info', 'a/x')).not.toContain('stackyard add');
  expect(await named(3, 'info', 'a/x', '--files')).toContain('Court order');
  expect(await named(0, 'outdated')).toContain('"stackyard remove a/x" removes its files');
  expect(await named(0, 'update', '--yes')).toContain(
    'its files stay until you run "stackyard remove a/x"',
  );
  expect(await named(0, 'verify')).toContain('stackyard remove a/x');
  const found = await scenario.plain(['search', 'x', '--registry', url]);
  expect(found.stdout).not.toContain('a/x');
  const audit = await scenario.plain(['registry', 'audit']);
  expect([audit.status, audit.stdout]).toEqual([0, expect.stringContaining('Nothing differs')]);

  // Another project gets neither it nor what requires it; this one loses it when its user wants that.
  const project = makeProject();
  for (const id of ['a/x', 'a/x@1.0.0', 'b/needs']) {
    const ended = await stackyard(['add', id, '-C', project, '--registry', url, '--yes'], {
      STACKYARD_STATE: scenario.state,
    });
    expect([id, ended.status, ended.stderr.replaceAll(/\s+/g, ' ')]).toEqual([
      id,
      expect.any(Number),
      expect.stringContaining(words),
    ]);
    expect(ended.status).not.toBe(0);
  }
  const removed = await scenario.plain(['remove', 'b/needs', 'a/x', '--yes']);
  expect(removed.status).toBe(0);
  expect(Object.keys(readProject(join(scenario.project, 'src')))).toEqual([
    'y/LICENSE',
    'y/src/index.ts',
  ]);
});
