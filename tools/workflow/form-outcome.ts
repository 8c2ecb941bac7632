/**
 * What became of an issue form. Two jobs hand it to each other: the one that reads the form, which may write
 * nothing, and the one that files and answers, which reads nothing of the issue's text.
 */
import { z } from 'zod';
import { Flag } from '../../format/statement/flag.ts';
import { Report } from '../../format/statement/report.ts';

const Issue = { issue: z.int().positive(), author: z.int().positive() } as const;

export const FormOutcome = z.discriminatedUnion('outcome', [
  z.strictObject({ outcome: z.literal('ignored'), why: z.string().max(200) }),
  z.strictObject({ outcome: z.literal('mend'), ...Issue, problem: z.string().max(10_000) }),
  z.strictObject({ outcome: z.literal('reports'), ...Issue, statement: Report }),
  z.strictObject({ outcome: z.literal('flags'), ...Issue, statement: Flag }),
]);
export type FormOutcome = z.infer<typeof FormOutcome>;

/** Set on an issue whose statement stands in the repository: it is read no more. */
export const FILED_LABEL = 'signal: filed';
