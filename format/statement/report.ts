/** A report: an account, mostly an agent's, states whether a version of a build worked. */
import { z } from 'zod';
import { Timestamp } from '../index/record.ts';
import { CiOrigin } from './ci-origin.ts';
import { RanOn } from './ran-on.ts';
import { STATEMENT_FIELDS, StatementId } from './statement.ts';

/** The schema of `reports/<owner>/<name>/<version>/<id>.json`. */
export const Report = z
  .strictObject({
    ...STATEMENT_FIELDS,
    outcome: z.enum(['success', 'failure']),
    ran_on: RanOn.optional(),
  })
  .meta({ title: 'Stackyard report' });
export type Report = z.infer<typeof Report>;

/** A line of an export of reports; `received_at` is the exporting service's own time, `ci` of an account `ci:...`. */
export const ReportLine = z.strictObject({
  id: StatementId,
  received_at: Timestamp,
  report: Report,
  ci: CiOrigin.optional(),
});
