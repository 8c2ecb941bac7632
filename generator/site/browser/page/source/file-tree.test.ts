import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstFile, listFiles, shownPath, treeOf } from './file-tree.ts';
import type { Folder } from './file-tree.ts';

const bytes = new Uint8Array(3);

function listed(paths: readonly string[], base = '', installed = paths): Folder['files'][number][] {
  const files = paths.map((path) => ({ path, bytes, executable: false }));
  return listFiles({ files, base, installed: new Set(installed) });
}

/** The paths in a tree, as its names put them together. */
function pathsIn({ folders, files }: Folder, above = ''): string[] {
  const inside = folders.flatMap((folder) => pathsIn(folder, `${above}${folder.name}/`));
  return [...inside, ...files.map((file) => above + shownPath(file).split('/').at(-1))];
}

describe('listFiles()', () => {
  it('places installed files below the base, and no other', () => {
    const files = listed(['README.md', 'index.ts'], 'src/account', ['index.ts']);
    expect(files).toEqual([
      { path: 'README.md', destination: undefined, size: 3 },
      { path: 'index.ts', destination: 'src/account/index.ts', size: 3 },
    ]);
  });

  it('leaves paths as they are without a base', () => {
    expect(listed(['src/app.ts'])[0]?.destination).toBe('src/app.ts');
  });
});

describe('treeOf()', () => {
  it('has every file once, below its folders', () => {
    const segment = fc.constantFrom('a', 'b', 'constructor', '__proto__', 'é', 'src');
    const path = fc.array(segment, { minLength: 1, maxLength: 5 }).map((all) => all.join('/'));
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 30 }), (paths) => {
        const found = pathsIn(treeOf(listed(paths)));
        expect(found.toSorted()).toEqual(paths.toSorted());
      }),
    );
  });

  it('writes folders without another content as one', () => {
    const { folders } = treeOf(listed(['src/account/a.ts', 'src/account/b/c.ts']));
    expect(folders.map(({ name }) => name)).toEqual(['src/account']);
    expect(folders[0]?.folders.map(({ name }) => name)).toEqual(['b']);
  });
});

it.each([
  [['README.md', 'src/a/index.ts', 'src/index.ts'], 'src/index.ts'],
  [['README.md', 'src/main.py', 'src/z.py'], 'src/main.py'],
  [['README.md', 'src/z.ts'], 'README.md'],
  [['b.txt', 'a.txt'], 'a.txt'],
])('firstFile() of %j is %s', (paths, expected) => {
  expect(firstFile(listed(paths))?.path).toBe(expected);
});
