/** `.index.run.json` and the command `metrics`: what they state of runs that succeed, find problems and fail. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from '../run/generator-command.ts';
import { GitFixture, build, temporaryFolder } from './git-fixture.ts';

const LINE =
  /^(?:# HELP [a-z_]+ [^\n]+|# TYPE [a-z_]+ gauge|[a-z_]+(?:\{[a-z]+="[^"\n]*"(?:,[a-z]+="[^"\n]*")*\})? \d+(?:\.\d+)?)$/;

interface RunFile {
  readonly generate: Readonly<Record<string, unknown>>;
  readonly deploy?: Readonly<Record<string, unknown>>;
}

/** Name and labels to value, of text in which every line is of the format. */
function samplesOf(text: string): Map<string, number> {
  const lines = text.trimEnd().split('\n');
  for (const line of lines) expect(line).toMatch(LINE);
  const samples = lines.filter((line) => !line.startsWith('#'));
  return new Map(
    samples.map((line) => {
      const space = line.lastIndexOf(' ');
      return [line.slice(0, space), Number(line.slice(space + 1))];
    }),
  );
}

it('each run reports what it did, and metrics prints it for Prometheus', async () => {
  const git = new GitFixture();
  const folder = temporaryFolder();
  const index = join(folder, 'index');
  const file = join(folder, '.index.run.json');
  const generate = (): ReturnType<typeof runCommand> =>
    runCommand('generate', ['--repo', git.folder, '--out', index, '--no-client', '--no-site']);
  const read = (): RunFile => JSON.parse(readFileSync(file, 'utf8')) as RunFile;
  const metrics = (): ReturnType<typeof runCommand> => runCommand('metrics', ['--out', index]);

  const none = await metrics();
  expect([none.status, none.stdout]).toEqual([1, '']);
  expect(none.stderr).toContain(`There is no "${file}" [ERR_RUN_REPORT]`);

  git.commit(build('alice/web', '1.0.0'));
  git.commit(build('alice/web', '1.1.0'));
  expect((await generate()).status).toBe(0);
  const good = read().generate;
  expect(good).toMatchObject({ ok: true, mode: 'full', versions: 2, published: 2, problems: [] });
  expect(good['succeeded_at']).toBe(good['ended_at']);
  const deployed = join(folder, 'www');
  expect((await runCommand('deploy', [`file:${deployed}`, '--out', index])).status).toBe(0);
  const samples = samplesOf((await metrics()).stdout);
  expect(samples.get('stackyard_builds')).toBe(1);
  expect(samples.get('stackyard_versions')).toBe(2);
  expect(samples.get('stackyard_problems{command="generate",code=""}')).toBe(0);
  expect(samples.get('stackyard_stage_seconds{command="generate",stage="record"}')).toBeDefined();
  expect(samples.get('stackyard_run_ok{command="deploy"}')).toBe(1);
  expect(samples.get('stackyard_uploaded_files')).toBe(read().deploy?.['uploaded']);

  git.commit({ 'builds/alice/broken/stackyard.json': '{' });
  expect((await generate()).status).toBe(1);
  expect(read().generate).toMatchObject({
    ok: false,
    mode: 'incremental',
    problems: [{ code: 'manifest-json' }],
    succeeded_at: good['succeeded_at'],
  });
  const failing = samplesOf((await metrics()).stdout);
  expect(failing.get('stackyard_run_ok{command="generate"}')).toBe(0);
  expect(failing.get('stackyard_problems{command="generate",code="manifest-json"}')).toBe(1);

  // A run that cannot begin states why, and keeps when the last good one was.
  rmSync(join(git.folder, '.git'), { recursive: true });
  expect((await generate()).status).toBe(1);
  expect(read().generate).toMatchObject({
    ok: false,
    error: { code: 'ERR_NOT_A_REPOSITORY' },
    succeeded_at: good['succeeded_at'],
  });
  expect(read().deploy).toMatchObject({ ok: true });

  writeFileSync(file, 'not JSON');
  expect((await metrics()).stderr).toContain('hint: delete it: the next run writes it again');
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
