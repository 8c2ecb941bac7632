import { execFileSync } from 'node:child_process';
import { beforeEach, describe, expect, it } from 'vitest';
import { GitFixture } from '../../tests/generate/git-fixture.ts';
import { commitsOfPaths, hasPathFilters } from './registry.ts';
import { openRepository } from '../git/repository.ts';

const [FLAT, SHARDED] = ['builds/alice/web', 'builds/2b/d8/alice/web'];
const GRAPH = ['commit-graph', 'write', '--reachable'];

let git: GitFixture;

beforeEach(() => {
  git = new GitFixture();
  git.commit({ [`${FLAT}/a.ts`]: '1' });
  git.commit({ 'builds/bob/db/a.ts': '1' });
});

/** The commits that changed `paths`, each with its own change of them, as a new reader finds them. */
async function found(...paths: string[]): Promise<string[]> {
  const repository = await openRepository(git.folder);
  return (await commitsOfPaths(repository, paths)).map(({ oid, seconds, changes }) => {
    const own = changes.filter(({ path }) => paths.includes(path.toString()));
    return JSON.stringify([oid, seconds, own.map(({ path, ...rest }) => [String(path), rest])]);
  });
}

async function isFiltered(): Promise<boolean> {
  return hasPathFilters(await openRepository(git.folder));
}

function write(...options: string[]): void {
  execFileSync('git', [...GRAPH, ...options], { cwd: git.folder, stdio: 'ignore' });
}

describe('commitsOfPaths()', () => {
  it('finds the same commits with filters, without them, and with filters of older commits', async () => {
    git.commit({ [`${FLAT}/a.ts`]: '2' });
    git.commit({ [`${FLAT}/a.ts`]: '1' });
    git.commit({ [`${SHARDED}/a.ts`]: '1' });
    git.commit({ [`${FLAT}/a.ts`]: '3', [`${SHARDED}/a.ts`]: '3' });
    const asked = [[FLAT], [SHARDED], [FLAT, SHARDED], ['builds/bob/db', 'builds/x'], ['nothing']];
    const answers = (): Promise<string[][]> => Promise.all(asked.map((paths) => found(...paths)));
    const plain = await answers();
    expect(plain.map(({ length }) => length)).toEqual([4, 2, 5, 1, 0]);
    write('--changed-paths');
    expect([await isFiltered(), await answers()]).toEqual([true, plain]);
    git.commit({ [`${SHARDED}/a.ts`]: '4' });
    const later = await answers();
    expect(later.map(({ length }) => length)).toEqual([4, 3, 6, 1, 0]);
    expect(later[2]!.slice(0, 5)).toEqual(plain[2]);
  });
});

describe('hasPathFilters()', () => {
  it('knows filters in one file and in several, and a graph without them', async () => {
    expect(await isFiltered()).toBe(false);
    write();
    expect(await isFiltered()).toBe(false);
    write('--changed-paths', '--split');
    git.commit({ 'README.md': 'x' });
    write('--changed-paths', '--split=no-merge');
    expect(await isFiltered()).toBe(true);
  });
});
