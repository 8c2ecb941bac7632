/** Credentials from a cloud's metadata service, sent elsewhere. */
import type { Finding } from '../../../format/finding/finding.ts';
import type { Rule } from '../../rule.ts';
import type { ScannedBuild } from '../../scanned-file.ts';
import type { Fact } from '../../taint/api.ts';
import { FETCHED } from '../../taint/label.ts';
import { hostsOf } from '../../evidence/fact-evidence.ts';
import { found, whereTo } from '../../evidence/fact-finding.ts';

const METADATA =
  /^(?:169\.254\.169\.254|169\.254\.170\.2|metadata\.google\.internal|100\.100\.100\.200|\[fd00:ec2::254\])$/;

export const metadataCredentials: Rule = {
  name: 'metadata-credentials',
  run: (build) => {
    const { facts } = build.taint;
    const asked = facts.filter((fact) => fact.action === 'send' && isMetadata(fact));
    if (asked.length === 0) return [];
    return facts
      .filter((fact) => fact.action === 'send' && !isMetadata(fact))
      .flatMap((fact) => checkFact(build, fact, asked));
  },
};

function isMetadata(fact: Fact): boolean {
  return hostsOf(fact).some((host) => METADATA.test(host));
}

/** A sending whose content came from the metadata service, by the place where it was fetched. */
function checkFact(build: ScannedBuild, fact: Fact, asked: readonly Fact[]): Finding[] {
  const isSame = fact.content.origins.some(
    (origin) =>
      (origin.label & FETCHED) !== 0 &&
      asked.some(({ path, at }) => path === origin.path && at === origin.at),
  );
  return isSame && hostsOf(fact).length > 0
    ? [found(build, 'metadata-credentials', fact, { host: whereTo(fact) })]
    : [];
}
