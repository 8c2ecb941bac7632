import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  LAYOUTS,
  buildFolder,
  layoutIn,
  ownerFilePath,
  ownerFolder,
  placeAt,
  signalsFileAt,
  signalsPath,
} from './repository-layout.ts';
import type { Layout } from './repository-layout.ts';

const layout = fc.record({
  layout: fc.constantFrom(...LAYOUTS),
  root: fc.constantFrom('', 'registry/', 'some/place/'),
});
const FLAT = { layout: 'flat', root: '' } as const;
const SHARDED = { layout: 'sharded', root: '' } as const;
const owner = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,37}[a-z0-9])?$/);
const name = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?$/);
const file = fc.stringMatching(/^[a-z.]{1,9}(?:\/[a-z.]{1,9}){0,3}$/);

describe('the paths of a repository', () => {
  test.each<[string, Layout, string]>([
    ['alice', FLAT, 'builds/alice'],
    ['alice', SHARDED, 'builds/2b/d8/alice'],
    ['stackyard', FLAT, 'builds/stackyard'],
    ['alice', { ...SHARDED, root: 'registry/' }, 'registry/builds/2b/d8/alice'],
  ])('ownerFolder(%j, %j) is %s', (one, by, expected) => {
    expect(ownerFolder(one, by)).toBe(expected);
  });

  it('placeAt() reads back every path of an owner, an owner file, a build and its files', () => {
    fc.assert(
      fc.property(layout, owner, name, file, (by, whose, what, path) => {
        const build = { kind: 'build', owner: whose, name: what };
        const folder = buildFolder(`${whose}/${what}`, by);
        expect(placeAt(ownerFolder(whose, by), by)).toEqual({ kind: 'owner', owner: whose });
        expect(placeAt(ownerFilePath(whose, by), by)).toEqual({ kind: 'owner-file', owner: whose });
        expect(placeAt(folder, by)).toEqual({ ...build, file: '' });
        expect(placeAt(`${folder}/${path}`, by)).toEqual({ ...build, file: path });
        for (const kind of ['signals', 'matrix'] as const) {
          const id = `${whose}/${what}`;
          expect(signalsFileAt(signalsPath(id, kind, by), by.root)).toEqual({ id, kind });
        }
      }),
    );
  });

  it('no two paths have one id, and what is no path of the layout has none', () => {
    const segment = fc.oneof(owner, fc.stringMatching(/^[0-9a-f]{2}$/), fc.string());
    const path = fc.array(segment, { maxLength: 6 }).map((some) => ['builds', ...some].join('/'));
    fc.assert(
      fc.property(layout, path, (by, below) => {
        const text = `${by.root}${below}`;
        const place = placeAt(text, by);
        if (place.kind === 'owner') expect(ownerFolder(place.owner, by)).toBe(text);
        if (place.kind === 'owner-file') expect(ownerFilePath(place.owner, by)).toBe(text);
        if (place.kind !== 'build') return;
        const folder = buildFolder(`${place.owner}/${place.name}`, by);
        expect(text.startsWith(`${folder}/`) || text === folder).toBe(true);
        if (text !== folder) expect(`${folder}/${place.file}`).toBe(text);
      }),
    );
  });

  it('a folder of the flat layout cannot pass for a shard, nor the other way round', () => {
    // The owner "2b" has a build "d8" with a folder "alice": it is theirs, whatever the folder is called.
    const path = 'builds/2b/d8/alice/web/stackyard.json';
    expect(placeAt(path, FLAT)).toEqual({
      kind: 'build',
      owner: '2b',
      name: 'd8',
      file: 'alice/web/stackyard.json',
    });
    expect(placeAt(path, SHARDED)).toMatchObject({ owner: 'alice', name: 'web' });
  });

  test.each([
    ['builds/alice', 'alice'],
    ['builds/alice/web/stackyard.json', 'alice'],
    ['builds/2b/alice/web', 'alice'],
    ['builds/00/00/alice/web', 'alice'],
    ['builds/2B/D8/alice/web', '2B'],
    ['builds//alice', ''],
  ])('%s is in no shard of %j', (path, whose) => {
    expect(placeAt(path, SHARDED)).toEqual({ kind: 'misplaced', owner: whose });
  });

  test.each(['builds', 'builds/2b', 'builds/2b/d8'])('%s is above the owners', (path) => {
    expect(placeAt(path, SHARDED)).toEqual({ kind: 'above' });
  });

  test.each(['', 'signals/alice/web.json', 'build/alice', 'builds.json'])(
    '%j is outside',
    (path) => {
      for (const by of [FLAT, SHARDED]) expect(placeAt(path, by)).toEqual({ kind: 'outside' });
    },
  );
});

test.each([
  ['{"layout":"sharded"}', 'sharded', ''],
  ['{"layout":"flat","root":"registry/"}', 'flat', 'registry/'],
  ['{"root":"a/b-c/d.e/"}', 'flat', 'a/b-c/d.e/'],
  ['{"root":"registry"}', 'flat', ''],
  ['{"root":"../registry/"}', 'flat', ''],
  ['{"root":"/registry/"}', 'flat', ''],
  ['{"root":".git/"}', 'flat', ''],
  ['{"layout":"deep","root":7}', 'flat', ''],
  ['{}', 'flat', ''],
  ['null', 'flat', ''],
  ['{', 'flat', ''],
  ['', 'flat', ''],
])('layoutIn(%j) is %s in "%s"', (text, form, root) => {
  expect(layoutIn(text)).toEqual({ layout: form, root });
  expect(layoutIn(Buffer.from(text))).toEqual({ layout: form, root });
});
