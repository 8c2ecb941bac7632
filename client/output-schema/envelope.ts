/** The form of what `--json` prints, as a schema: for `stackyard schema`, for `mcp` and for tests. */
import { z } from 'zod';

export const Warning = z.looseObject({
  code: z.string(),
  message: z.string(),
  path: z.string().describe('The file of the project that it is about; empty for none.'),
});

export const NextStep = z.looseObject({ command: z.string(), why: z.string() });

/** A fact or a conclusion, and because of what; one that was there before is referred to by its line. */
const DerivationTold = z.looseObject({
  text: z.string(),
  line: z.int().optional().describe('The number by which others refer to it.'),
  see: z.int().optional().describe('The line where it is derived.'),
  omitted: z.int().optional().describe('How many steps below it were left out.'),
  get because() {
    return z.array(DerivationTold).optional();
  },
});

export const ErrorTold = z.object({
  code: z
    .string()
    .regex(/^ERR_[A-Z_]+$/)
    .describe('Stable.'),
  message: z.string(),
  hint: z.string().describe('The way out; empty when there is none to tell.'),
  derivation: DerivationTold.optional().describe('Why no choice of versions is possible.'),
});

export const STATUSES = [
  'done',
  'noop',
  'planned',
  'different',
  'conflicts',
  'action_required',
  'error',
] as const;

/** The envelope of `command`, around data of the form `data`; it is empty where there is an error. */
export function envelopeSchema(command: string, data: z.ZodType): z.ZodType {
  const empty = z.strictObject({});
  return z
    .strictObject({
      schema: z.literal(`stackyard/${command}@1`),
      ok: z.boolean().describe('False for errors and for differences found.'),
      status: z.enum(STATUSES),
      data: z.union([data, empty]),
      warnings: z.array(Warning),
      error: ErrorTold.optional(),
      next: z.array(NextStep).describe('Commands that may follow.'),
    })
    .refine(({ ok, error }) => !ok || error === undefined, { error: 'ok with an error' });
}
