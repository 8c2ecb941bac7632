/** The tools of `mcp` that change a project in other ways than `add` and `update`, and those that compare it. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import type { Answer } from './mcp-session.ts';
import { Session } from './mcp-session.ts';
import {
  bringUpToDate,
  makeProject,
  readProject,
  serveRegistry,
  stackyard,
} from './registry-fixture.ts';

let git: GitFixture;
let index: string;
let url: string;
let project: string;
let session: Session;

beforeEach(async () => {
  git = new GitFixture();
  const manifest = '{\n  "name": "base",\n  "version": "1.0.0"\n}\n';
  git.commit(build('a/base', '1.0.0', { kind: 'foundation' }, { 'package.json': manifest }));
  git.commit(build('b/db', '1.0.0', { base: 'src/db' }));
  git.commit(build('a/web', '1.0.0', { base: 'src/web', builds: { 'b/db': '^1.0.0' } }));
  ({ url, index } = await serveRegistry(git));
  project = makeProject();
  session = await Session.open(project, url);
});

/** Plans with these values and carries the plan out. */
async function change(action: string, values: object = {}): Promise<Answer> {
  const { data, error } = await session.call('plan', { action, ...values });
  expect(error).toBeUndefined();
  return session.call('apply', { plan_hash: data!['plan_hash'] });
}

describe('mcp', () => {
  it('removes what was planned, undoes it, and compares the project', async () => {
    await change('add', { builds: ['a/web'] });
    const full = readProject(project);
    const removed = await change('remove', { builds: ['a/web'] });
    expect(removed).toMatchObject({
      ok: true,
      data: { plan: { builds: [{ id: 'a/web' }, { id: 'b/db' }] } },
    });
    expect(Object.keys(readProject(project))).toEqual(['package.json']);

    const planned = await session.call('plan', { action: 'undo' });
    expect(planned).toMatchObject({ status: 'planned', data: { undone: 'remove a/web b/db' } });
    expect(await session.call('apply', { plan_hash: 'sha256-other' })).toMatchObject({
      error: { code: 'ERR_PLAN_CHANGED' },
    });
    const { plan_hash } = planned.data!;
    expect(await session.call('apply', { plan_hash })).toMatchObject({ ok: true, status: 'done' });
    expect(readProject(project)).toEqual(full);
    // The hash was of that change, and not of the one before it.
    expect(await session.call('apply', { plan_hash })).toMatchObject({
      error: { code: 'ERR_PLAN_CHANGED' },
    });

    writeFileSync(join(project, 'src/db/src/index.ts'), 'edited\n');
    const { data } = await session.call('diff', { what: ['b/db'] });
    expect(data).toMatchObject({ files: [{ path: 'src/db/src/index.ts', state: 'changed' }] });
    expect((await session.call('list')).data).toMatchObject({
      registries: [{ name: 'default', address: url, builds: 2 }],
    });
  });

  it('reports newer versions, and resolves conflicts by the side that was planned', async () => {
    await change('add', { builds: ['b/db'] });
    const file = join(project, 'src/db/src/index.ts');
    writeFileSync(file, "export const version = 'mine';\n");
    git.commit(build('b/db', '1.1.0', { base: 'src/db' }));
    await bringUpToDate(git, index);
    session = await Session.open(project, url);
    expect((await session.call('outdated')).data).toMatchObject({
      builds: [{ id: 'b/db', current: '1.0.0', wanted: '1.1.0', latest: '1.1.0' }],
    });
    await change('update', { conflict: 'markers' });
    const path = 'src/db/src/index.ts';
    const planned = await session.call('plan', {
      action: 'resolve',
      files: [path],
      take: 'theirs',
    });
    expect(planned).toMatchObject({
      status: 'planned',
      data: { files: [{ path, conflicts: 1 }] },
    });
    const { plan_hash } = planned.data!;
    expect(readFileSync(file, 'utf8')).toContain('<<<<<<<');
    await session.call('apply', { plan_hash });
    expect(readFileSync(file, 'utf8')).toContain("'1.1.0'");
  });

  it('starts a project below its own folder only', async () => {
    const values = { foundation: 'a/base', with: ['b/db'], folder: 'apps/one', allow: ['all'] };
    mkdirSync(join(project, 'apps'));
    expect(await change('new', values)).toMatchObject({ ok: true, status: 'done' });
    expect(readProject(join(project, 'apps/one'))).toHaveProperty('src/db/src/index.ts');
    symlinkSync(temporaryFolder(), join(project, 'link'));
    for (const folder of ['../out', '/tmp/out', '.', 'apps/../..', 'link', 'link/x/y']) {
      const refused = await session.call('plan', { action: 'new', ...values, folder });
      expect(refused).toMatchObject({ error: { code: 'ERR_USAGE' } });
    }
  });

  it('refuses to plan with missing values, or with those of another action', async () => {
    const cases: [string, object, string][] = [
      ['remove', {}, 'needs "builds"'],
      ['new', { foundation: 'a/base' }, 'needs "folder"'],
      ['undo', { builds: ['a/web'] }, '"builds" is not a value of the action "undo"'],
      ['remove', { builds: ['a/web'], latest: true }, '"latest" is not a value'],
    ];
    for (const [action, values, message] of cases) {
      const { error } = await session.call('plan', { action, ...values });
      expect(error).toMatchObject({ code: 'ERR_USAGE', message: expect.stringContaining(message) });
    }
  });
});

describe('mcp --json', () => {
  it('describes the server without starting it', async () => {
    const ended = await stackyard(['mcp', '-C', project, '--json']);
    const { tools } = await session.client.listTools();
    expect([ended.status, ended.stderr]).toEqual([0, '']);
    const document = JSON.parse(ended.stdout) as {
      data: { tools: { name: string; input: object }[] };
    };
    expect(document).toMatchObject({ schema: 'stackyard/mcp@1', status: 'done' });
    expect(document.data.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    expect(document.data.tools[0]?.input).toMatchObject({ type: 'object' });
    const failed = await stackyard(['mcp', '-C', join(project, 'nowhere'), '--json']);
    expect(failed.status).toBe(2);
    expect(JSON.parse(failed.stdout)).toMatchObject({ error: { code: 'ERR_USAGE' } });
  });
});
