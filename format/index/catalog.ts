/** The catalog: a short summary of every build, in shards, for search and listings. */
import { z } from 'zod';
import { AgentReports, Risk, Timestamp } from './record.ts';

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
