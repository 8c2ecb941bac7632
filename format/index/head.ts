/** The head: from this one small document a client resolves a build. */
import { z } from 'zod';
import { isBuildId } from '../build/build-id.ts';
import { Integrity, Risk, Timestamp } from './record.ts';
import { isRange } from '../version/semver-range.ts';
import { isVersion } from '../version/version.ts';

const RangeMap = z.record(z.string(), z.string().refine(isRange, { error: 'not a semver range' }));

const HeadVersion = z.object({
  version: z.string().refine(isVersion, { error: 'not a semver version' }),
  published_at: Timestamp,
  integrity: Integrity,
  size: z.int().min(0).describe('Bytes of the tarball.'),
  requires: RangeMap.describe('Stack tag to semver range.'),
  provides: z.array(z.string()),
  builds: RangeMap.describe('Required build to semver range.'),
  builds_order: z
    .array(z.string())
    .optional()
    .describe(
      'The required builds as the manifest lists them, where that is not the order of ids.',
    ),
  risk: Risk,
  yanked: z.union([z.literal(false), z.string()]).describe('false, or the reason.'),
  withdrawn: z
    .literal(true)
    .optional()
    .describe('Of a yanked version: it was withdrawn completely, and its tarball is gone.'),
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
  log: z
    .object({
      index: z.int().min(0).describe('Its entry, from 0.'),
      commit: z.string().describe('The commit that published it.'),
      tree: z.string().describe('Git tree of the build.'),
    })
    .optional()
    .describe('Where the transparency log has the version.'),
  documents: z
    .object({ record: Integrity, capabilities: Integrity })
    .optional()
    .describe('Digests of the documents about the version.'),
});

/** The schema of `/heads/<owner>/<name>.json`. */
export const Head = z
  .object({
    id: z.string().refine(isBuildId, { error: 'not a build id' }),
    kind: z.enum(['module', 'foundation']).describe('The kind of the latest version.'),
    latest: z.string(),
    deprecated: z
      .object({ reason: z.string(), replacement: z.string().optional() })
      .optional()
      .describe('Present when the owner advises against new installs.'),
    moved: z
      .object({ to: z.string().refine(isBuildId, { error: 'not a build id' }), since: z.string() })
      .optional()
      .describe('The id under which the build goes on, and the day since when.'),
    documents: z
      .object({ record: Integrity, compatibility: Integrity.optional() })
      .optional()
      .describe('Digests of the other documents about the build.'),
    versions: z.array(HeadVersion).min(1).describe('Highest version first.'),
  })
  .meta({ title: 'Stackyard head' });

export type Head = z.infer<typeof Head>;
export type HeadVersion = z.infer<typeof HeadVersion>;
