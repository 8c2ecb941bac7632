import { expect, it } from 'vitest';
import type { Manifest } from '../../format/build/manifest.ts';
import type { BuildSummary } from '../../format/index/record.ts';
import { providersOf } from './providers.ts';

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
