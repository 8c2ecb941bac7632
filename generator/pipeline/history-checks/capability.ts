/** What a version can do that the version before it could not. */
import { capabilitiesBeyond, capabilityPhrases } from '../../../format/index/capabilities.ts';
import { finding } from '../../../format/finding/finding.ts';
import { compareVersions } from '../../../format/version/semver-range.ts';
import type { HistoryCheck } from './history-check.ts';

export const capability: HistoryCheck = {
  name: 'capability',
  // A version that can do nothing gained nothing.
  concerns: ({ capabilities }) => capabilityPhrases(capabilities).length > 0,
  run: (id, facts, then) => {
    const lower = then
      .versionsOf(id)
      .filter((v) => compareVersions(v, facts.version) < 0)
      .sort(compareVersions);
    const version = lower.findLast((one) => then.factsOf(id, one) !== undefined);
    const before = version === undefined ? undefined : then.factsOf(id, version)?.capabilities;
    if (version === undefined || before === undefined) return [];
    return capabilityPhrases(capabilitiesBeyond(facts.capabilities, before)).map((can) =>
      finding('capability-gained', '', { version, can }),
    );
  },
};
