/** The JSON document that `--json` prints, as a schema: for `mcp` and for tests. */
import { z } from 'zod';

const Warning = z.looseObject({
  code: z.string(),
  message: z.string(),
  path: z.string().describe('The file of the project that it is about; empty for none.'),
});

export const NextStep = z.looseObject({ command: z.string(), why: z.string() });
/** A command that may follow, and what it is for. */
export type NextStep = z.infer<typeof NextStep>;

/** A fact or a conclusion, and because of what; a repeated one refers to its line. */
export const EnvelopeError = z.object({
  code: z
    .string()
    .regex(/^ERR_[A-Z_]+$/)
    .describe('Stable.'),
  message: z.string(),
  hint: z.string().describe('What to do about it; may be empty.'),
  question: z
    .object({
      lines: z.array(z.string()).readonly(),
      choices: z.array(z.object({ key: z.string(), label: z.string() })),
    })
    .optional()
    .describe('As a terminal gets it; "hint" has the option that answers it.'),
});
export type EnvelopeError = z.infer<typeof EnvelopeError>;

export const STATUSES = [
  'done',
  'noop',
  'planned',
  'different',
  'conflicts',
  'action_required',
  'error',
] as const;

const AnyEnvelope = z.strictObject({
  // `stackyard/<command>@1`: the number changes when old readers cannot read the new form.
  schema: z.string(),
  ok: z.boolean().describe('False for errors and for differences found.'),
  status: z.enum(STATUSES),
  data: z.custom<object>(),
  warnings: z.array(Warning),
  error: EnvelopeError.optional(),
  next: z.array(NextStep).describe('Commands that may follow.'),
});
/** The document that any command prints. */
export type Envelope = Readonly<z.infer<typeof AnyEnvelope>>;

/** The schema of the envelope of `command` with data of the schema `data`; after an error, data may be empty. */
export function envelopeSchema(command: string, data: z.ZodType): z.ZodType {
  return AnyEnvelope.extend({
    schema: z.literal(`stackyard/${command}@1`),
    data: z.union([data, z.strictObject({})]),
  }).refine(({ ok, error }) => !ok || error === undefined, { error: 'ok with an error' });
}
