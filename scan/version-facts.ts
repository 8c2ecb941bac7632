/** The facts that publishing a version fixes permanently: everything in its record that no signal or yank changes. */
import { parse as parseToml, type TomlTable } from 'smol-toml';
import type { Manifest } from '../format/build/manifest.ts';
import { publishFinding, type PublishedFinding } from '../format/finding/finding.ts';
import type { CapabilityLists } from '../format/index/capabilities.ts';
import type { Risk } from '../format/index/record.ts';
import type { ExaminedBuild } from './examine-build.ts';
import { NO_CAPABILITIES } from './capabilities.ts';
import { isStackTag } from '../format/build/stack-tag.ts';
import { readRequirements } from '../format/project/requirement.ts';
import {
  distributionFacts,
  packageJsonFacts,
  type StackFact,
} from '../format/project/stack-fact.ts';
import { pyprojectStack } from '../format/project/pyproject.ts';
import type { Build } from './validate.ts';

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
  /** It was taken down: nothing of its content is known any more. */
  readonly isTakenDown?: true;
}

/** What is left of a version that was taken down: the same whether or not the repository still has it. */
export function takenDownFacts(
  id: string,
  {
    version,
    published_at,
    integrity,
  }: Pick<VersionFacts, 'version' | 'published_at' | 'integrity'>,
): VersionFacts {
  const name = id.slice(id.indexOf('/') + 1);
  return {
    version,
    published_at,
    integrity,
    size: 0,
    manifest: { name, version, kind: 'module', description: 'Taken down', license: '' },
    readme: '',
    integration: '',
    files: [],
    findings: [],
    capabilities: NO_CAPABILITIES,
    risk: 'ok',
    quality: 0,
    isTakenDown: true,
  };
}

/**
 * The facts of a build that becomes a version.
 * @param publishedAt time of the publication, ISO 8601 in UTC
 */
export function versionFacts(
  examined: NonNullable<ExaminedBuild['valid']>,
  publishedAt: string,
): VersionFacts {
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

/** Tags that are remembered of one build. */
const MAX_TAGS = 200;
/** Larger files are not read. */
const MAX_BYTES = 1_000_000;

/** Tag to version, sorted by tag; `undefined` for a module, and where nothing is declared. */
export function broughtStack({
  manifest,
  files,
  installed,
}: Pick<Build, 'manifest' | 'files' | 'installed'>): Readonly<Record<string, string>> | undefined {
  if (manifest.kind !== 'foundation') return undefined;
  const textOf = (path: string): string | undefined => {
    const isPlaced = installed.includes(path);
    const file = isPlaced ? files.find((one) => one.path === path) : undefined;
    if (file === undefined || file.bytes.length > MAX_BYTES) return undefined;
    return new TextDecoder().decode(file.bytes);
  };
  const facts = [
    readFacts(textOf('package.json'), (text) => packageJsonFacts(JSON.parse(text))),
    readFacts(textOf('pyproject.toml'), (text) => {
      const { distributions } = pyprojectStack(parseToml(text) as TomlTable);
      return distributionFacts(distributions, 'pyproject.toml');
    }),
    readFacts(textOf('requirements.txt'), (text) => {
      return distributionFacts(readRequirements(text), 'requirements.txt');
    }),
  ];
  const found = new Map<string, string>();
  for (const [tag, { version }] of facts.flatMap((all) => [...all])) {
    if (version === undefined || found.has(tag) || tag === 'node' || !isStackTag(tag)) continue;
    found.set(tag, version);
  }
  if (found.size === 0) return undefined;
  const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.slice(0, MAX_TAGS));
}

/** A file that no project could use brings nothing; checks report it. */
function readFacts(
  text: string | undefined,
  read: (text: string) => ReadonlyMap<string, StackFact>,
): ReadonlyMap<string, StackFact> {
  if (text === undefined) return new Map();
  try {
    return read(text);
  } catch {
    return new Map();
  }
}
