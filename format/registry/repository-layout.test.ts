import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  buildFolder,
  layoutIn,
  ownerFilePath,
  ownerFolder,
  placeAt,
  signalsFileAt,
  signalsPath,
  TOP,
} from './repository-layout.ts';
import type { Layout } from './repository-layout.ts';

const layout = fc.record({ root: fc.constantFrom('', 'registry/', 'some/place/') });
const owner = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,37}[a-z0-9])?$/);
const name = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?$/);
const file = fc.stringMatching(/^[a-z.]{1,9}(?:\/[a-z.]{1,9}){0,3}$/);

describe('the paths of a repository', () => {
  test.each<[string, Layout, string]>([
    ['alice', TOP, 'builds/alice'],
    ['alice', { root: 'registry/' }, 'registry/builds/alice'],
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

  it('builds/ is above the owners', () => {
    expect(placeAt('builds', TOP)).toEqual({ kind: 'above' });
  });

  test.each(['', 'signals/alice/web.json', 'build/alice', 'builds.json'])(
    '%j is outside',
    (path) => {
      expect(placeAt(path, TOP)).toEqual({ kind: 'outside' });
    },
  );
});

test.each([
  ['{"root":"registry/"}', 'registry/'],
  ['{"root":"a/b-c/d.e/"}', 'a/b-c/d.e/'],
  ['{"root":"registry"}', ''],
  ['{"root":"../registry/"}', ''],
  ['{"root":"/registry/"}', ''],
  ['{"root":".git/"}', ''],
  ['{"root":7}', ''],
  ['{}', ''],
  ['null', ''],
  ['{', ''],
  ['', ''],
])('layoutIn(%j) has the root "%s"', (text, root) => {
  expect(layoutIn(text)).toEqual({ root });
  expect(layoutIn(Buffer.from(text))).toEqual({ root });
});
