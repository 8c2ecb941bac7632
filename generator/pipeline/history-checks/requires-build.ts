/**
 * Required builds that were missing when the version was published, or had no version in the required range.
 * What the same commit publishes counts as published.
 */
import { finding } from '../../../format/finding/finding.ts';
import { satisfies } from '../../../format/version/semver-range.ts';
import type { HistoryCheck } from './history-check.ts';

const MANIFEST = 'stackyard.json';

export const requiresBuild: HistoryCheck = {
  name: 'requires-build',
  concerns: ({ manifest }) => Object.keys(manifest.builds ?? {}).length > 0,
  run: (_id, facts, then) =>
    Object.entries(facts.manifest.builds ?? {}).flatMap(([build, range]) => {
      const versions = then.versionsOf(build);
      if (versions.length === 0) return [finding('requires-build-missing', MANIFEST, { build })];
      if (versions.some((version) => satisfies(version, range))) return [];
      return [finding('requires-build-range', MANIFEST, { build, range })];
    }),
};
