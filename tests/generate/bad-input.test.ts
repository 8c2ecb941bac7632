/** Bad builds in a real history: each has its code and is left out, and other builds are published. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tarballPath } from '../../format/index/layout.ts';
import { readTarball } from '../../format/archive/tarball.ts';
import { generateDocuments } from './generate-documents.ts';
import type { Report } from '../../generator/pipeline/report.ts';
import { GitFixture, build, manifest, temporaryFolder } from './git-fixture.ts';
import type { Files } from './git-fixture.ts';
import { expectWholeIndex, readCatalogIds, readRecord } from './index-reader.ts';

const GOOD = build('good/one', '1.0.0');

async function run(git: GitFixture): Promise<{ report: Report; out: string; codes: string[] }> {
  const out = join(temporaryFolder(), 'index');
  const report = await generateDocuments({ repo: git.folder, out, threads: 1 });
  const codes = report.problems.failing.map((p) => p.finding.code);
  return { report, out, codes };
}

/** Commits a good build and then `files`; the good build must be published regardless of `files`. */
async function runWith(files: Files): Promise<{ report: Report; out: string; codes: string[] }> {
  const git = new GitFixture();
  git.commit(GOOD);
  const bad = git.commit(files);
  const result = await run(git);
  expect(readCatalogIds(result.out)).toContain('good/one');
  expectWholeIndex(result.out);
  for (const problem of result.report.problems.failing) expect(problem.commit).toBe(bad);
  return result;
}

function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

describe('generate() leaves out what is not a build', () => {
  // What else a manifest may have wrong, the tests of `parseManifest()` have.
  const cases: readonly (readonly [what: string, files: Files, codes: readonly string[]])[] = [
    [
      'a manifest that is not JSON',
      { 'builds/a/json/stackyard.json': '{ "name": "json", }' },
      ['manifest-json'],
    ],
    [
      'a bad version',
      { 'builds/a/bad/stackyard.json': manifest('bad', 'v1') },
      ['manifest-field-value'],
    ],
    ['a folder without a manifest', { 'builds/a/none/index.ts': '1' }, ['manifest-missing']],
    [
      "a name that is not its folder's",
      { 'builds/a/x/stackyard.json': manifest('other', '1.0.0') },
      ['manifest-name-folder'],
    ],
    [
      'a build that requires itself',
      { 'builds/a/own/stackyard.json': manifest('own', '1.0.0', { builds: { 'a/own': '*' } }) },
      ['manifest-requires-itself'],
    ],
    ['a manifest beside the owner file', { 'builds/a/stackyard.json': '{}' }, ['build-id-depth']],
    ['an owner that no login can be', build('a_b/x', '1.0.0'), ['build-id-owner']],
    [
      'two builds that differ in case only',
      build('Good/one', '1.0.0'),
      ['build-id-case', 'build-id-owner'],
    ],
    [
      'two files that differ in case only',
      build('a/files', '1.0.0', {}, { 'A.txt': '1', 'a.txt': '2' }),
      ['file-path-collision'],
    ],
    [
      'Windows devices',
      build('aux/con', '1.0.0', {}, { 'con.txt': '1' }),
      ['build-id-name', 'build-id-owner', 'file-path-reserved'],
    ],
    [
      'a README that is not UTF-8',
      build('a/latin', '1.0.0', {}, { 'README.md': latin1('caf\xe9') }),
      ['file-encoding'],
    ],
    [
      'an owner file that is not JSON',
      { 'builds/good/owner.json': 'oops' },
      ['owner-file-invalid'],
    ],
  ];

  it('in one commit with many faults, each named', async () => {
    const files = Object.assign({}, ...cases.map(([, one]) => one)) as Files;
    const result = await runWith(files);
    expect(result.codes.sort()).toEqual(cases.flatMap(([, , codes]) => codes).sort());
    expect(readCatalogIds(result.out)).toEqual(['good/one']);
  });

  it('a symbolic link, a submodule, each named', async () => {
    const git = new GitFixture();
    git.commit(GOOD);
    git.write(build('a/x', '1.0.0'));
    git.symlink('builds/a/x/link', '/etc/passwd');
    const gitlink = git.git('rev-parse', 'HEAD');
    git.git('add', '-A');
    git.git('update-index', '--add', '--cacheinfo', `160000,${gitlink},builds/a/x/module`);
    git.git('commit', '-q', '-m', 'Links');
    const { codes, report, out } = await run(git);
    expect(codes.sort()).toEqual(['file-submodule', 'file-symlink']);
    expect(report.problems.failing.map((p) => p.finding.file).sort()).toEqual(['link', 'module']);
    expect(readCatalogIds(out)).toEqual(['good/one']);
  });

  it('a path that is not UTF-8', async () => {
    const git = new GitFixture();
    git.commit(build('a/x', '1.0.0'));
    const blob = git.git('hash-object', '-w', 'builds/a/x/LICENSE');
    execFileSync('git', ['update-index', '--index-info'], {
      cwd: git.folder,
      input: Buffer.concat([latin1(`100644 ${blob}\tbuilds/a/y/caf\xe9\n`)]),
    });
    git.git('commit', '-q', '-m', 'Odd path');
    const { codes } = await run(git);
    expect(codes.sort()).toEqual(['file-path-encoding', 'manifest-missing']);
  });

  it('an old fault does not prevent its corrected version from being published', async () => {
    const git = new GitFixture();
    git.commit(build('a/x', '1.0.0', { description: 'd'.repeat(301) }));
    git.commit(build('a/x', '1.0.0'));
    const { codes, out } = await run(git);
    expect(codes).toEqual(['manifest-field-value']);
    expect(readRecord(out, 'a/x').published_at).toBe(git.time);
  });
});

describe('generate() takes what is unusual but sound', () => {
  it('binary files byte for byte, executables with mode 755, empty files, long and odd paths', async () => {
    const git = new GitFixture();
    const binary = Buffer.from(Array.from({ length: 512 }, (_, n) => n % 256));
    const long = `${'folder-'.repeat(14)}/${'x'.repeat(120)}.txt`;
    git.write(
      build(
        'a/x',
        '1.0.0',
        {},
        {
          'data.bin': binary,
          'run.sh': '#!/bin/sh\n',
          'empty.py': '',
          [long]: 'long',
          'src/[slug]/émile.ts': 'x',
        },
      ),
    );
    git.makeExecutable('builds/a/x/run.sh');
    git.commit({});
    const { codes, out } = await run(git);
    expect(codes).toEqual([]);
    const entries = readTarball(readFileSync(join(out, tarballPath('a/x', '1.0.0'))));
    const found = new Map(entries.map((e) => [e.path, e]));
    expect(Buffer.from(found.get('data.bin')?.bytes ?? []).equals(binary)).toBe(true);
    expect(found.get('run.sh')?.executable).toBe(true);
    expect(found.get('empty.py')?.bytes).toHaveLength(0);
    const record = readRecord(out, 'a/x');
    expect(record.files).toContainEqual({ path: 'data.bin', size: 512 });
    expect(record.files.map((f) => f.path)).toContain(long);
    expect(record.files.map((f) => f.path)).not.toContain('README.md');
    expect(record.risk).toBe('ok');
    expect(record.checks.findings).toContainEqual({
      level: 'info',
      code: 'file-executable',
      file: 'run.sh',
      message: 'The file is executable and is installed with mode 755',
    });
  });

  it('finds agent instructions and a missing licence, and explains the points', async () => {
    const git = new GitFixture();
    const { 'builds/a/y/LICENSE': _, ...unlicensed } = build('a/y', '1.0.0');
    git.commit({ ...build('a/x', '1.0.0', {}, { 'AGENTS.md': 'Run the tests\n' }), ...unlicensed });
    const { out } = await run(git);
    expect(readRecord(out, 'a/x').checks.findings).toContainEqual({
      level: 'info',
      code: 'agent-instructions',
      file: 'AGENTS.md',
      message: 'Coding agents load this file as instructions',
    });
    const { quality, risk, checks } = readRecord(out, 'a/y');
    const licensed = readRecord(out, 'a/x');
    const ofLicence = checks.findings.filter(({ code }) => code.startsWith('license-'));
    expect(ofLicence).toMatchObject([{ code: 'license-file-missing', level: 'warn', file: '' }]);
    expect(risk).toBe('ok');
    expect(quality).toBeLessThan(licensed.quality);
  });
});

describe('generate() refuses what it cannot read', () => {
  async function codeOf(folder: string): Promise<unknown> {
    const out = join(temporaryFolder(), 'index');
    return generateDocuments({ repo: folder, out }).catch((error: unknown) => error);
  }

  it('a folder outside git, a missing folder, a folder inside a repository', async () => {
    expect(await codeOf(temporaryFolder())).toMatchObject({ code: 'ERR_NOT_A_REPOSITORY' });
    expect(await codeOf('/no/such/folder')).toMatchObject({ code: 'ERR_NOT_A_REPOSITORY' });
    const git = new GitFixture();
    git.commit(GOOD);
    expect(await codeOf(join(git.folder, 'builds'))).toMatchObject({
      code: 'ERR_NOT_A_REPOSITORY',
      hint: expect.stringContaining(git.folder) as string,
    });
  });

  it('a repository without commits, without builds, a shallow clone', async () => {
    const git = new GitFixture();
    expect(await codeOf(git.folder)).toMatchObject({ code: 'ERR_NO_COMMITS' });
    git.commit({ 'README.md': 'x' });
    expect(await codeOf(git.folder)).toMatchObject({ code: 'ERR_NO_BUILDS' });
    git.commit(GOOD);
    const clone = temporaryFolder();
    git.git('clone', '-q', '--depth', '1', `file://${git.folder}`, clone);
    expect(await codeOf(clone)).toMatchObject({
      code: 'ERR_SHALLOW_CLONE',
      hint: expect.stringContaining('git fetch --unshallow') as string,
    });
  });

  it('a registry.config.json with an unknown field', async () => {
    const git = new GitFixture();
    git.commit({ ...GOOD, 'registry.config.json': '{"nmae":"x"}' });
    expect(await codeOf(git.folder)).toMatchObject({ code: 'ERR_CONFIG' });
  });

  it.each([
    ['flat', 'remove field "layout"'],
    ['sharded', 'move builds/<ab>/<cd>/<owner> to builds/<owner>'],
  ])('a registry.config.json with the layout %s of before', async (layout, hint) => {
    const git = new GitFixture();
    git.commit({ ...GOOD, 'registry.config.json': JSON.stringify({ layout }) });
    expect(await codeOf(git.folder)).toMatchObject({
      code: 'ERR_CONFIG',
      hint: expect.stringContaining(hint) as string,
    });
  });

  it('a target folder that holds other files, and touches none of them', async () => {
    const git = new GitFixture();
    git.commit(GOOD);
    const out = temporaryFolder();
    mkdirSync(join(out, 'photos'));
    writeFileSync(join(out, 'thesis.txt'), 'years of work');
    const error = await generateDocuments({ repo: git.folder, out }).catch((e: unknown) => e);
    expect(error).toMatchObject({ code: 'ERR_OUT_FOLDER' });
    expect(readFileSync(join(out, 'thesis.txt'), 'utf8')).toBe('years of work');
  });
});
