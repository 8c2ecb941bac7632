/**
 * `moderation/<owner>/<name>.json`: decisions of the registry's admins about flags, reports and findings of a build. It is
 * outside the folders that others may change.
 */
import { z } from 'zod';
import { isFilePath } from '../build/file-path.ts';
import { Waived } from '../index/waivers.ts';
import { StatementId } from '../statement/statement.ts';
import { isVersion } from '../version/version.ts';

export const MODERATION_FOLDER = 'moderation';

const Waiver = Waived.extend({
  version: z
    .string()
    .refine(isVersion, { error: 'not a version' })
    .describe('The first version for which the finding is accepted.'),
  code: z.string().regex(/^[a-z][a-z0-9-]{0,79}$/),
  file: z
    .string()
    .refine(isFilePath, { error: 'not a path in a build' })
    .describe('Path within the build.'),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('Digest of the file: for another content the waiver does not hold.'),
}).strict();
export type Waiver = z.infer<typeof Waiver>;

export const Moderation = z
  .strictObject({
    $schema: z.string().optional(),
    decisions: z
      .record(
        StatementId,
        z.strictObject({
          state: z
            .enum(['open', 'upheld', 'dismissed'])
            .describe('A flag is open until decided; a dismissed report does not count.'),
          reason: z.string().min(1).max(300),
        }),
      )
      .default({})
      .describe('Id of a flag or report to the decision.'),
    waivers: z
      .array(Waiver)
      .max(200)
      .optional()
      .describe('Safety findings that are wrong, or accepted: they do not count for the risk.'),
  })
  .meta({ title: 'Stackyard moderation' });
export type Moderation = z.infer<typeof Moderation>;
