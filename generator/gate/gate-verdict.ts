/**
 * The gate's verdict on a pull request. One program passes it to another: the first judges and may write
 * nothing, the second comments and merges and reads nothing of the pull request.
 */
import { z } from 'zod';
import { Capabilities } from '../../format/index/capabilities.ts';
import { Risk } from '../../format/index/record.ts';

/** The id of an object of git, by SHA-1 or SHA-256. */
export const OBJECT_ID: RegExp = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const Oid = z.string().regex(OBJECT_ID);
const Count = z.int().min(0);

export const Reason = z.strictObject({
  level: z.enum(['refuse', 'review']),
  code: z.string().regex(/^[a-z][a-z0-9-]{0,79}$/),
  file: z.string().describe('Path in the repository; "" for the whole pull request.'),
  line: Count.describe('From 1; 0 when no line is meant.'),
  message: z.string(),
  remedy: z.string(),
});
export type Reason = z.infer<typeof Reason>;

const FileChange = z.strictObject({
  path: z.string().describe('Within the build.'),
  change: z.enum(['added', 'changed', 'removed']),
  added: Count.describe('Lines; 0 for what is not text.'),
  removed: Count,
});
export type FileChange = z.infer<typeof FileChange>;

const JudgedBuild = z.strictObject({
  id: z.string(),
  version: z.string().describe('"" when the manifest has none.'),
  previous: z
    .string()
    .describe('The published version that it is compared with; "" when there is none.'),
  risk: Risk.optional().describe('Absent when the build cannot be published.'),
  quality: z.number().min(0).max(100).optional(),
  findings: z.array(
    z.strictObject({
      level: z.enum(['info', 'warn', 'error']),
      code: z.string(),
      file: z.string(),
      line: Count,
      message: z.string(),
    }),
  ),
  gained: Capabilities.optional().describe('What the version before did not do.'),
  lost: Capabilities.optional().describe('What it did, and this one does not.'),
  files: z.array(FileChange).describe('Against the previous version.'),
  more_files: Count.describe('Changed files that are not listed.'),
});
export type JudgedBuild = z.infer<typeof JudgedBuild>;

export const GateVerdict = z
  .strictObject({
    interface: z.literal(1),
    verdict: z.enum(['merge', 'review', 'refuse']),
    base: Oid.describe('Commit of the base branch.'),
    head: Oid.describe('Commit of the pull request: the verdict is about no other.'),
    tree: Oid.optional().describe('What merging gives; absent when it cannot be merged.'),
    author: z.strictObject({ login: z.string().max(100), id: z.int().positive() }),
    root: z
      .string()
      .optional()
      .meta({ description: 'the folder of the registry in the repository' }),
    reasons: z.array(Reason),
    builds: z.array(JudgedBuild),
    waiting_hours: Count.optional().describe(
      'Hours after which it is merged if no admin holds it; absent when one must approve.',
    ),
    appeal: z
      .url({ protocol: /^https$/ })
      .max(2000)
      .optional()
      .describe('Of a refusal: the form to appeal with.'),
    review_hours: Count.describe('Within how many hours an admin looks at it; 0 otherwise.'),
  })
  .meta({ title: 'Stackyard verdict about a pull request' });
export type GateVerdict = z.infer<typeof GateVerdict>;
