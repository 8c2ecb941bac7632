import { describe, expect, test } from 'vitest';
import type { Lock } from '../../format/project/lock.ts';
import type { Facts } from '../../tests/client/universe.ts';
import { headOf } from '../../tests/client/universe.ts';
import type { Registry } from './registry.ts';
import { parseRequest } from '../resolve/request.ts';
import { KnownHeads } from './known-heads.ts';
import { withCheckedHint } from './solve.ts';

type Heads = Readonly<Record<string, Readonly<Record<string, Facts>>>>;

const NEEDS_CORE_2 = { builds: { 'x/core': '^2.0.0' } };
const HEADS: Heads = {
  'x/core': { '1.0.0': {}, '2.0.0': {} },
  'x/app': { '1.0.0': { builds: { 'x/core': '^1.0.0' } }, '2.0.0': NEEDS_CORE_2 },
  'x/new': { '1.0.0': NEEDS_CORE_2 },
  'x/old': { '1.0.0': { builds: { 'x/core': '^1.0.0' } } },
};

/** The hint for `texts` in a project that has `installed`, and what was fetched for it. */
async function hintFor(
  texts: readonly string[],
  installed: Readonly<Record<string, { version: string; requested?: string } & Facts>> = {},
  isDown: (id: string) => boolean = () => false,
): Promise<string> {
  const head = async (id: string): Promise<unknown> => {
    if (isDown(id)) throw new Error(`${id} cannot be fetched`);
    return HEADS[id] && headOf(id, HEADS[id]);
  };
  const builds = Object.entries(installed).map(([id, own]) => {
    return [id, { provides: [], builds: {}, ...own }];
  });
  const lock = { builds: Object.fromEntries(builds) } as unknown as Lock;
  const locked = new Map(Object.entries(lock.builds));
  const known = new KnownHeads({ head } as unknown as Registry, undefined, locked);
  const requests = texts.map(parseRequest);
  const input = { known, requests, locked, stack: new Map() };
  const resolution = await known.resolve(input);
  if (resolution.kind === 'solved') throw new Error('It fits');
  return (await withCheckedHint(resolution, { ...input, lock })).hint ?? '';
}

describe('withCheckedHint() ends a hint with', () => {
  test('versions that go together', async () => {
    const hint = await hintFor(['x/app@2.0.0', 'x/core@1.0.0']);
    expect(hint).toMatch(/these go together: stackyard add "x\/app@2\.0\.0" "x\/core@2\.0\.0"$/);
  });

  test('the requests that go without one of them', async () => {
    const hint = await hintFor(['x/new', 'x/old']);
    expect(hint).toMatch(/without "x\/old" the rest goes together: stackyard add "x\/new"$/);
  });

  test('an update that makes room, where it works', async () => {
    const free = { 'x/core': { version: '1.0.0', requested: '*' } };
    expect(await hintFor(['x/app@2.0.0'], free)).toMatch(
      /this does: stackyard update "x\/core@\^2\.0\.0"$/,
    );
    const held = {
      ...free,
      'x/old': { version: '1.0.0', requested: '*', builds: { 'x/core': '^1.0.0' } },
    };
    expect(await hintFor(['x/app@2.0.0'], held)).toBe('adding never changes an installed build');
  });

  test('nothing, where heads for it cannot be had', async () => {
    const installed = { 'x/core': { version: '1.0.0', requested: '*' } };
    const hint = await hintFor(['x/app@2.0.0'], installed, (id) => id === 'x/core');
    expect(hint).toBe('adding never changes an installed build');
  });
});
