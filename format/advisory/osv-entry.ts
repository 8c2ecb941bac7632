/**
 * An entry of any OSV database, as far as it is evaluated: fields that are not listed are dropped. So an advisory
 * of a newer registry is read, and entries of other ecosystems.
 */
import { z } from 'zod';

const Event = z.object({
  introduced: z.string().optional(),
  fixed: z.string().optional(),
  last_affected: z.string().optional(),
  limit: z.string().optional(),
});

const Affected = z.object({
  package: z.object({ ecosystem: z.string(), name: z.string() }).optional(),
  ranges: z.array(z.object({ type: z.string(), events: z.array(Event) })).optional(),
  versions: z.array(z.string()).optional(),
});

export const OsvEntry = z
  .object({
    id: z.string().min(1).max(200),
    modified: z.string(),
    withdrawn: z.string().optional(),
    aliases: z.array(z.string()).nullish(),
    summary: z.string().optional(),
    severity: z.array(z.object({ type: z.string(), score: z.string() })).nullish(),
    affected: z.array(Affected).nullish(),
    references: z.array(z.object({ type: z.string(), url: z.string() })).nullish(),
  })
  .meta({ title: 'OSV entry' });
export type OsvEntry = z.infer<typeof OsvEntry>;
