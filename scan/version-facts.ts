/** The facts that publishing a version fixes permanently: everything in its record that no signal or yank changes. */
import { broughtStack } from './brought-stack.ts';
import type { Manifest } from '../format/build/manifest.ts';
import { publishFinding, type PublishedFinding } from '../format/finding/finding.ts';
import type { CapabilityLists } from '../format/index/capabilities.ts';
import type { Risk } from '../format/index/record.ts';
import type { PublishableBuild } from './examine-build.ts';

export interface VersionFacts {
  readonly version: string;
  /** ISO 8601, UTC. */
  readonly published_at: string;
  readonly manifest: Manifest;
  readonly readme: string;
  readonly integration: string;
  /** The files that an installation places; sizes in bytes. */
  readonly files: readonly { readonly path: string; readonly size: number }[];
  readonly findings: readonly PublishedFinding[];
  readonly capabilities: CapabilityLists;
  readonly risk: Risk;
  readonly quality: number;
  readonly integrity: string;
  /** Bytes of the tarball. */
  readonly size: number;
  /** Of a foundation: its packages as stack tags, each at the lowest version that it permits. */
  readonly brings?: Readonly<Record<string, string>>;
}

/**
 * The facts of a build that becomes a version.
 * @param publishedAt time of the publication, ISO 8601 in UTC
 */
export function versionFacts(examined: PublishableBuild, publishedAt: string): VersionFacts {
  const { build, tarball, findings, capabilities, risk, quality } = examined;
  const brings = broughtStack(build);
  const sizes = new Map(build.files.map((file) => [file.path, file.bytes.length]));
  return {
    version: build.manifest.version,
    published_at: publishedAt,
    integrity: tarball.integrity,
    size: tarball.bytes.length,
    manifest: build.manifest,
    readme: build.readme,
    integration: build.integration,
    files: build.installed.map((path) => ({ path, size: sizes.get(path) ?? 0 })),
    findings: findings.map(publishFinding),
    capabilities,
    risk,
    quality,
    ...(brings === undefined ? {} : { brings }),
  };
}
