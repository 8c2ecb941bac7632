import { expect, it, onTestFinished } from 'vitest';
import type { BuildSummary } from '../../format/index/record.ts';
import { buildSummary } from '../../tests/site/build-summary.ts';
import type { ListName } from '../state/site-table.ts';
import { State } from '../state/state.ts';
import {
  MAX_NAMING,
  foundationsFor,
  modulesFor,
  nameProviders,
  namedProviders,
} from './named-providers.ts';

function openRegistry() {
  const state = State.open(':memory:');
  onTestFinished(() => state.close());
  const put = (...changes: Partial<BuildSummary>[]): string[] => {
    const lists: ListName[] = [];
    for (const change of changes) {
      const summary = buildSummary(change);
      state.setBuild(summary.id.split('/')[0]!, '', summary);
      lists.push(...state.site.setBuild(summary, []));
    }
    return nameProviders(state.site, lists).sort();
  };
  return {
    put,
    named: (id: string) => namedProviders(state.site, id),
    foundations: (id: string) => foundationsFor(state.site, id),
    modules: (id: string) => modulesFor(state.site, id),
  };
}

const USER = { id: 'u/user', requires: { web: '^1.0.0' } };
const provider = (id: string, changes: Partial<BuildSummary> = {}): Partial<BuildSummary> => {
  return { id, provides: ['web'], ...changes };
};

it('nameProviders() names the best three whose latest version the client would accept', () => {
  const { put, named } = openRegistry();
  expect(put(USER)).toEqual(['u/user']);
  expect(named('u/user')).toEqual({ web: [] });
  const bad: Partial<BuildSummary>[] = [
    provider('p/newer', { latest: '2.0.0' }),
    provider('p/early', { latest: '1.0.0-rc.1' }),
    provider('p/danger', { risk: 'danger' }),
    provider('p/deprecated', { deprecated: true }),
    provider('p/yanked', { yanked: true }),
  ];
  expect(put(...bad)).toEqual([]);
  expect(put(provider('p/c'), provider('p/d'), provider('p/b'))).toEqual(['u/user']);
  expect(put(provider('p/a', { downloads: 1 }))).toEqual(['u/user']);
  expect(named('u/user')).toEqual({ web: ['p/a', 'p/b', 'p/c'] });
});

it('nameProviders() reports only builds whose pages name others than before', () => {
  const { put, named } = openRegistry();
  put(USER, { id: 'u/other', requires: { web: '^2.0.0' } }, provider('p/a'));
  expect(put(provider('p/a', { latest: '1.5.0', downloads: 3 }))).toEqual([]);
  expect(put(provider('p/a', { latest: '2.0.0' }))).toEqual(['u/other', 'u/user']);
  expect(named('u/user')).toEqual({ web: [] });
  expect(named('u/other')).toEqual({ web: ['p/a'] });
  expect(put({ id: 'p/a' })).toEqual(['u/other']);
});

it('nameProviders() names no build as its own provider', () => {
  const { put, named } = openRegistry();
  put({ ...USER, provides: ['web'] });
  expect(named('u/user')).toEqual({ web: [] });
});

it('nameProviders() names none where too many pages would change', () => {
  const { put, named } = openRegistry();
  const users = Array.from({ length: MAX_NAMING }, (_, at) => ({ ...USER, id: `u/n${at}` }));
  expect(put(...users, provider('p/a'))).toHaveLength(MAX_NAMING);
  expect(put(USER)).toHaveLength(MAX_NAMING);
  expect(named('u/n1')).toEqual({});
  expect(put(provider('p/b'))).toEqual([]);
  // Again as many as may name some: the one that left, and the others.
  expect(put({ id: 'u/user' })).toHaveLength(MAX_NAMING);
  expect(named('u/n1')).toEqual({ web: ['p/a', 'p/b'] });
});

const START: Partial<BuildSummary> = {
  id: 'f/start',
  kind: 'foundation',
  brings: { web: '1.4.0', typescript: '7.0.2' },
};

it('foundationsFor() and modulesFor() pair builds by all that a module requires of a project', () => {
  const { put, named, foundations, modules } = openRegistry();
  const needs = { web: '^1.0.0', typescript: '*', node: '>=22' };
  expect(put({ id: 'u/user', requires: needs }, START)).toEqual(['f/start', 'u/user']);
  expect(named('u/user')).toEqual({ web: ['f/start'], typescript: ['f/start'] });
  expect(foundations('u/user')).toEqual(['f/start']);
  expect(modules('f/start')).toEqual(['u/user']);
  expect(foundations('f/start')).toEqual([]);
  expect(modules('u/user')).toEqual([]);
  // A version that is out of range for one of them.
  expect(put({ ...START, brings: { web: '2.0.0', typescript: '7.0.2' } })).toEqual([
    'f/start',
    'u/user',
  ]);
  expect(foundations('u/user')).toEqual([]);
  expect(modules('f/start')).toEqual([]);
  expect(put({ id: 'u/user', requires: { web: '^2.0.0' } })).toEqual(['f/start', 'u/user']);
  expect(modules('f/start')).toEqual(['u/user']);
});

it('foundationsFor() has none for a module that requires only a runtime', () => {
  const { put, foundations } = openRegistry();
  put({ id: 'u/user', requires: { node: '>=22' } }, START);
  expect(foundations('u/user')).toEqual([]);
});
