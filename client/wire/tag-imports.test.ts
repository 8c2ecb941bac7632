import { describe, expect, it } from 'vitest';
import type { WireBlock } from '../../format/wiring/wiring.ts';
import { Layout } from '../plan/place/layout.ts';
import { TagImports, tagsOf } from './tag-imports.ts';

const BLOCK: WireBlock = {
  language: 'ts',
  verb: 'file',
  target: 'src/mail.wire.ts',
  text: "import { database } from 'tag:database';\nexport const name = 'tag:other';\n",
  line: 1,
};

interface Build {
  readonly isRequested?: boolean;
  readonly requires?: readonly string[];
  readonly index?: string;
}

function tags(
  builds: Readonly<Record<string, Build>>,
  offered: readonly string[] = [],
): TagImports {
  const places = Object.entries(builds).map(([id, { requires = [], index = 'index.ts' }]) => {
    return { id, base: `src/${id}`, place: `lib/${id}`, files: [index], requires };
  });
  const providers = Object.entries(builds).map(([id, { isRequested = false }]) => {
    return { id, provides: ['database'], isRequested };
  });
  return new TagImports(new Layout(places), new Map([['database', offered]]), providers);
}

describe('tagsOf()', () => {
  it('finds the tags that a block imports from, and no other strings', () => {
    expect(tagsOf(BLOCK)).toEqual(['database']);
    expect(tagsOf({ ...BLOCK, verb: 'append' })).toEqual([]);
  });
});

describe('TagImports', () => {
  it.each<[string, Record<string, Build>, string]>([
    ['the only one', { 'a/one': {} }, 'lib/a/one/index.js'],
    [
      'the one that the user named',
      { 'a/one': {}, 'a/two': { isRequested: true } },
      'lib/a/two/index.js',
    ],
    [
      'the one that requires the other',
      { 'a/one': {}, 'a/two': { requires: ['a/one'] } },
      'lib/a/two/index.js',
    ],
    [
      'the one with an index',
      { 'a/one': { index: 'engine.py' }, 'a/two': { index: 'index.mts' } },
      'lib/a/two/index.mjs',
    ],
  ])('takes %s', (_, builds, path) => {
    const found = tags(builds);
    expect(found.problem(BLOCK)).toBeUndefined();
    expect(found.finder(undefined)('tag:database')?.path).toBe(path);
  });

  it('writes no ending where bundlers take none', () => {
    expect(tags({ 'a/one': {} }).finder('bundled')('tag:database')?.path).toBe('lib/a/one/index');
  });

  it('names all where it is not clear, and takes none', () => {
    const found = tags({ 'b/two': { isRequested: true }, 'a/one': { isRequested: true } });
    expect(found.problem(BLOCK)).toBe(
      'a/one and b/two provide "database": import from the one that you mean',
    );
    expect(found.finder(undefined)('tag:database')).toBeUndefined();
  });

  it('names the builds of the registry where none is installed', () => {
    expect(tags({}, ['a/one', 'b/two']).problem(BLOCK)).toBe(
      'no installed build provides "database": stackyard add a/one or b/two',
    );
  });
});
