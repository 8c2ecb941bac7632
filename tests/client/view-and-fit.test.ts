/** `info --files` and `add --dry-run` through the program. */
import { expect, describe, it } from 'vitest';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { makeProject, serveRegistry, stackyard } from './registry-fixture.ts';

function json(ended: { stdout: string }): Record<string, any> {
  return JSON.parse(ended.stdout) as Record<string, any>;
}

describe('info --files', () => {
  const BYTES = Buffer.from([0, 1, 2, 255]);

  async function pictures(): Promise<{ url: string; index: string }> {
    const git = new GitFixture();
    git.commit(
      build('a/x', '1.0.0', {}, { 'logo.bin': BYTES, 'README.md': '# X\n\u{1B}[2Jfine\n' }),
    );
    git.commit(build('a/x', '2.0.0'));
    return serveRegistry(git);
  }

  it('lists files with sizes and prints one, byte for byte without a terminal', async () => {
    const { url } = await pictures();
    const args = ['--registry', url];
    const listed = await stackyard(['info', '--files', 'a/x@^1.0.0', ...args]);
    expect([listed.status, listed.stdout]).toEqual([
      0,
      expect.stringMatching(/^ +4 {2}logo\.bin$/m),
    ]);
    expect(
      json(await stackyard(['info', '--files', 'a/x', '--json', ...args]))['data'],
    ).toMatchObject({
      id: 'a/x',
      version: '2.0.0',
      files: expect.arrayContaining([
        { path: 'stackyard.json', mode: '644', size: expect.any(Number) },
      ]),
    });
    const readme = await stackyard(['info', 'a/x@1.0.0', 'README.md', ...args]);
    expect(readme.stdout).toBe('# X\n\u{1B}[2Jfine\n');
    const binary = await stackyard(['info', 'a/x@1.0.0', 'logo.bin', '--json', ...args]);
    expect(json(binary)['data']).toMatchObject({
      encoding: 'base64',
      content: BYTES.toString('base64'),
    });
  });
});

describe('add --dry-run', () => {
  async function shop(): Promise<string> {
    const git = new GitFixture();
    git.commit(build('b/db', '1.0.0', { base: 'src/db' }));
    git.commit(build('b/db', '2.0.0', { base: 'src/db' }));
    git.commit(build('a/web', '1.0.0', { base: 'src/web', builds: { 'b/db': '^1.0.0' } }));
    git.commit(
      build('a/api', '1.0.0', {
        base: 'src/api',
        builds: { 'b/db': '^2.0.0' },
        stack: { requires: { express: '^5.0.0', node: '>=20' } },
      }),
    );
    git.commit(build('a/start', '1.0.0', { kind: 'foundation' }));
    return (await serveRegistry(git)).url;
  }

  const EXPRESS_4 = JSON.stringify({ name: 'app', dependencies: { express: '^4.18.0' } });
  const EXPRESS_5 = JSON.stringify({ name: 'app', dependencies: { express: '^5.0.0' } });

  it('prints the smallest conflict: only the facts that prevent it', async () => {
    const url = await shop();
    const project = makeProject({ 'package.json': EXPRESS_4 });
    const added = await stackyard(['add', 'a/web', '-C', project, '--registry', url]);
    expect(added.status).toBe(0);
    const ended = await stackyard([
      'add',
      '--dry-run',
      'a/api',
      '-C',
      project,
      '--registry',
      url,
      '--json',
    ]);
    expect(ended.status).toBe(4);
    const { ok, data, error } = json(ended);
    expect([ok, data.fits, error.code]).toEqual([false, false, 'ERR_STACK']);
    // Both express 4 and the installed b/db are in the way; without the one, the other still is.
    expect(data.reasons).toEqual([
      {
        kind: 'stack',
        name: 'express',
        text: 'the project has express 4.18.0 (package.json, dependencies: ^4.18.0)',
      },
      { kind: 'request', name: 'a/api', text: 'you ask for "a/api"' },
    ]);
    const five = makeProject({ 'package.json': EXPRESS_5 });
    await stackyard(['add', 'a/web', '-C', five, '--registry', url]);
    const result = await stackyard(['add', '--dry-run', 'a/api', '-C', five, '--registry', url]);
    expect([result.status, result.stdout]).toEqual([
      4,
      'It does not fit, because\n  "b/db" 1.0.0 is installed\n  you ask for "a/api"\n',
    ]);
    expect(result.stderr).toContain('needs "b/db" ^2.0.0, but "b/db" 1.0.0 is installed');
  });

  it('names two requests that exclude each other, and age', async () => {
    const url = await shop();
    const project = makeProject({ 'package.json': EXPRESS_5 });
    const args = ['-C', project, '--registry', url, '--json'];
    const both = json(await stackyard(['add', '--dry-run', 'a/web', 'a/api', ...args]));
    expect(both['data'].reasons.map((r: { name: string }) => r.name)).toEqual(['a/web', 'a/api']);
    const old = await stackyard(['add', '--dry-run', 'b/db@2.0.0', '--min-age', '99999d', ...args]);
    expect([old.status, json(old)['data'].reasons[0]]).toEqual([
      4,
      { kind: 'age', name: '--min-age 99999d', text: '--min-age 99999d hides newer versions' },
    ]);
  });
});

it('info, view and fit work from the cache alone', async () => {
  const git = new GitFixture();
  git.commit(build('a/x', '1.0.0'));
  const { url } = await serveRegistry(git);
  const variables = { STACKYARD_CACHE: temporaryFolder(), STACKYARD_REGISTRY: url };
  const project = makeProject();
  for (const args of [
    ['info', 'a/x'],
    ['info', '--files', 'a/x'],
    ['add', '--dry-run', 'a/x', '-C', project],
  ]) {
    const online = await stackyard(args, variables);
    expect(online.status).toBe(0);
    expect(await stackyard([...args, '--offline'], variables)).toEqual(online);
    const missing = await stackyard([...args, '--offline'], { STACKYARD_REGISTRY: url });
    expect([missing.status, missing.stderr]).toEqual([
      7,
      expect.stringContaining('without --offline'),
    ]);
  }
});
