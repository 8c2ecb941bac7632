import { expect, test } from 'vitest';
import { headOf } from '../../tests/client/universe.ts';
import type { Registry } from '../registry/registry.ts';
import { KnownHeads } from './known-heads.ts';

/** A registry that gives another head each time. */
function changingRegistry(asked: string[]): Registry {
  const head = async (id: string): Promise<ReturnType<typeof headOf> | undefined> => {
    asked.push(id);
    const times = asked.filter((other) => other === id).length;
    if (id === 'x/none') return undefined;
    const needs = { 'x/b': times === 1 ? '^1.0.0' : '^2.0.0', 'x/c': '*' };
    return id === 'x/a' || id === 'x/c'
      ? headOf(id, {
          [`${times}.0.0`]: id === 'x/a' ? { builds: needs } : { builds: { 'x/b': '*' } },
        })
      : headOf(id, { [`${times}.0.0`]: {} });
  };
  return { head } as unknown as Registry;
}

const NOTHING = { locked: new Map(), stack: new Map() };

test('a head is fetched once, also when resolutions that run at once need it', async () => {
  const asked: string[] = [];
  const known = new KnownHeads(changingRegistry(asked), undefined, new Map());
  const requests = [{ id: 'x/a', range: undefined }];
  const both = await Promise.all([1, 2].map(() => known.resolve({ ...NOTHING, requests })));
  expect(asked).toEqual(['x/a', 'x/b', 'x/c']);
  for (const resolution of both) expect(resolution.kind).toBe('solved');
});

test('heads that change between two fetches end with a verdict, from one state of each', async () => {
  const asked: string[] = [];
  const known = new KnownHeads(changingRegistry(asked), undefined, new Map());
  const requests = [{ id: 'x/a', range: undefined }];
  const first = await known.resolve({ ...NOTHING, requests });
  const again = await known.withoutAge().resolve({ ...NOTHING, requests });
  const versionsOf = (one: typeof first): unknown =>
    one.kind === 'solved' && [...one.versions].map(([id, { version }]) => `${id} ${version}`);
  expect(versionsOf(first)).toEqual(['x/a 1.0.0', 'x/b 1.0.0', 'x/c 1.0.0']);
  expect(versionsOf(again)).toEqual(['x/a 2.0.0', 'x/b 2.0.0', 'x/c 2.0.0']);
});

test('an installed build that the registry does not have any more is taken as it is', async () => {
  const installed = { version: '1.0.0', provides: [], builds: { 'x/b': '^3.0.0' } };
  const movable = new Map([['x/none', { version: '1.0.0', requirement: 'keep' as const }]]);
  const locked = new Map<string, typeof installed>();
  const known = new KnownHeads(changingRegistry([]), undefined, movable);
  const requests = [
    { id: 'x/none', range: '^1.0.0' },
    { id: 'x/b', range: undefined },
  ];
  const input = { requests, locked, movable, stack: new Map() };
  const resolution = await known.resolve(input, (id) => {
    movable.delete(id);
    locked.set(id, installed);
  });
  expect(resolution).toMatchObject({
    code: 'ERR_VERSION_NOT_FOUND',
    message: expect.stringContaining('"x/none" 1.0.0 needs "x/b" ^3.0.0'),
  });
});
