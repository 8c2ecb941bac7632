/**
 * A build from end to end with the real programs: `init`, `check` and `publish` in a project, the gate on
 * the branch that was pushed, a merge by git, the generator, and `add` from what it served; then a new
 * version, a yank, a deprecation, a report and a flag. The proposals and findings of the publisher's commands are
 * those that the gate approves and reports.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { Person } from '../../format/registry/account.ts';
import { parseDocument } from '../../format/document/document.ts';
import { GateVerdict } from '../../generator/gate/gate-verdict.ts';
import { makeProject, readProject, serveFolder } from '../client/registry-fixture.ts';
import { temporaryFolder } from '../generate/git-fixture.ts';
import { expectWholeIndex, readHead, readRecord } from '../generate/index-reader.ts';
import { runCommand } from '../run/generator-command.ts';
import { ALICE, BOB, CAROL, codes } from './gate-fixture.ts';
import type { Answered } from './publishing-fixture.ts';
import { PublishingFixture } from './publishing-fixture.ts';

const ID = 'alice/date-ranges';

const SOURCE = {
  'package.json': JSON.stringify({ name: 'shop', license: 'MIT', type: 'module' }),
  LICENSE: 'MIT License\n',
  'src/date-ranges/index.ts':
    'export function isWithin(day: number, [from, to]: [number, number]): boolean {\n' +
    '  return from <= day && day <= to;\n}\n',
};

let at: PublishingFixture;
let bare: string;
let index: string;

beforeEach(async () => {
  at = await PublishingFixture.start();
  bare = at.host.bare('org/registry');
  index = join(temporaryFolder(), 'index');
});

it('a build, from the first line of its manifest to its flag', { timeout: 600_000 }, async () => {
  const project = makeProject(SOURCE);
  const folder = join(project, 'src/date-ranges');
  const manifest = join(folder, 'stackyard.json');

  const words = ['--owner', 'alice', '--license', 'MIT', '--description', 'Ranges of days'];
  expect((await client('init', folder, ...words, '--yes')).status).toBe(0);
  writeFileSync(join(folder, 'LICENSE'), SOURCE.LICENSE);
  edit(manifest, '"version": "0.1.0"', '"version": "1.0.0"');
  const checked = await client('check', folder);
  expect([checked.status, checked.data.publishable]).toEqual([0, true]);
  const first = await propose('publish', folder, '--owner', 'alice', '--account-id', '11');
  expect(first.data).toMatchObject({ build: ID, version: '1.0.0', first_of_owner: true });

  // The gate refuses the same branch from another account.
  expect((await gate(first.data.branch, { login: 'alice', id: 12 })).verdict).toBe('refuse');
  const judged = await gate(first.data.branch, ALICE);
  expect([judged.verdict, codes(judged)]).toEqual([
    'review',
    ['gate-first-build', 'gate-new-name'],
  ]);
  expect(
    judged.builds.map(({ id, version, risk, quality }) => [id, version, risk, quality]),
  ).toEqual([[ID, '1.0.0', checked.data.risk, checked.data.quality]]);
  expect(judged.builds[0]?.findings.map(essence)).toEqual(checked.data.findings.map(essence));
  merge(first.data.branch);

  await generate();
  const url = await serveFolder(index);
  expect(readHead(index, ID).versions[0]?.integrity).toBe(first.data.integrity);
  // A project that installs the build must have what `init` found that the code needs.
  const shop = makeProject({
    'package.json': JSON.stringify({ name: 'app', devDependencies: { typescript: '^5.9.0' } }),
  });
  const added = await client('add', ID, '--yes', '--no-install', '-C', shop, '--registry', url);
  expect([added.status, added.error]).toEqual([0, undefined]);
  const placed = readProject(shop);
  expect(placed['src/date-ranges/index.ts']).toBe(SOURCE['src/date-ranges/index.ts']);
  expect((await client('verify', '-C', shop)).status).toBe(0);

  // The next version by its owner needs no review.
  edit(manifest, '"version": "1.0.0"', '"version": "1.0.1"');
  edit(join(folder, 'index.ts'), 'from <= day', 'day >= from');
  const second = await propose('publish', folder, '--owner', 'alice', '--registry', url);
  expect(second.data.first_of_owner).toBe(false);
  await land(second, ALICE);
  await generate();
  expect(readHead(index, ID).versions.map(({ version }) => version)).toEqual(['1.0.1', '1.0.0']);
  const again = await client('publish', folder, '--owner', 'alice');
  expect([again.status, again.error.code]).toEqual([5, 'ERR_CONFLICT']);

  // Later statements about it, each on a branch of its own.
  const about = ['--registry', url];
  const yanked = await propose('yank', `${ID}@1.0.0`, '--reason', 'Misses the last day', ...about);
  await land(yanked, ALICE);
  const deprecated = await propose('deprecate', ID, '--reason', 'Use a library', ...about);
  expect((await gate(deprecated.data.branch, BOB)).verdict).toBe('refuse');
  await land(deprecated, ALICE);
  const note = ['--note', 'Works with Node 24'];
  const bob = ['--account-id', String(BOB.id), ...about];
  const report = await propose('report', `${ID}@1.0.1`, 'success', ...note, ...bob);
  expect(codes(await gate(report.data.branch, ALICE))).toEqual(['gate-statement-account']);
  await land(report, BOB);
  const carol = ['--account-id', String(CAROL.id), ...about];
  await land(await propose('report', `${ID}@1.0.0`, 'flag', '--reason', 'broken', ...carol), CAROL);

  await countStatements();
  await generate();
  expectWholeIndex(index);
  const record = readRecord(index, ID);
  expect(record).toMatchObject({
    version: '1.0.1',
    latest: '1.0.1',
    agent_reports: { success: 1, failure: 0 },
    flags: 1,
    integrity: second.data.integrity,
  });
  expect(record.versions).toMatchObject([
    { version: '1.0.1', yanked: false },
    { version: '1.0.0', yanked: true },
  ]);
  const head = readHead(index, ID);
  expect(head.deprecated).toEqual({ reason: 'Use a library' });
  expect(head.versions.at(-1)?.status).toEqual({ is: 'yanked', reason: 'Misses the last day' });
  // A project with the yanked version keeps it, and its user gets a warning.
  expect((await client('verify', '-C', shop)).status).toBe(0);
  const old = await client('outdated', '-C', shop, '--registry', url);
  expect(JSON.stringify(old.data)).toContain('Misses the last day');
  expect(readProject(shop)).toEqual(placed);
});

/** What both the gate and `check` report of a finding; they write the line in different forms. */
function essence({ level, code, file, message }: any): unknown {
  return { level, code, file, message };
}

/** The client without a token; what it prints is checked against its schema. */
function client(...args: string[]): Promise<Answered> {
  return at.run(args, { GITHUB_TOKEN: '', STACKYARD_REPOSITORY: bare });
}

/** A command that pushes a branch to the bare repository and leaves the pull request to its user. */
async function propose(...args: string[]): Promise<Answered> {
  const ended = await client(...args);
  expect([ended.status, ended.error], ended.stderr).toEqual([0, undefined]);
  expect(ended.data).toMatchObject({ state: 'pushed', base: 'main' });
  expect(ended.data.pull_request).toBeUndefined();
  return ended;
}

async function gate(branch: string, { login, id }: Person): Promise<GateVerdict> {
  const sides = ['--base', 'main', '--head', branch, '--repo', bare];
  const author = ['--author', login, '--author-id', String(id)];
  const { status, stdout } = await runCommand('gate', [...sides, ...author, '--json']);
  const verdict = parseDocument(GateVerdict, Buffer.from(stdout), 'the verdict');
  expect(status).toBe(verdict.verdict === 'refuse' ? 1 : 0);
  return verdict;
}

/** Merges a branch that the gate approves without waiting. */
async function land({ data }: Answered, author: Person): Promise<void> {
  const verdict = await gate(data.branch, author);
  expect([data.branch, verdict.verdict, codes(verdict)]).toEqual([data.branch, 'merge', []]);
  merge(data.branch);
}

function merge(branch: string): void {
  const folder = workingTree();
  git(folder, 'merge', '-q', '--no-ff', '-m', `Merge ${branch}`, `origin/${branch}`);
  git(folder, 'push', '-q', 'origin', 'main');
}

/** `npm run ingest` for reports and flags, and the commit of what it counted. */
async function countStatements(): Promise<void> {
  const repo = workingTree();
  const files = ['--repo', repo, '--index', index, '--state', join(temporaryFolder(), 'state')];
  for (const kind of ['reports', 'flags']) {
    const { status, stdout } = await runCommand('ingest', [kind, ...files]);
    expect([status, stdout]).toEqual([0, expect.stringContaining(`${kind}: 1 accepted`)]);
  }
  git(repo, 'add', 'signals');
  git(repo, 'commit', '-q', '-m', 'Count signals');
  git(repo, 'push', '-q', 'origin', 'main');
}

/** `npm run generate`; every fault would end it with another status. */
async function generate(): Promise<void> {
  const { status, stderr } = await runCommand('generate', [
    '--repo',
    bare,
    '--out',
    index,
    '--no-site',
    '--threads',
    '1',
  ]);
  expect([status, stderr]).toEqual([0, '']);
}

/** A clone of the main branch, for an admin to work in. */
function workingTree(): string {
  const folder = join(temporaryFolder(), 'work');
  git(bare, 'clone', '-q', bare, folder);
  git(folder, 'config', 'user.name', 'Admin');
  git(folder, 'config', 'user.email', 'admin@example.org');
  return folder;
}

/** Commits with the current time, because the day of a report is compared with it. */
function git(folder: string, ...args: string[]): void {
  execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
}

function edit(file: string, old: string, replacement: string): void {
  const parts = readFileSync(file, 'utf8').split(old);
  expect(parts).toHaveLength(2);
  writeFileSync(file, parts.join(replacement));
}
