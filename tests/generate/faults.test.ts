/** Whatever one owner or one commit does wrong is a fault of it alone: what comes before and after it is published, by every kind of run. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findingMessage } from '../../format/finding/finding.ts';
import { remedyOf, type Report } from '../../generator/pipeline/report.ts';
import { generateDocuments } from './generate-documents.ts';
import { GitFixture, build, temporaryFolder, type Files } from './git-fixture.ts';
import { expectWholeIndex, readCatalogIds, readRecord, readTree } from './index-reader.ts';
import {
  commitObject,
  oidAt,
  treeBomb,
  treeOf,
  withFolder,
  writeObject,
  writeTree,
} from './odd-objects.ts';

/** A folder that a commit brings, and how that commit is written. */
interface Fault {
  readonly path?: string;
  readonly folder: string;
  readonly committer?: string;
  readonly header?: string;
}

type Kind = readonly [
  name: string,
  make: (git: GitFixture, sound: string) => Fault,
  codes: readonly string[],
  isPublished?: boolean,
];

const NEVER = 'ab'.repeat(20);
const UNREADABLE = ['build-files-unreadable'];
const UNDATED = ['integrity-commit-time'];
const IN_TWO_DAYS = Math.floor(Date.now() / 1000) + 2 * 86_400;

function dated(committer: string, header = ''): Kind[1] {
  return (_, folder) => ({ folder, committer, header });
}

/** By the name of its owner, who has a build "web". */
const KINDS: readonly Kind[] = [
  ['after-9999', dated('253402300800 +0000'), UNDATED],
  ['no-date', dated('99999999999999999999 +0000'), UNDATED],
  ['before-1970', dated('-86400 +0000'), UNDATED],
  ['no-time', dated(''), UNDATED],
  ['in-two-days', dated(`${IN_TWO_DAYS} +0000`), UNDATED, true],
  ['encoding', dated('1767240000 +0000', 'encoding UTF-16'), [], true],
  ['missing', () => ({ folder: NEVER }), UNREADABLE],
  ['missing-below', (git) => ({ folder: writeTree(git, [['40000', 'src', NEVER]]) }), UNREADABLE],
  [
    'missing-file',
    (git) => ({ folder: writeTree(git, [['100644', 'stackyard.json', NEVER]]) }),
    UNREADABLE,
  ],
  [
    'file-is-folder',
    (git, sound) => ({ folder: writeTree(git, [['100644', 'stackyard.json', sound]]) }),
    UNREADABLE,
  ],
  ['damaged', (git) => ({ folder: writeObject(git, 'tree', '100644 a') }), UNREADABLE],
  [
    'damaged-owner',
    (git) => ({ path: 'builds/damaged-owner', folder: writeObject(git, 'tree', 'x') }),
    UNREADABLE,
  ],
  ['missing-owner', () => ({ path: 'builds/missing-owner', folder: NEVER }), UNREADABLE],
  [
    'damaged-all',
    (git) => ({ path: 'builds', folder: writeObject(git, 'tree', '40000 x') }),
    UNREADABLE,
  ],
  [
    'bomb',
    (git, sound) => {
      const file = oidAt(git, sound, 'LICENSE');
      return { folder: treeBomb(git, { width: 60, depth: 40, file }) };
    },
    ['build-files-count'],
  ],
  [
    'bomb-without-files',
    (git) => ({ folder: treeBomb(git, { width: 1000, depth: 6 }) }),
    ['build-files-count'],
  ],
  [
    'bomb-of-owners',
    (git) => ({ path: 'builds', folder: treeBomb(git, { width: 1000, depth: 3 }) }),
    UNREADABLE,
  ],
  [
    'half-a-pair',
    (git) => {
      const reason = String.raw`{ "account_id": 7, "yanked": { "web": { "1.0.0": "\ud800" } } }`;
      const file = writeObject(git, 'blob', reason);
      return {
        path: 'builds/half-a-pair',
        folder: writeTree(git, [['100644', 'owner.json', file]]),
      };
    },
    ['owner-file-invalid'],
  ],
  [
    'no_login',
    (git) => {
      const file = writeObject(git, 'blob', '{ "account_id": 7 }');
      return { path: 'builds/no_login', folder: writeTree(git, [['100644', 'owner.json', file]]) };
    },
    ['build-id-owner'],
  ],
];

let folder: string;
let git: GitFixture;
let out: string;
let report: Report;
const commits = new Map<string, string>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stackyard-faults-'));
  git = new GitFixture(join(folder, 'repository'));
  out = join(folder, 'index');
  const run = (): Promise<Report> => generateDocuments({ repo: git.folder, out, threads: 1 });
  const committed = (files: Files): string => treeOf(git, git.commit(files));
  const first = git.commit(build('good/one', '1.0.0'));
  const base = treeOf(git, first);
  const all = committed({ ...build('x/web', '1.0.0'), 'builds/good/one/README.md': '# Other\n' });
  const next = { ...build('good/one', '1.1.0'), ...build('good/two', '1.0.0') };
  const later = committed({ ...next, 'builds/x': null });
  git.git('update-ref', 'refs/heads/main', first);
  await run();
  // No command of git that reads whole trees sees a fault.
  const changed = oidAt(git, all, 'builds/good/one');
  commits.set('changed', commitObject(git, withFolder(git, base, 'builds/good/one', changed)));
  const sound = oidAt(git, all, 'builds/x/web');
  for (const [at, [name, make]] of KINDS.entries()) {
    const { path = `builds/${name}/web`, folder: tree, ...written } = make(git, sound);
    commits.set(name, commitObject(git, withFolder(git, base, path, tree), written));
    commitObject(git, base);
    if (at === 5) await run();
  }
  commitObject(git, later);
  report = await run();
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('generate()', () => {
  const cases = KINDS.map(([name, , codes, isPublished = false]) => ({ name, codes, isPublished }));
  const changed = { name: 'changed', codes: ['integrity-version-changed'], isPublished: false };
  it.each([changed, ...cases])('reports "$name" as a fault of its commit', (one) => {
    const { name, codes, isPublished } = one;
    const commit = commits.get(name);
    const problems = report.problems.failing.filter((problem) => problem.commit === commit);
    expect(problems.map(({ finding }) => finding.code)).toEqual(codes);
    for (const problem of problems) {
      expect(problem.path).toMatch(/^builds\b/);
      expect(findingMessage(problem.finding)).not.toContain('undefined');
      expect(remedyOf(problem)).not.toBe('');
    }
    expect(readCatalogIds(out).includes(`${name}/web`)).toBe(isPublished);
  });

  it('publishes everything else', () => {
    expect(readRecord(out, 'good/one').latest).toBe('1.1.0');
    expect(readCatalogIds(out)).toContain('good/two');
    expectWholeIndex(out);
  });

  it('publishes the same in one run over all of it', async () => {
    const fresh = join(folder, 'fresh');
    const { problems } = await generateDocuments({ repo: git.folder, out: fresh, threads: 2 });
    expect(readTree(fresh)).toEqual(readTree(out));
    expect(problems).toEqual(report.problems);
  });

  it('reads the time of a commit in another encoding', () => {
    expect(readRecord(out, 'encoding/web').published_at).toBe('2026-01-01T04:00:00.000Z');
  });

  it('takes the time before for a newest commit that has none', async () => {
    const own = new GitFixture();
    const index = join(temporaryFolder(), 'index');
    own.commit(build('good/one', '1.0.0'));
    const { time } = own;
    const tree = treeOf(own, own.head);
    commitObject(own, tree, { committer: '253402300800 +0000' });
    commitObject(own, tree, { committer: '' });
    const { problems } = await generateDocuments({ repo: own.folder, out: index, threads: 1 });
    expect(problems.failing).toEqual([]);
    expect(readRecord(index, 'good/one').published_at).toBe(time);
  });

  it('finds a time that is before that of an earlier version of the build', async () => {
    const own = new GitFixture();
    const index = join(temporaryFolder(), 'index');
    own.commit(build('good/one', '1.0.0'));
    const before = own.time;
    own.wait(-3600);
    own.commit({ ...build('good/one', '1.1.0'), ...build('good/two', '1.0.0') });
    const { time } = own;
    await generateDocuments({ repo: own.folder, out: index, threads: 1 });
    const found = (id: string): unknown[] =>
      readRecord(index, id).checks.findings.filter(({ code }) => code.startsWith('publication-'));
    expect(found('good/two')).toEqual([]);
    expect(found('good/one')).toEqual([
      {
        level: 'info',
        code: 'publication-time-before',
        file: '',
        message: `It is dated ${time}, before the earlier version 1.0.0, which is of ${before}`,
      },
    ]);
  });
});
