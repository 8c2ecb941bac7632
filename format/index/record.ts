/**
 * The package record, exactly the fields of the specification's table "Package record" and no
 * others. Its addresses are in `layout.ts`.
 */
import { z } from 'zod';
import { TIMESTAMP_PATTERN } from '../document/document.ts';
import { INTEGRITY_PATTERN } from '../archive/integrity.ts';
import { PublishedManifest } from '../build/manifest.ts';

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
  .describe('ok: no safety finding above info; caution: some at warn; danger: some at error.');
const Count = z.int().min(0);
const Score = z.number().min(0).max(100);

export const AgentReports = z.object({
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

/** The schema of `/builds/<owner>/<name>.json` and of `/builds/<owner>/<name>/<version>.json`. */
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
    repository: z.string().describe('"" when the manifest names none.'),
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
export type AgentReports = z.infer<typeof AgentReports>;
