/** A flag: an account asks the registry's admins to look at a version of a build. */
import { z } from 'zod';
import { Timestamp } from '../index/record.ts';
import { CiOrigin } from './ci-origin.ts';
import { STATEMENT_FIELDS, StatementId } from './statement.ts';

/** The schema of `flags/<owner>/<name>/<version>/<id>.json`. */
export const Flag = z
  .strictObject({
    ...STATEMENT_FIELDS,
    reason: z.enum(['malware', 'secrets', 'licence', 'impersonation', 'broken', 'other']),
  })
  .meta({ title: 'Stackyard flag' });
export type Flag = z.infer<typeof Flag>;

/** A line of an export of flags; `received_at` is the exporting service's own time. */
export const FlagLine = z.strictObject({
  id: StatementId,
  received_at: Timestamp,
  flag: Flag,
  ci: CiOrigin.optional(),
});
