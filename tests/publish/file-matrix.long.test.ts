/** What commits rows in matrix.yml and measure.yml, with the files of a job that ran code of builds. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import type { MatrixRow } from '../../format/index/compatibility.ts';
import { temporaryFolder } from '../generate/git-fixture.ts';
import { CodeHostFixture } from './code-host-fixture.ts';
import { REGISTRY } from './gate-fixture.ts';

const ROW: MatrixRow = {
  tag: 'express',
  version: '5.3.0',
  others: 'newest',
  with: {},
  outcome: 'ok',
  date: '2026-02-01',
  since: '2026-02-01',
};
const PATH = 'signals/alice/web-forms.matrix.json';

function matrix(...results: MatrixRow[]): string {
  return JSON.stringify({ versions: [{ version: '1.0.0', results }] });
}

function measured(files: Readonly<Record<string, string>>): Record<string, string> {
  const folder = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return { MATRIX_FOLDER: folder, GITHUB_TOKEN: 'write' };
}

it('file-matrix commits measured rows beside those that are newer, once, and starts a deployment', async () => {
  const newer = { ...ROW, tag: 'zod', date: '2026-03-01', since: '2026-03-01' };
  const old = { ...newer, date: '2026-01-01', since: '2026-01-01' };
  const host = await CodeHostFixture.open({ ...REGISTRY, [PATH]: matrix(newer) });
  const env = measured({ 'alice/web-forms.matrix.json': matrix(ROW, old) });
  expect(await host.run('file-matrix', env)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(`filed: ${PATH}`),
  });
  const text = host.git.git('-C', host.host, 'show', `main:${PATH}`);
  expect(JSON.parse(text)).toEqual(JSON.parse(matrix(ROW, newer)));
  expect(host.dispatched.map(({ file }) => file)).toEqual(['deploy.yml']);
  const { main } = host;
  expect((await host.run('file-matrix', env)).stdout).toContain('Nothing was measured');
  expect(host.main).toBe(main);
});

it('file-matrix takes nothing but matrices of builds', async () => {
  const host = await CodeHostFixture.open(REGISTRY);
  const { main } = host;
  for (const files of [
    { 'alice/web-forms.json': '{}' },
    { 'Alice/X.matrix.json': matrix(ROW) },
    { 'a/b/c.matrix.json': matrix(ROW) },
    { 'alice/web-forms.matrix.json': '{}' },
    { 'alice/web-forms.matrix.json': matrix({ ...ROW, tag: '::error::x' }) },
  ]) {
    const env = measured(files);
    expect(await host.run('file-matrix', env)).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('::error::'),
    });
  }
  expect(host.main).toBe(main);
  expect(host.dispatched).toEqual([]);
});

it('file-matrix follows no link, and prints nothing of its target', async () => {
  const host = await CodeHostFixture.open(REGISTRY);
  const { main } = host;
  const secret = join(temporaryFolder(), 'secret');
  writeFileSync(secret, matrix({ ...ROW, tag: 'secret-of-this-machine' }));
  const env = measured({ 'alice/page-tables.matrix.json': matrix(ROW) });
  symlinkSync(secret, join(env['MATRIX_FOLDER']!, 'alice/web-forms.matrix.json'));
  const ran = await host.run('file-matrix', env);
  expect([ran.status, ran.stdout]).toEqual([1, expect.stringContaining('is not a file')]);
  expect(ran.stdout).not.toContain('secret-of');
  expect(host.main).toBe(main);
});

it('file-matrix starts no deployment in a repository of rows', async () => {
  const host = await CodeHostFixture.open({ 'signals/.gitkeep': '' });
  const env = measured({ '.gitkeep': '', 'alice/web-forms.matrix.json': matrix(ROW) });
  expect(await host.run('file-matrix', env)).toMatchObject({ status: 0 });
  const text = host.git.git('-C', host.host, 'show', `main:${PATH}`);
  expect(JSON.parse(text)).toEqual(JSON.parse(matrix(ROW)));
  expect(host.dispatched).toEqual([]);
});

it('measure runs no code of builds in the repository of a registry', async () => {
  const host = await CodeHostFixture.open(REGISTRY);
  const ran = await host.run('measure', { BASE_URL: 'http://127.0.0.1:1' });
  expect([ran.status, ran.stdout]).toEqual([
    1,
    expect.stringMatching(/::error::This repository is a registry.*MATRIX_REPOSITORY/),
  ]);
  // In a repository of rows it goes as far as the registry, which is not there.
  const rows = await CodeHostFixture.open({ 'signals/.gitkeep': '' });
  const other = await rows.run('measure', { BASE_URL: 'http://127.0.0.1:1' });
  expect([other.status, other.stdout]).toEqual([1, expect.stringContaining('127.0.0.1:1')]);
});
