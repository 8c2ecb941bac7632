import { describe, expect, it } from 'vitest';
import type { VersionFacts } from '../../../scan/version-facts.ts';
import { requiresBuild } from './requires-build.ts';

describe('requiresBuild', () => {
  it.each([
    [{}, [], []],
    [{ 'a/db': '^1.0.0' }, ['1.2.0', '2.0.0'], []],
    [{ 'a/db': '^1.0.0' }, [], ['requires-build-missing']],
    [{ 'a/db': '^3.0.0' }, ['1.2.0', '2.0.0'], ['requires-build-range']],
  ])('%j with versions %j: %j', (builds, versions, codes) => {
    const facts = { manifest: { builds } } as unknown as VersionFacts;
    const found = requiresBuild.run('a/x', facts, {
      versionsOf: () => versions,
      factsOf: () => undefined,
    });
    expect(found.map(({ code }) => code)).toEqual(codes);
    expect(requiresBuild.concerns(facts)).toBe(Object.keys(builds).length > 0);
  });
});
