/** A registry in a folder of a larger repository, by each of its programs: no other file of the repository is the registry's. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { statementPath, type Report } from '../../format/statement/statement.ts';
import { makeProject } from '../client/registry-fixture.ts';
import { generateDocuments } from '../generate/generate-documents.ts';
import { GitFixture, temporaryFolder, type Files } from '../generate/git-fixture.ts';
import { readHead, readRecord } from '../generate/index-reader.ts';
import { runCommand } from '../run/generator-command.ts';
import { CodeHostFixture } from './code-host-fixture.ts';
import { ALICE, GateFixture, MALLORY, REGISTRY, build, codes } from './gate-fixture.ts';
import { FILES, PublishingFixture } from './publishing-fixture.ts';

const TOP = 'registry.config.json';
const CONFIG = { ...(JSON.parse(String(REGISTRY[TOP])) as object), root: 'registry/' };

/** Files of a registry, in the folder. */
function below(files: Files): Files {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [`registry/${path}`, text]),
  );
}

const {
  [TOP]: _,
  'generator/commands/generate.ts': __,
  '.github/workflows/publish.yml': ___,
  ...OWN
} = REGISTRY;
/** A monorepo that has folders with the names of those of a registry. */
const LARGER: Files = {
  [TOP]: JSON.stringify(CONFIG),
  'src/app.ts': 'export {};\n',
  ...build('mallory/elsewhere', '1.0.0'),
  'signals/alice/web-forms.json': '{}\n',
  'advisories/note.md': 'Not of the registry\n',
  'moderation/alice/web-forms.json': '{"decisions":7}\n',
  'reports/2026.md': 'A report\n',
  ...below(OWN),
};

async function indexOf(git: GitFixture, out: string): Promise<number> {
  const { problems, builds } = await generateDocuments({ repo: git.folder, out, threads: 1 });
  expect(problems.failing).toEqual([]);
  return builds;
}

describe('a registry in a folder of a larger repository', () => {
  it('is published from there alone, with its signals, decisions, reports and take-downs', async () => {
    const [git, out] = [new GitFixture(), join(temporaryFolder(), 'index')];
    git.commit(LARGER);
    expect(await indexOf(git, out)).toBe(3);
    expect(existsSync(join(out, 'builds/mallory'))).toBe(false);
    expect(readRecord(out, 'alice/web-forms').published_at).toBe(git.time);
    const [version] = readHead(out, 'alice/web-forms').versions;
    const report: Report = {
      build: 'alice/web-forms',
      version: '1.0.0',
      integrity: version!.integrity,
      account: 'host:77',
      day: git.time.slice(0, 10),
      outcome: 'success',
    };
    git.commit(below({ [statementPath('reports', report)]: canonicalJson(report) }));
    const ingested = await runCommand('ingest', ['reports', '--repo', git.folder, '--index', out]);
    expect([ingested.stderr, ingested.stdout]).toEqual([
      '',
      'reports: 1 accepted (0 superseded, 0 of the publisher, 0 dismissed), 0 refused; signals: 1 changed\n',
    ]);
    expect(existsSync(join(git.folder, 'registry/signals/alice/web-forms.json'))).toBe(true);
    git.commit({});
    await indexOf(git, out);
    expect(readRecord(out, 'alice/web-forms')).toMatchObject({ agent_reports: { success: 1 } });
    const how = ['--reason', 'Court order', '--reference', '1 A', '--repo', git.folder];
    const taken = await runCommand('take-down', ['alice/page-tables@2.1.0', ...how]);
    expect([taken.status, taken.stderr]).toEqual([0, '']);
    expect(taken.stdout).toContain('Wrote registry/builds/alice/owner.json: commit it');
    git.commit({});
    await indexOf(git, out);
    expect(existsSync(join(out, 'builds/alice/page-tables/2.1.0.tgz'))).toBe(false);
    // What is committed elsewhere changes nothing but the commit of the index.
    const log = (): string[] =>
      readFileSync(join(out, 'log/checkpoint'), 'utf8').split('\n').slice(0, 3);
    const before = log();
    git.commit({ 'src/app.ts': 'export const a = 1;\n', ...build('mallory/more', '1.0.0') });
    expect(await indexOf(git, out)).toBe(2);
    expect(log()).toEqual(before);
  });

  it('cannot get another root once something is published', async () => {
    const [git, out] = [new GitFixture(), join(temporaryFolder(), 'index')];
    git.commit(LARGER);
    git.commit(below(build('alice/web-forms', '1.1.0')));
    await indexOf(git, out);
    git.git('mv', 'registry', 'other');
    git.commit({ [TOP]: JSON.stringify({ ...CONFIG, root: 'other/' }) });
    const { generate } = await import('../../generator/pipeline/pipeline.ts');
    const options = { repo: git.folder, out, threads: 1, unsigned: true };
    await expect(generate(options)).rejects.toThrow(/published/);
    expect(readHead(out, 'alice/web-forms').versions).toHaveLength(2);
  });
});

describe('the gate of a registry in a folder', () => {
  it.each<[string, Files, string, string[]]>([
    ['merges a build there', below(build('alice/web-forms', '1.1.0')), 'merge', []],
    [
      'refuses the owner of another',
      below(build('carol/mail-queue', '1.1.0')),
      'refuse',
      ['gate-owner-foreign'],
    ],
    [
      'refuses decisions of others',
      below({ 'moderation/alice/web-forms.json': '{"decisions":{}}' }),
      'refuse',
      ['gate-moderation'],
    ],
    ['refuses a report of nobody', below({ 'reports/x.json': '{}' }), 'refuse', ['gate-statement']],
    [
      'refuses an advisory without form',
      below({ 'advisories/x.json': '{}' }),
      'refuse',
      ['gate-advisory'],
    ],
    [
      'refuses a build with other files',
      { ...below(build('alice/web-forms', '1.1.0')), 'src/app.ts': 'x\n' },
      'refuse',
      ['gate-mixed'],
    ],
    [
      'leaves the configuration to an admin',
      { [TOP]: JSON.stringify({ ...CONFIG, root: 'other/' }) },
      'review',
      ['gate-no-build'],
    ],
  ])('%s', async (_name, files, verdict, expected) => {
    const at = new GateFixture(LARGER);
    const judged = await at.propose(files, ALICE);
    expect([judged.verdict, codes(judged)]).toEqual([verdict, expected]);
    expect(judged.root).toBe('registry/');
  });

  it('does not judge what changes nothing of the registry', async () => {
    const host = await CodeHostFixture.open(LARGER);
    const other = host.pull(MALLORY, { 'src/app.ts': 'evil();\n', ...build('mallory/x', '1.0.0') });
    const ran = await host.publish(other);
    expect([ran.status, ran.stdout]).toEqual([
      0,
      'It changes nothing of the registry: not judged\n',
    ]);
    expect([other.comments, other.labels, host.statuses]).toEqual([[], [], []]);
    const who = ['--author', 'mallory', '--author-id', '66', '--repo', host.git.folder];
    const typed = await runCommand('gate', ['--base', 'main', '--head', other.branch, ...who]);
    expect([typed.status, typed.stdout, typed.stderr]).toEqual([
      0,
      '',
      'The pull request changes nothing of the registry: it is not judged\n',
    ]);
    const own = host.pull(ALICE, below(build('alice/web-forms', '1.1.0')));
    expect((await host.publish(own)).stdout).toBe('landed\n');
  });

  it('counts an index as fresh that other commits followed', async () => {
    const host = await CodeHostFixture.open(LARGER);
    const live = host.main;
    const info = {
      name: 'R',
      interface: 1,
      base_url: '',
      source_commit: live,
      builds: 0,
      versions: 0,
    };
    const server = createServer((_, response) => response.end(canonicalJson(info)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const BASE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const env = { BASE_URL, GITHUB_TOKEN: 'write', FRESH_WITHIN_SECONDS: '0', POLL_SECONDS: '0' };
    const push = (files: Files): void => {
      host.git.commit(files);
      host.git.git('push', '-q', 'origin', 'HEAD:main');
    };
    push({ 'src/app.ts': 'export const a = 1;\n' });
    expect(await host.run('check-freshness', env)).toMatchObject({ status: 0 });
    push(below(build('alice/web-forms', '1.1.0')));
    expect(await host.run('check-freshness', env)).toMatchObject({ status: 1 });
    expect(host.issues).toMatchObject([{ labels: ['stale index'] }]);
  });
});

it('publish brings a build into the folder', async () => {
  const at = await PublishingFixture.start();
  at.git.commit({ [TOP]: '{ "root": "registry/" }\n' });
  await at.rehost();
  const ended = await at.run(['publish', makeProject(FILES)]);
  expect([ended.status, ended.error]).toEqual([0, undefined]);
  const files = at.host.files('org/registry', 'publish/alice/web@1.0.0');
  expect(files.filter((file) => file.includes('alice'))).toEqual([
    '100644 registry/builds/alice/owner.json',
    '100644 registry/builds/alice/web/LICENSE',
    '100644 registry/builds/alice/web/README.md',
    '100644 registry/builds/alice/web/src/index.ts',
    '100644 registry/builds/alice/web/stackyard.json',
  ]);
});

describe('init --root', () => {
  it('adds a registry to a repository, and touches nothing else of it', async () => {
    const git = new GitFixture();
    git.commit({ 'README.md': '# Ours\n', 'src/app.ts': 'export {};\n' });
    git.write({ 'src/app.ts': 'export const changed = 1;\n' });
    const software = join(temporaryFolder(), 'stackyard-registry-0.0.0.tgz');
    writeFileSync(software, 'package');
    const args = [git.folder, '--admin', 'alice:1', '--root', 'registry/', '--software', software];
    expect((await runCommand('init', args)).stderr).toBe('');
    const added = git.git('show', '--name-status', '--format=', 'HEAD').split('\n');
    expect(added.filter((line) => !line.startsWith('A\t.'))).toEqual([
      'A\tregistry.config.json',
      'A\tregistry/.gitignore',
      'A\tregistry/README.md',
      'A\tregistry/builds/.gitkeep',
      'A\tregistry/measuring/.github/workflows/measure.yml',
      'A\tregistry/measuring/.stackyard/install.mjs',
      'A\tregistry/measuring/signals/.gitkeep',
      'A\tregistry/measuring/software.json',
    ]);
    expect(git.git('status', '--porcelain')).toBe('M src/app.ts');
    const again = await runCommand('init', args);
    expect([again.status, again.stderr]).toEqual([
      1,
      expect.stringContaining('it has "registry.config.json"'),
    ]);
    expect(git.git('status', '--porcelain')).toBe('M src/app.ts');
  });

  it.each([
    ['registry', 'not the path of a folder'],
    ['../registry/', 'not the path of a folder'],
    ['/registry/', 'not the path of a folder'],
  ])('refuses %j', async (root, problem) => {
    const ended = await runCommand('init', [temporaryFolder(), '--admin', 'a:1', '--root', root]);
    expect([ended.status, ended.stderr]).toEqual([2, expect.stringContaining(problem)]);
  });
});
