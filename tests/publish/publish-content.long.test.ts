/** What `publish` accepts and refuses: versions, files and folders. */
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { MAX_FILES, MAX_UNPACKED_BYTES } from '../../format/build/build-files.ts';
import { makeProject, serveRegistry } from '../client/registry-fixture.ts';
import { GitFixture, build } from '../generate/git-fixture.ts';
import { FILES, PublishingFixture } from './publishing-fixture.ts';

const BRANCH = 'publish/alice/web@1.0.0';

let at: PublishingFixture;

beforeEach(async () => {
  at = await PublishingFixture.start();
});

describe('publish refuses', () => {
  async function published(version: string): Promise<void> {
    at.git.commit({
      ...build('alice/web', version),
      'builds/alice/owner.json': '{ "account_id": 4711 }\n',
    });
    await at.rehost();
  }

  it.each([
    ['1.0.0', 'is published already, with other content', '"1.0.1"'],
    ['1.0.1', 'is not higher than 1.0.1', '"1.0.2"'],
    ['1.2.0', 'is not higher than 1.2.0', '"1.2.1" (a fix), "1.3.0" (an addition)'],
  ])('1.0.0 after %s', async (before, problem, hint) => {
    await published(before);
    const ended = await at.run(['publish', makeProject(FILES)]);
    expect([ended.status, ended.error.code]).toEqual([5, 'ERR_CONFLICT']);
    expect([ended.error.message, ended.error.hint]).toEqual([
      expect.stringContaining(problem),
      expect.stringContaining(hint),
    ]);
    expect(at.host.git('org/registry', 'branch', '--list', 'publish/*')).toBe('');
  });

  it('a version that the registry has, though the repository shows a newer line only', async () => {
    await published('1.0.0');
    at.git.commit(build('alice/web', '2.0.0'));
    await at.rehost();
    const { url } = await serveRegistry(at.git);
    const ended = await at.run(['publish', makeProject(FILES), '--registry', url]);
    expect([ended.status, ended.error.message]).toEqual([
      5,
      expect.stringContaining('1.0.0 is published already'),
    ]);
  });

  it('no version that is the highest of its own line', async () => {
    await published('0.9.9');
    const ended = await at.run(['publish', makeProject(FILES)]);
    expect([ended.status, ended.data.files]).toEqual([
      0,
      expect.arrayContaining([{ path: 'builds/alice/web/stackyard.json', change: 'changed' }]),
    ]);
  });

  it('an unchanged version', async () => {
    at.git.commit({
      ...Object.fromEntries(
        Object.entries(FILES).map(([path, text]) => [`builds/alice/web/${path}`, text]),
      ),
      'builds/alice/owner.json': '{ "account_id": 4711 }\n',
    });
    await at.rehost();
    const ended = await at.run(['publish', makeProject(FILES)]);
    expect([ended.status, ended.error.message]).toEqual([
      5,
      expect.stringContaining('nothing has changed'),
    ]);
  });

  it('what the registry would refuse, with its findings', async () => {
    const project = makeProject({ ...FILES, 'aux.txt': 'x\n', 'stackyard.json': '{}\n' });
    symlinkSync('/etc/passwd', join(project, 'link'));
    const ended = await at.run(['publish', project]);
    expect([ended.status, ended.data.publishable]).toEqual([10, false]);
    const codes = ended.data.findings.map(({ code }: { code: string }) => code);
    expect(codes).toEqual(expect.arrayContaining(['file-symlink', 'manifest-field-missing']));
    expect(at.host.git('org/registry', 'branch', '--list', 'publish/*')).toBe('');
  });

  it('a build of too many files, and one of too many bytes, before anything is fetched', async () => {
    const many = makeProject(FILES);
    mkdirSync(join(many, 'many'));
    for (let n = 0; n <= MAX_FILES; n += 1) writeFileSync(join(many, `many/${n}`), '');
    const large = makeProject(FILES);
    // Sparse: it takes no room on the disk.
    truncateSync(join(large, 'README.md'), MAX_UNPACKED_BYTES + 1);
    for (const [folder, code] of [
      [many, 'build-files-count'],
      [large, 'build-files-size'],
    ] as const) {
      const ended = await at.run(['publish', folder]);
      const codes = ended.data.findings.map((found: { code: string }) => found.code);
      expect([ended.status, codes]).toEqual([10, expect.arrayContaining([code])]);
    }
    expect(at.host.asked).toEqual([]);
  });

  it('file names with a special meaning for a terminal or git', async () => {
    const names = [
      'line\nbreak.ts',
      '\u{202E}txt.ts',
      '-rf',
      '.git/config',
      ':(top)x',
      '"quoted".ts',
    ];
    const project = makeProject({
      ...FILES,
      ...Object.fromEntries(names.map((name) => [name, 'x\n'])),
    });
    const ended = await at.run(['publish', project]);
    expect([ended.status, at.host.asked]).toEqual([10, []]);
    // Allowed names are published unchanged.
    const allowed = makeProject({
      ...FILES,
      '-rf': 'x\n',
      "it's, a file.txt": 'x\n',
    });
    const sent = await at.run(['publish', allowed]);
    expect([sent.status, sent.data.files.map(({ path }: { path: string }) => path)]).toEqual([
      0,
      expect.arrayContaining(['builds/alice/web/-rf', "builds/alice/web/it's, a file.txt"]),
    ]);
  });
});

describe('publish from a git repository', () => {
  it('publishes a subfolder as git would commit it, without what git ignores, and reports what is not committed', async () => {
    const project = new GitFixture();
    const files = Object.entries(FILES).map(([path, text]) => [`lib/web/${path}`, text]);
    project.commit({ ...Object.fromEntries(files), '.gitignore': '*.log\n', 'other.ts': 'x\n' });
    project.write({
      'lib/web/debug.log': 'x\n',
      'lib/web/src/more.ts': 'export const more = 1;\n',
    });
    const status = project.git('status', '--porcelain');
    const ended = await at.run(['publish', join(project.folder, 'lib/web')]);
    expect(ended.status).toBe(0);
    expect(ended.warnings.map(({ code }) => code)).toEqual(['uncommitted']);
    const paths = at.host
      .files('org/registry', BRANCH)
      .filter((line) => line.includes('alice/web'));
    const names = ['LICENSE', 'README.md', 'src/index.ts', 'src/more.ts', 'stackyard.json'];
    expect(paths.map((line) => line.slice(24))).toEqual(names);
    expect(project.git('status', '--porcelain')).toBe(status);
  });

  it('commits exactly the same bytes, regardless of attributes', async () => {
    const crlf = 'a\r\nb\r\n';
    const attributes = '* text=auto eol=lf\n*.ts filter=evil\n';
    const project = makeProject({ ...FILES, 'a.txt': crlf, '.gitattributes': attributes });
    const { status, warnings } = await at.run(['publish', project]);
    const branch = `${BRANCH}:builds/alice/web/a.txt`;
    expect(at.host.git('org/registry', 'cat-file', '-s', branch)).toBe(String(crlf.length));
    // The gate refuses a build with such a file.
    expect([status, warnings]).toEqual([
      0,
      [{ code: 'left-out', message: expect.stringContaining('".gitattributes"'), path: '' }],
    ]);
    expect(at.host.files('org/registry', BRANCH).join()).not.toContain('.gitattributes');
  });
});
