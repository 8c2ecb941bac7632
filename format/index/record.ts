/**
 * The package record, exactly the fields of the specification's table "Package record" and no
 * others. Its addresses are in `layout.ts`.
 */
import { z } from 'zod';
import { TIMESTAMP_PATTERN } from '../document/document.ts';
import { INTEGRITY_PATTERN } from '../archive/integrity.ts';
import { PublishedManifest } from '../build/manifest.ts';
import { isGone, OPEN, type Status, statusText } from '../registry/status.ts';
import { isRange } from '../version/semver-range.ts';
import { isTagVersion } from '../version/tag-version.ts';

export const Timestamp = z
  .string()
  .regex(TIMESTAMP_PATTERN)
  .describe('ISO 8601 in UTC, with milliseconds.');
export const Integrity = z
  .string()
  .regex(INTEGRITY_PATTERN)
  .describe('"sha256-" and the base64 SHA-256 of the tarball bytes.');
export const Risk = z
  .enum(['ok', 'caution', 'danger'])
  .describe(
    'ok: no safety finding above info that is not waived; caution: some at warn; danger: some at error.',
  );
const Count = z.int().min(0);
const Score = z.number().min(0).max(100);

const AgentReports = z.object({
  success: Count,
  failure: Count,
  success_rate: z
    .number()
    .min(0)
    .max(1)
    .describe('success / (success + failure); 0 without reports.'),
});

const RecordFinding = z.object({
  level: z.enum(['info', 'warn', 'error']),
  code: z.string(),
  file: z.string().describe('Path within the build; "" when about the whole build.'),
  message: z.string(),
});

/** The schema of `/builds/<owner>/<name>.json`. */
export const PackageRecord = z
  .object({
    id: z.string().describe('<owner>/<name>.'),
    kind: z.enum(['module', 'foundation']),
    description: z.string(),
    version: z.string().describe('The version that this record shows.'),
    latest: z.string().describe('The newest stable version that is not yanked.'),
    keywords: z.array(z.string()),
    requires: z.record(z.string(), z.string()).describe('Mirrors stack.requires.'),
    provides: z.array(z.string()).describe('Mirrors stack.provides.'),
    license: z.string(),
    repository: z.string().describe('URI: of the manifest, else "swh:1:dir:<git tree>".'),
    risk: Risk,
    quality: Score,
    downloads: Count,
    agent_reports: AgentReports,
    flags: Count,
    reputation: Score,
    updated_at: Timestamp.describe('The newest of publication, yank and signal change.'),
    manifest: PublishedManifest,
    readme: z.string().describe('Markdown; "" when there is none. Text of the publisher.'),
    integration: z.string().describe('Markdown; "" when there is none. Text of the publisher.'),
    files: z
      .array(z.object({ path: z.string(), size: Count }))
      .describe('What installing places: path within the build, size in bytes.'),
    checks: z.object({ risk: Risk, quality: Score, findings: z.array(RecordFinding) }),
    integrity: Integrity,
    publisher: z.string().describe('"admin:<owner>".'),
    published_at: Timestamp,
    versions: z
      .array(
        z.object({
          version: z.string(),
          published_at: Timestamp,
          risk: Risk,
          yanked: z.boolean(),
        }),
      )
      .describe('Every published version, highest first.'),
  })
  .meta({ title: 'Stackyard package record' });

export type PackageRecord = z.infer<typeof PackageRecord>;
export type Risk = z.infer<typeof Risk>;
type AgentReports = z.infer<typeof AgentReports>;

/** A shard that would hold more is split. */
export const MAX_SHARD_SUMMARIES = 1_000;

export const BuildSummary = z.object({
  id: z.string(),
  kind: z.enum(['module', 'foundation']),
  latest: z.string(),
  description: z.string(),
  keywords: z.array(z.string()),
  requires: z.record(z.string(), z.string()),
  provides: z.array(z.string()),
  headings: z
    .array(z.string())
    .optional()
    .describe('Those of README.md that say more than "Usage" does; absent without any.'),
  license: z.string(),
  risk: Risk,
  quality: z.number(),
  downloads: z.int(),
  agent_reports: AgentReports,
  reputation: z.number(),
  updated_at: Timestamp,
  deprecated: z.boolean(),
  yanked: z.boolean().describe('true when every version is yanked.'),
  brings: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      'Of a foundation: its packages as stack tags, each at the lowest version that it permits.',
    ),
  advisories: z
    .array(z.string())
    .optional()
    .describe('Ids of the advisories that affect the latest version, sorted.'),
});
export type BuildSummary = z.infer<typeof BuildSummary>;

/** The schema of `/catalog/<sha256>.json`. */
export const CatalogShard = z
  .object({ builds: z.array(BuildSummary) })
  .meta({ title: 'Stackyard catalog shard' });
export type CatalogShard = z.infer<typeof CatalogShard>;

/** The schema of `/catalog.json`. */
export const Catalog = z
  .object({
    shards: z.array(
      z.object({
        prefix: z
          .string()
          .regex(/^[01]{0,64}$/)
          .describe('Leading bits of the SHA-256 of the ids that the shard holds.'),
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
        count: z.int().min(0),
      }),
    ),
  })
  .meta({ title: 'Stackyard catalog' });
export type Catalog = z.infer<typeof Catalog>;

const RangeMap = z.record(z.string(), z.string().refine(isRange, { error: 'not a semver range' }));

const TagVersion = z.string().refine(isTagVersion, { error: 'not a version' });

/** What a version needs and provides: fixed with its publication. */
export const VersionNeeds = z.object({
  requires: RangeMap.describe('Stack tag to semver range.'),
  provides: z.array(z.string()),
  builds: RangeMap.describe('Required build to semver range.'),
  builds_order: z
    .array(z.string())
    .optional()
    .describe(
      'The required builds as the manifest lists them, where that is not the order of ids.',
    ),
});
export type VersionNeeds = z.infer<typeof VersionNeeds>;

/** What is known about a version now; absent fields: nothing. */
export const VersionState = z.object({
  risk: Risk.optional().describe('Absent: ok.'),
  yanked: z.string().optional().describe('The reason.'),
  withdrawn: z
    .literal(true)
    .optional()
    .describe('Of a yanked version: its tarball is gone, by its owner or by a take-down.'),
  taken_down: z
    .object({ date: z.string(), reference: z.string() })
    .optional()
    .describe(
      'Of a withdrawn version that an admin took down: when, and by which order or request.',
    ),
  advisories: z
    .array(z.string())
    .optional()
    .describe('Ids of the advisories that affect the version, sorted.'),
  packages: z
    .array(
      z.object({
        ecosystem: z.string().describe('npm or PyPI.'),
        name: z.string(),
        range: z.string().describe('As the manifest has it.'),
        advisories: z.array(z.string()).min(1).describe('Ids of OSV, sorted.'),
      }),
    )
    .optional()
    .describe('Packages of which every version that the build admits has a known fault.'),
  measured: z
    .record(
      z.string(),
      z.object({
        from: TagVersion.optional(),
        to: TagVersion,
        as: z.string().optional().describe('The version that was measured, where it is another.'),
      }),
    )
    .optional()
    .describe(
      'Of a measured version: stack tag or package to the oldest and the newest version of it that works.',
    ),
  findings: z
    .array(RecordFinding)
    .optional()
    .describe('What was found after the publication, of other versions than the latest.'),
});
export type VersionState = z.infer<typeof VersionState>;

/** A version as a client resolves it. `head-document.ts` has its written form. */
export interface HeadVersion
  extends VersionNeeds, Omit<VersionState, 'risk' | 'yanked' | 'withdrawn' | 'taken_down'> {
  version: string;
  published_at: string;
  integrity: string;
  /** Integrity of its document; absent of a local build. */
  document?: string | undefined;
  risk: Risk;
  status: Status;
}

/** What is known of a build: enough to resolve it. */
export interface Head {
  id: string;
  /** The kind of the latest version. */
  kind: 'module' | 'foundation';
  latest: string;
  /** Present when the owner advises against new installs. */
  deprecated?: { reason: string; replacement?: string | undefined } | undefined;
  /** The id under which the build goes on, and the day since when. */
  moved?: { to: string; since: string } | undefined;
  /** Integrities of the other documents about the build; absent of a local build. */
  documents?:
    | { record: string; compatibility?: string | undefined; waivers?: string | undefined }
    | undefined;
  /** Highest version first. */
  versions: HeadVersion[];
}

/** Why not to use a build, and what to use: text of its owner. */
export function deprecationText({ reason, replacement }: NonNullable<Head['deprecated']>): string {
  return replacement === undefined ? reason : `${reason}; use "${replacement}" instead`;
}

/** Why a version cannot be had whose tarball is gone; `undefined` for another one. */
export function goneProblem(
  { id, latest, versions }: Pick<Head, 'id' | 'latest' | 'versions'>,
  version: string,
): { readonly text: string; readonly hint: string } | undefined {
  const { status = OPEN } = versions.find((one) => one.version === version) ?? {};
  if (!isGone(status)) return undefined;
  const isLeft = versions.some((one) => one.version === latest && one.status.is === 'open');
  return {
    text: `"${id}" ${version} was ${statusText(status)}: ${JSON.stringify(status.reason)}`,
    hint: isLeft
      ? `its tarball is gone: use ${id}@${latest}`
      : 'its tarball is gone, and the build has no other version: use another build',
  };
}
