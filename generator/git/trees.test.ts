import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { GitFixture } from '../../tests/generate/git-fixture.ts';
import { treeBomb, writeObject, writeTree } from '../../tests/generate/odd-objects.ts';
import { ObjectReader } from './object-reader.ts';
import { compareTrees, treeEntries, Trees } from './trees.ts';

function open(): { git: GitFixture; trees: Trees } {
  const git = new GitFixture();
  const reader = new ObjectReader(git.folder);
  onTestFinished(() => reader.close());
  return { git, trees: new Trees(reader) };
}

/** Files by path; a folder is where a path goes on. */
type Model = { readonly [name: string]: string | Model };

const names = fc.constantFrom('a', 'a-b', 'a.b', 'ab', 'b', 'é');
const model = fc.letrec<{ node: Model[string]; tree: Model }>((tie) => ({
  node: fc.oneof({ maxDepth: 3 }, fc.constantFrom('1', '2'), tie('tree')),
  tree: fc.dictionary(names, tie('node'), { maxKeys: 4 }),
})).tree;

describe('compareTrees()', () => {
  it('finds what git finds, in its order', async () => {
    const { git, trees } = open();
    const blobs = { 1: writeObject(git, 'blob', '1'), 2: writeObject(git, 'blob', '2') };
    const write = (tree: Model): string => {
      const entries = Object.entries(tree).map(([name, node]) =>
        typeof node === 'string'
          ? (['100644', name, blobs[node as '1']] as const)
          : (['40000', name, write(node)] as const),
      );
      const key = ([mode, name]: readonly [string, string, string]): Buffer =>
        Buffer.from(mode === '40000' ? `${name}/` : name);
      return writeTree(
        git,
        entries.sort((x, y) => Buffer.compare(key(x), key(y))),
      );
    };
    await fc.assert(
      fc.asyncProperty(model, model, async (one, other) => {
        const [before, after] = [write(one), write(other)];
        const args = ['diff-tree', '-r', '-t', '-z', '--raw', '--no-renames', before, after];
        const wanted = execFileSync('git', args, { cwd: git.folder, encoding: 'utf8' }).split('\0');
        const { changes, unreadable, isCut } = await compareTrees(trees, before, after, {
          entries: 1_000,
        });
        const absent = '0'.repeat(40);
        const found = changes.flatMap(({ path, oldMode, mode, oldOid, oid }) => [
          `:${oldMode} ${mode} ${oldOid || absent} ${oid || absent}`,
          path,
        ]);
        const own = wanted.slice(0, -1).map((part, at) => (at % 2 ? part : part.slice(0, -2)));
        // git lists a file before the folder that takes its place, and what is deleted first.
        expect(found.toSorted()).toEqual(own.toSorted());
        const paths = (list: readonly string[]): string[] => list.filter((_, at) => at % 2 === 1);
        const isMoved = new Set(paths(found)).size !== paths(found).length;
        if (!isMoved) expect(paths(found)).toEqual(paths(own));
        expect([unreadable, isCut]).toEqual([[], false]);
      }),
      { numRuns: 40 },
    );
  });

  it('finds nothing where only a mode differs that git takes for the same', async () => {
    const { git, trees } = open();
    const blob = writeObject(git, 'blob', '1');
    const [before, after] = ['100644', '100664'].map((mode) => writeTree(git, [[mode, 'a', blob]]));
    const { changes } = await compareTrees(trees, before, after, { entries: 9 });
    expect(changes).toEqual([]);
    const all = await compareTrees(trees, undefined, after, { entries: 9 });
    expect(all.changes).toMatchObject([{ path: 'a', mode: '100644', storedMode: '100664' }]);
  });

  it('ends at its bounds, and names what is nested too deep or missing', async () => {
    const { git, trees } = open();
    const bomb = treeBomb(git, { width: 100, depth: 30 });
    expect(await compareTrees(trees, undefined, bomb, { entries: 5_000 })).toMatchObject({
      isCut: true,
      changes: { length: 5_000 },
    });
    const deep = treeBomb(git, { width: 1, depth: 70 });
    const read = await compareTrees(trees, undefined, deep, { entries: 5_000 });
    expect([read.changes.length, read.unreadable.length, read.isCut]).toEqual([64, 1, false]);
    expect(read.unreadable[0]?.problem).toContain('deeper than 64');
    const gone = writeTree(git, [['40000', 'gone', 'ab'.repeat(20)]]);
    const { unreadable } = await compareTrees(trees, undefined, gone, { entries: 9 });
    expect(unreadable).toEqual([{ path: 'gone', problem: 'its object is missing' }]);
    const back = await compareTrees(trees, gone, bomb, { entries: 9, isEntered: () => false });
    expect(back.unreadable).toEqual([]);
  });

  it.each([
    ['no end', '100644 a'],
    ['a cut id', '100644 a\0abc'],
    ['no name', `100644 \0${'x'.repeat(20)}`],
    ['a name with "/"', `100644 a/b\0${'x'.repeat(20)}`],
    ['no mode', ` a\0${'x'.repeat(20)}`],
    ['a mode that is no number', `1006x4 a\0${'x'.repeat(20)}`],
    ['an entry, and more', `100644 a\0${'x'.repeat(20)}1`],
  ])('names a damaged folder: %s', async (_, bytes) => {
    const { git, trees } = open();
    const after = writeTree(git, [['40000', 'damaged', writeObject(git, 'tree', bytes)]]);
    const read = await compareTrees(trees, undefined, after, { entries: 9 });
    const problem = 'its object is damaged';
    expect(read).toMatchObject({ changes: [{ path: 'damaged' }], unreadable: [{ problem }] });
    const back = await compareTrees(trees, after, writeTree(git, []), { entries: 9 });
    expect(back).toMatchObject({ changes: [{ path: 'damaged', mode: '000000' }], unreadable: [] });
  });

  it('enters no folder that is not asked for', async () => {
    const { git, trees } = open();
    const bomb = treeBomb(git, { width: 100, depth: 30 });
    const { changes } = await compareTrees(trees, undefined, bomb, {
      entries: 5_000,
      isEntered: (path) => path === 'f0042',
    });
    expect(changes).toHaveLength(200);
  });
});

it('treeEntries() ends with every input', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      for (const { name, oid } of treeEntries(Buffer.from(bytes), 20)) {
        expect([name.length > 0, oid.length]).toEqual([true, 40]);
      }
    }),
  );
});
