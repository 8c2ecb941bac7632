/** `.index.run.json`: what it has of runs that succeed, find problems and fail. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from '../run/generator-command.ts';
import { GitFixture, build, temporaryFolder } from './git-fixture.ts';

interface RunFile {
  readonly generate: Readonly<Record<string, unknown>>;
  readonly deploy?: Readonly<Record<string, unknown>>;
}

it('each run reports what it did', async () => {
  const git = new GitFixture();
  const folder = temporaryFolder();
  const index = join(folder, 'index');
  const file = join(folder, '.index.run.json');
  const generate = (): ReturnType<typeof runCommand> =>
    runCommand('generate', ['--repo', git.folder, '--out', index, '--no-client', '--no-site']);
  const read = (): RunFile => JSON.parse(readFileSync(file, 'utf8')) as RunFile;

  git.commit(build('alice/web', '1.0.0'));
  git.commit(build('alice/web', '1.1.0'));
  expect((await generate()).status).toBe(0);
  const good = read().generate;
  expect(good).toMatchObject({ ok: true, mode: 'full', versions: 2, published: 2, problems: [] });
  expect(good['succeeded_at']).toBe(good['ended_at']);
  const deployed = join(folder, 'www');
  expect((await runCommand('deploy', [`file:${deployed}`, '--out', index])).status).toBe(0);
  expect(read().deploy).toMatchObject({ ok: true });

  git.commit({ 'builds/alice/broken/stackyard.json': '{' });
  expect((await generate()).status).toBe(1);
  expect(read().generate).toMatchObject({
    ok: false,
    mode: 'incremental',
    problems: [{ code: 'manifest-json' }],
    succeeded_at: good['succeeded_at'],
  });
  // A run that cannot begin states why, and keeps when the last good one was.
  rmSync(join(git.folder, '.git'), { recursive: true });
  expect((await generate()).status).toBe(1);
  expect(read().generate).toMatchObject({
    ok: false,
    error: { code: 'ERR_NOT_A_REPOSITORY' },
    succeeded_at: good['succeeded_at'],
  });
  expect(read().deploy).toMatchObject({ ok: true });
});

it('a run with a wrong path leaves no report', async () => {
  const folder = temporaryFolder();
  const ended = await runCommand('generate', [
    '--repo',
    folder,
    '--out',
    join(folder, 'index'),
    '--no-client',
  ]);
  expect(ended.status).toBe(1);
  expect(existsSync(join(folder, '.index.run.json'))).toBe(false);
});
