/** One build folder through validate, check and pack: all that depends on its tree alone. */
import { MAX_TARBALL_BYTES } from '../../format/build/build-files.ts';
import type { CapabilityLists } from '../../format/index/capabilities.ts';
import type { Finding } from '../../format/finding/finding.ts';
import { finding, publishFinding, sortFindings } from '../../format/finding/finding.ts';
import { tarballPath } from '../../format/index/layout.ts';
import type { Risk } from '../../format/index/record.ts';
import { allRules } from '../../checks/rules/all.ts';
import { deriveCapabilities } from '../../checks/capabilities.ts';
import { openBuild } from '../../checks/open-build.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import { readSource } from '../git/source.ts';
import { qualityOf } from '../../examine/quality.ts';
import { riskOf } from '../../examine/risk.ts';
import type { Candidate } from './discover.ts';
import { validate } from '../../examine/validate.ts';
import type { Build } from '../../examine/validate.ts';
import { scan } from '../../checks/scan.ts';
import { pack } from '../../examine/pack.ts';
import type { VersionFacts } from './record.ts';
import type { Stage } from './emit.ts';

export type Examined =
  | {
      readonly ok: true;
      readonly version: string;
      readonly risk: Risk;
      /** `VersionFacts` as JSON: one string is cheap to hand from thread to thread. */
      readonly facts: string;
      readonly isNewTarball: boolean;
    }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** Reads, judges and packs a candidate, and stages its tarball. */
export async function examine(
  candidate: Candidate,
  reader: ObjectReader,
  stage: Stage,
): Promise<Examined> {
  const { owner, name, tree, time } = candidate;
  const source = await readSource(reader, tree);
  const validated = validate({ owner, name, source });
  if (!validated.ok) return validated;
  const { build } = validated;
  const opened = openBuild(build);
  const findings = [...validated.findings, ...scan(opened, allRules)];
  const { bytes, integrity } = pack(build);
  if (bytes.length > MAX_TARBALL_BYTES) {
    const args = { bytes: bytes.length, limit: MAX_TARBALL_BYTES };
    return { ok: false, findings: [finding('build-tarball-size', '', args)] };
  }
  const capabilities = deriveCapabilities(opened);
  const facts = factsOf(build, findings, capabilities, {
    published_at: time,
    integrity,
    size: bytes.length,
  });
  const isNewTarball = stage.add(tarballPath(build.id, facts.version), bytes);
  const { version, risk } = facts;
  return { ok: true, version, risk, facts: JSON.stringify(facts), isNewTarball };
}

function factsOf(
  build: Build,
  findings: readonly Finding[],
  capabilities: CapabilityLists,
  packed: Pick<VersionFacts, 'published_at' | 'integrity' | 'size'>,
): VersionFacts {
  const sizes = new Map(build.files.map((f) => [f.path, f.bytes.length]));
  return {
    version: build.manifest.version,
    ...packed,
    manifest: build.manifest,
    readme: build.readme,
    integration: build.integration,
    files: build.installed.map((path) => ({ path, size: sizes.get(path) ?? 0 })),
    findings: sortFindings(findings).map(publishFinding),
    capabilities,
    risk: riskOf(findings),
    quality: qualityOf(findings),
  };
}
