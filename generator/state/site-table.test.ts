import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { BuildSummary } from '../../format/index/record.ts';
import { compareStanding } from '../../format/index/ranking.ts';
import { buildSummary } from '../../tests/site/build-summary.ts';
import { State } from './state.ts';

const SUMMARY = buildSummary({ id: 'a/x' });
const ALL = { kind: 'all', name: '' } as const;

function openState(): State {
  const state = State.open(':memory:');
  onTestFinished(() => state.close());
  return state;
}

function put(state: State, changes: Partial<BuildSummary>, needs: readonly string[] = []) {
  const summary = { ...SUMMARY, ...changes };
  state.setBuild(summary.id.split('/')[0] ?? '', '', summary);
  return state.site.setBuild(summary, needs);
}

describe('SiteTable', () => {
  it('orders builds as the ranking does', () => {
    const Build = fc.record({
      quality: fc.integer({ min: 98, max: 100 }),
      downloads: fc.nat({ max: 2 }),
      deprecated: fc.boolean(),
      risk: fc.constantFrom('ok' as const, 'caution' as const, 'danger' as const),
      agent_reports: fc.record({
        success: fc.nat({ max: 3 }),
        failure: fc.nat({ max: 3 }),
        success_rate: fc.constant(0),
      }),
    });
    fc.assert(
      fc.property(fc.array(Build, { maxLength: 30 }), (builds) => {
        const state = State.open(':memory:');
        const all = builds.map((build, at) => ({ ...SUMMARY, ...build, id: `a/b${at}` }));
        for (const summary of all) put(state, summary);
        expect(state.site.best(ALL, 100)).toEqual(all.toSorted(compareStanding));
        state.close();
      }),
    );
  });

  it('names the lists that a build left and those that it joined', () => {
    const state = openState();
    put(state, { keywords: ['One', 'x'] }, ['b/y']);
    const lists = put(state, { keywords: ['two', 'x'], provides: ['tag'] });
    expect(lists).toEqual(
      expect.arrayContaining([
        { kind: 'keyword', name: 'one' },
        { kind: 'keyword', name: 'two' },
        { kind: 'needs', name: 'b/y' },
        { kind: 'tag', name: 'tag' },
      ]),
    );
    expect(state.site.has({ kind: 'keyword', name: 'one' })).toBe(false);
    expect(state.site.count({ kind: 'keyword', name: 'x' })).toBe(1);
    expect(state.site.count({ kind: 'needs', name: 'b/y' })).toBe(0);
  });

  it('has no build of which every version is yanked in a list', () => {
    const state = openState();
    put(state, { yanked: true });
    expect(state.site.best(ALL, 10)).toEqual([]);
  });

  it('proven() has what reports speak for, nothing deprecated or dangerous', () => {
    const state = openState();
    const agent_reports = { success: 30, failure: 0, success_rate: 1 };
    put(state, { id: 'a/good', agent_reports });
    put(state, { id: 'a/silent' });
    put(state, { id: 'a/old', agent_reports, deprecated: true });
    put(state, { id: 'a/danger', agent_reports, risk: 'danger' });
    expect(state.site.proven(10).map(({ id }) => id)).toEqual(['a/good']);
  });

  it('names() counts the builds of each label', () => {
    const state = openState();
    put(state, { id: 'a/x', provides: ['one', 'two'] });
    put(state, { id: 'a/y', requires: { two: '*' } });
    expect(state.site.names('tag', 10)).toEqual([
      { name: 'two', count: 2 },
      { name: 'one', count: 1 },
    ]);
    expect(state.site.names('tag', 1)).toHaveLength(1);
  });

  it('ownerHashes() and summariesUnder() have every build once', () => {
    const state = openState();
    for (const id of ['a/x', 'b/x', 'b/y', '9/z']) put(state, { id });
    const hashes = state.site.ownerHashes();
    // The first bytes of SHA-256 of `9`, `b` and `a`.
    expect(hashes).toEqual(['19', '3e', 'ca']);
    const ids = hashes.flatMap((hash) => state.site.summariesUnder(hash).map(({ id }) => id));
    expect(ids).toEqual(['9/z', 'b/x', 'b/y', 'a/x']);
  });
});

it('ProviderTable remembers what pages name, and reports changes', () => {
  const state = State.open(':memory:');
  onTestFinished(() => state.close());
  const { providers } = state.site;
  expect(providers.named('web', 'a/x')).toBeUndefined();
  expect(providers.setNamed('web', 'a/x', undefined)).toBe(false);
  expect(providers.setNamed('web', 'a/x', [])).toBe(true);
  expect(providers.named('web', 'a/x')).toEqual([]);
  expect(providers.setNamed('web', 'a/x', ['p/b', 'p/a'])).toBe(true);
  expect(providers.setNamed('web', 'a/x', ['p/b', 'p/a'])).toBe(false);
  expect(providers.named('web', 'a/x')).toEqual(['p/b', 'p/a']);
  expect(providers.named('other', 'a/x')).toBeUndefined();
  expect(providers.naming('web')).toEqual(['a/x']);
  expect(providers.setNamed('web', 'a/x', undefined)).toBe(true);
  expect(providers.naming('web')).toEqual([]);
});
