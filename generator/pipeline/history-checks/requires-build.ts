/** Required builds that were not there when the version was published, or not in the range that it asks for. */
import { finding } from '../../../format/finding/finding.ts';
import { satisfies } from '../../../format/version/semver-range.ts';
import type { HistoryCheck } from './history-check.ts';

const MANIFEST = 'stackyard.json';

export const requiresBuild: HistoryCheck = {
  name: 'requires-build',
  run: (_id, facts, then) =>
    Object.entries(facts.manifest.builds ?? {}).flatMap(([build, range]) => {
      const versions = then.versionsOf(build);
      if (versions.length === 0) return [finding('requires-build-missing', MANIFEST, { build })];
      if (versions.some((version) => satisfies(version, range))) return [];
      return [finding('requires-build-range', MANIFEST, { build, range })];
    }),
};
