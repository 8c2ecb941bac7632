/** Decisions about single files and ranges of the project, by the tools of `mcp` and by the library, as by the options. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { add } from '../../client/commands/add.ts';
import { apply, plan } from '../../client/library.ts';
import type { Outcome } from '../../client/terminal/command.ts';
import { GitFixture, build } from '../generate/git-fixture.ts';
import { Session } from './mcp-session.ts';
import { typing } from './run-command.ts';
import { bringUpToDate, makeProject, readProject, serveRegistry } from './registry-fixture.ts';

const FILES = { 'one.ts': 'export const one = 1;\n', 'two.ts': 'export const two = 2;\n' };
const OPTIONS = { base: 'src/x', files: ['*.ts'], dependencies: { npm: { zod: '^4.0.0' } } };
const PROJECT = {
  'package.json': '{\n  "dependencies": {\n    "zod": "^3.0.0"\n  }\n}\n',
  'src/x/one.ts': 'mine\n',
  'src/x/two.ts': 'also mine\n',
};

let git: GitFixture;
let url: string;
let index: string;
let project: string;

beforeEach(async () => {
  git = new GitFixture();
  git.commit(build('a/x', '1.0.0', OPTIONS, FILES));
  git.commit(build('a/needs', '1.0.0', { base: 'src/needs' }));
  ({ url, index } = await serveRegistry(git));
  project = makeProject(PROJECT);
});

const DECIDED = {
  'package.json': PROJECT['package.json'],
  'src/x/one.ts': 'mine\n',
  'src/x/two.ts': FILES['two.ts'],
};

describe('mcp', () => {
  it('add takes decisions by path and packages to keep', async () => {
    const session = await Session.open(project, url);
    const add = { action: 'add', builds: ['a/x'] };
    const paths = { on_exists: ['skip:./src/x/one.ts', 'theirs:src/x/two.ts'] };
    for (const change of [add, { ...add, ...paths }, { ...add, keep: ['zod'] }]) {
      const refused = await session.call('plan', change);
      expect(refused.error?.code).toMatch(/^ERR_(?:CONFLICT|DEPENDENCY)$/);
    }
    const unknown = { ...add, keep: ['zod'], on_exists: ['skip:src/y.ts'] };
    expect((await session.call('plan', unknown)).error?.code).toBe('ERR_USAGE');
    const { data } = await session.call('plan', { ...add, ...paths, keep: ['zod'] });
    const done = await session.call('apply', { plan_hash: data?.['plan_hash'] });
    expect(done).toMatchObject({ ok: true });
    expect(readProject(project)).toMatchObject(DECIDED);
  });

  it('update takes them for builds that the new version requires', async () => {
    const session = await Session.open(project, url);
    const { data } = await session.call('plan', { action: 'add', builds: ['a/needs'] });
    const hash = data?.['plan_hash'];
    await session.call('apply', { plan_hash: hash });
    git.commit(build('a/needs', '1.1.0', { base: 'src/needs', builds: { 'a/x': '^1.0.0' } }));
    await bringUpToDate(git, index);
    const fresh = await Session.open(project, url);
    const values = { on_exists: ['theirs', 'skip:src/x/one.ts'], keep: ['zod'] };
    const planned = await fresh.call('plan', { action: 'update', ...values });
    const plan_hash = planned.data?.['plan_hash'];
    expect(await fresh.call('apply', { plan_hash })).toMatchObject({ ok: true });
    expect(readProject(project)).toMatchObject(DECIDED);
  });
});

it('the library takes decisions by path and packages to keep', async () => {
  const onExists = ['skip:src/x/one.ts', 'theirs:src/x/two.ts'];
  const registry = url;
  const rest = { registry, onExists };
  await expect(plan(project, ['a/x'], rest)).rejects.toMatchObject({ code: 'ERR_DEPENDENCY' });
  const kept = { registry, keep: ['zod'] };
  await expect(plan(project, ['a/x'], kept)).rejects.toMatchObject({ code: 'ERR_CONFLICT' });
  const prepared = await plan(project, ['a/x'], { ...rest, ...kept });
  const other = await plan(project, ['a/x'], { ...kept, onExists: ['theirs'] });
  expect(other.hash).not.toBe(prepared.hash);
  await apply(prepared);
  expect(readProject(project)).toMatchObject(DECIDED);
});

describe('questions', () => {
  /** Runs `add` with answers to its questions; the registry is gone from the first question on. */
  async function addWith(answers: readonly string[], asked: string[]): Promise<Outcome> {
    const user = typing(answers, asked);
    const ask: typeof user.ask = (questions) => {
      rmSync(index, { recursive: true, force: true });
      return user.ask(questions);
    };
    const place = { cwd: project, isCwdGiven: true, workspace: undefined };
    const output = { json: false, quiet: true, verbose: false };
    const network = { registry: url, offline: false };
    const change = {
      dryRun: false,
      install: false,
      wire: false,
      onExists: [] as string[],
      allow: [] as string[],
    };
    const options = { ...place, ...output, ...network, ...change, keep: ['zod'] };
    return add(['a/x'], options, { ...user, ask });
  }

  const firstLine = (text: string): string => text.split('\n')[0]!;

  it('about files are answered one by one, and nothing is fetched again', async () => {
    const asked: string[] = [];
    expect(await addWith(['keep', 'replace'], asked)).toMatchObject({ status: 'done' });
    expect(asked.map(firstLine)).toEqual([
      '"src/x/one.ts" differs from the file of a/x (1 of 2):',
      '"src/x/two.ts" differs from the file of a/x (2 of 2):',
    ]);
    expect(readProject(project)).toMatchObject(DECIDED);
  });

  it('are put again where another folder has files in the way, too', async () => {
    mkdirSync(join(project, 'lib'));
    writeFileSync(join(project, 'lib/two.ts'), 'mine as well\n');
    const asked: string[] = [];
    const outcome = await addWith(['other', 'lib', 'replace'], asked);
    expect(outcome).toMatchObject({
      status: 'done',
      data: { plan: { choices: { to: { 'a/x': 'lib' } } } },
    });
    expect(asked.map(firstLine)).toEqual([
      '"src/x/one.ts" differs from the file of a/x (1 of 2):',
      'Folder for a/x in the project, such as src/auth:',
      '"lib/two.ts" differs from the file of a/x:',
    ]);
    const files = { 'src/x/one.ts': 'mine\n', 'lib/two.ts': FILES['two.ts'] };
    expect(readProject(project)).toMatchObject(files);
  });

  it('that are answered by "stop" change nothing', async () => {
    const before = readProject(project);
    await expect(addWith(['stop'], [])).rejects.toMatchObject({ code: 'ERR_DECLINED' });
    expect(readProject(project)).toEqual(before);
  });
});
