/** Whatever one owner or one commit does wrong is a fault of it alone: builds before and after it are published, by every kind of run. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findingMessage } from '../../format/finding/finding.ts';
import { remedyOf } from '../../generator/pipeline/report.ts';
import { generateDocuments } from './generate-documents.ts';
import { GitFixture, build, temporaryFolder, type Files } from './git-fixture.ts';
import { expectWholeIndex, readCatalogIds, readRecord, readTree } from './index-reader.ts';
import { commitObject, treeBomb, withFolder, writeObject, writeTree } from './odd-objects.ts';

type Kind = readonly [
  name: string,
  /** Makes the commit with the fault; its owner is `bad`. */
  commit: (git: GitFixture) => string,
  codes: readonly string[],
  /** Builds of it that are published all the same. */
  published?: readonly string[],
];

const NEVER = 'ab'.repeat(20);
const BAD = build('bad/web', '1.0.0');
const DAMAGED = [
  ['no end', '100644 a'],
  ['a cut id', '100644 a\0' + '123'],
  ['no name', `100644 \0${'x'.repeat(20)}`],
  ['a name with "/"', `100644 a/b\0${'x'.repeat(20)}`],
  ['no mode', ` a\0${'x'.repeat(20)}`],
  ['a mode that is no number', `1006x4 a\0${'x'.repeat(20)}`],
] as const;

function put(path: string, folder: (git: GitFixture) => string): (git: GitFixture) => string {
  return (git) => commitObject(git, withFolder(git, 'main', path, folder(git)));
}

function late(committer: string, header = ''): (git: GitFixture) => string {
  return (git) => {
    git.write(BAD);
    git.git('add', '-A');
    return commitObject(git, git.git('write-tree'), { committer, header });
  };
}

function files(of: Files): (git: GitFixture) => string {
  return (git) => git.commit(of);
}

const inTwoDays = Math.floor(Date.now() / 1000) + 2 * 86_400;
const KINDS: readonly Kind[] = [
  ['a changed version', files({ 'builds/good/one/README.md': '# Other\n' }), ['integrity-version-changed']],
  ['a time after the year 9999', late('253402300800 +0000'), ['integrity-commit-time']],
  ['a time that no date has', late('99999999999999999999 +0000'), ['integrity-commit-time']],
  ['a time before 1970', late('-86400 +0000'), ['integrity-commit-time']],
  ['no time', late(''), ['integrity-commit-time']],
  ['a time in two days', late(`${inTwoDays} +0000`), ['integrity-commit-time'], ['bad/web']],
  ['another encoding', late('1767240000 +0000', 'encoding UTF-16'), [], ['bad/web']],
  ['a folder that is missing', put('builds/bad/web', () => NEVER), ['build-files-unreadable']],
  ['an owner that is missing', put('builds/bad', () => NEVER), ['build-files-unreadable']],
  [
    'a folder below that is missing',
    put('builds/bad/web', (git) => writeTree(git, [['40000', 'src', NEVER]])),
    ['build-files-unreadable'],
  ],
  [
    'a file that is missing',
    put('builds/bad/web', (git) => writeTree(git, [['100644', 'stackyard.json', NEVER]])),
    ['build-files-unreadable'],
  ],
  [
    'a file that is a folder',
    put('builds/bad/web', (git) => writeTree(git, [['100644', 'stackyard.json', writeTree(git, [])]])),
    ['build-files-unreadable'],
  ],
  ...DAMAGED.flatMap(([what, bytes]): Kind[] => [
    [
      `a damaged folder: ${what}`,
      put('builds/bad/web', (git) => writeObject(git, 'tree', bytes)),
      ['build-files-unreadable'],
    ],
    [
      `a damaged owner: ${what}`,
      put('builds/bad', (git) => writeObject(git, 'tree', bytes)),
      ['build-files-unreadable'],
    ],
  ]),
  [
    'damaged builds',
    (git) => commitObject(git, withFolder(git, 'main', 'builds', writeObject(git, 'tree', 'x'))),
    ['build-files-unreadable'],
  ],
  [
    'a tree bomb',
    put('builds/bad/web', (git) => {
      return treeBomb(git, { width: 60, depth: 40, file: writeObject(git, 'blob', 'x') });
    }),
    ['build-files-count'],
  ],
  [
    'a tree bomb without files',
    put('builds/bad/web', (git) => treeBomb(git, { width: 1000, depth: 6 })),
    ['build-files-count'],
  ],
  [
    'a tree bomb of owners',
    put('builds', (git) => treeBomb(git, { width: 1000, depth: 3 })),
    ['build-files-unreadable'],
  ],
  [
    'the file of an owner that no login can be',
    files({ 'builds/bad_owner/owner.json': '{ "account_id": 7 }' }),
    ['build-id-owner'],
  ],
];

describe('generate() publishes everything else beside', () => {
  it.each(KINDS)('%s', async (_, fault, codes, published = []) => {
    const git = new GitFixture();
    const out = join(temporaryFolder(), 'index');
    const run = async (): Promise<void> => {
      const started = performance.now();
      const { problems } = await generateDocuments({ repo: git.folder, out, threads: 1 });
      expect(performance.now() - started).toBeLessThan(20_000);
      expect(problems.failing.map(({ finding }) => finding.code)).toEqual(codes);
      for (const problem of problems.failing) {
        expect(problem.commit).toBe(commit);
        expect(problem.path).not.toBe('');
        expect(findingMessage(problem.finding)).not.toContain('undefined');
        expect(remedyOf(problem)).not.toBe('');
      }
    };
    git.commit({ ...build('good/one', '1.0.0'), 'builds/bad/owner.json': '{ "account_id": 6 }' });
    await generateDocuments({ repo: git.folder, out, threads: 1 });
    const commit = fault(git);
    await run();
    git.git('reset', '-q', 'main~');
    git.git('update-ref', 'refs/heads/main', commit);
    git.commit({ ...build('good/one', '1.1.0'), ...build('good/two', '1.0.0') });
    await run();
    expect(readCatalogIds(out)).toEqual([...published, 'good/one', 'good/two']);
    expect(readRecord(out, 'good/one').latest).toBe('1.1.0');
    expectWholeIndex(out);
    const incremental = readTree(out);
    await generateDocuments({ repo: git.folder, out, threads: 1, full: true });
    expect(readTree(out)).toEqual(incremental);
    const fresh = join(temporaryFolder(), 'index');
    await generateDocuments({ repo: git.folder, out: fresh, threads: 1 });
    expect(readTree(fresh)).toEqual(incremental);
  });

  it('a commit in another encoding, at its own time', async () => {
    const git = new GitFixture();
    const out = join(temporaryFolder(), 'index');
    git.commit(build('good/one', '1.0.0'));
    late('1767240000 +0000', 'encoding UTF-16')(git);
    await generateDocuments({ repo: git.folder, out, threads: 1 });
    expect(readRecord(out, 'bad/web').published_at).toBe('2026-01-01T04:00:00.000Z');
  });

  it('a newest commit without a time, at the time of the one before', async () => {
    const git = new GitFixture();
    const out = join(temporaryFolder(), 'index');
    git.commit(build('good/one', '1.0.0'));
    const { time } = git;
    const tree = git.git('rev-parse', 'main^{tree}');
    commitObject(git, tree, { committer: '253402300800 +0000' });
    commitObject(git, tree, { committer: '' });
    const { problems } = await generateDocuments({ repo: git.folder, out, threads: 1 });
    expect(problems.failing).toEqual([]);
    expect(readRecord(out, 'good/one').published_at).toBe(time);
  });
});

describe('generate() finds a time', () => {
  it('that is before that of an earlier version of the build', async () => {
    const git = new GitFixture();
    const out = join(temporaryFolder(), 'index');
    git.commit(build('good/one', '1.0.0'));
    const before = git.time;
    git.wait(-3600);
    git.commit({ ...build('good/one', '1.1.0'), ...build('good/two', '1.0.0') });
    const { time } = git;
    await generateDocuments({ repo: git.folder, out, threads: 1 });
    const found = (id: string): unknown[] =>
      readRecord(out, id).checks.findings.filter(({ code }) => code.startsWith('publication-'));
    expect(found('good/two')).toEqual([]);
    expect(found('good/one')).toEqual([
      {
        level: 'info',
        code: 'publication-time-before',
        file: '',
        message: `Its commit is dated ${time}, before version 1.0.0, which was there already and is of ${before}`,
      },
    ]);
  });
});
