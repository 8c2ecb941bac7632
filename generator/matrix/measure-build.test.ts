import { expect, it } from 'vitest';
import type { Manifest } from '../../format/build/manifest.ts';
import type { BuildSummary } from '../../format/index/record.ts';
import { axesOf, combinationsOf, type Axis } from './available-versions.ts';
import { providersOf } from './measure-build.ts';

type Changes = Pick<Manifest, 'stack' | 'builds' | 'env'> & Partial<BuildSummary>;

/** By id, the most used ones first. */
function registry(all: Readonly<Record<string, Changes>>) {
  const summaries = Object.entries(all).map(([id, { stack, ...more }]) => {
    const own = { id, kind: 'module', yanked: false, deprecated: false };
    return { ...own, provides: stack?.provides ?? [], ...more } as unknown as BuildSummary;
  });
  return {
    summaries: async () => summaries,
    manifest: async (id: string) => all[id] as unknown as Manifest,
  };
}

const SERVER = { DATABASE_URL: { description: '', required: true } };
const BUILDS = {
  'a/of-express': { stack: { provides: ['auth'], requires: { express: '*' } } },
  'a/alone': { stack: { provides: ['auth'], requires: { typescript: '*' } } },
  'a/on-postgres': { stack: { provides: ['auth'] }, builds: { 'a/postgres': '*' } },
  'a/on-sqlite': { stack: { provides: ['auth'] }, builds: { 'a/sqlite': '*' } },
  'a/postgres': { stack: { provides: ['database'] }, env: SERVER },
  'a/sqlite': { stack: { provides: ['database'] } },
  'a/yanked': { stack: { provides: ['auth', 'database'] }, yanked: true },
};
const NEEDS = { stack: { requires: { auth: '*', database: '*', typescript: '*' } } };

it.each([
  [['auth', 'database'], ['a/on-sqlite']],
  [['database'], ['a/sqlite']],
  [['auth'], ['a/on-sqlite']],
  [['auth', 'mail'], ['a/on-sqlite']],
  [[], []],
])('providersOf(%j) are %j', async (tags, wanted) => {
  expect(await providersOf(tags, NEEDS as unknown as Manifest, registry(BUILDS))).toEqual(wanted);
});

it('axesOf() has packages, and no tag that builds promise', () => {
  const manifest = { ...NEEDS, dependencies: { npm: { zod: '>=3' } } } as unknown as Manifest;
  const axes = axesOf({ files: [{ path: 'index.ts', size: 1 }], manifest });
  expect(axes.map(({ tag }) => tag)).toEqual(['typescript', 'zod']);
});

it('combinationsOf() gives packages of one scope the same major', () => {
  const axis = (tag: string): Axis => ({
    tag,
    kind: 'npm',
    range: '*',
    versions: ['10.0.0', '10.4.0', '12.0.0'],
  });
  const all = combinationsOf([axis('@nest/a'), axis('@nest/b'), axis('zod')]);
  const old = all.find(({ tag, version }) => tag === '@nest/a' && version === '10.0.0');
  expect(old?.versions).toEqual({ '@nest/a': '10.0.0', '@nest/b': '10.4.0', zod: '12.0.0' });
});
