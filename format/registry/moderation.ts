/**
 * `moderation/<owner>/<name>.json`: decisions of the registry's admins about flags and reports. It is
 * outside the folders that others may change.
 */
import { z } from 'zod';
import { StatementId } from '../statement/statement.ts';

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
      .describe('Id of a flag or report to the decision.'),
  })
  .meta({ title: 'Stackyard moderation' });
export type Moderation = z.infer<typeof Moderation>;
