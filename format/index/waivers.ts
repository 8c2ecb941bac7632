/** `/builds/<owner>/<name>/waivers.json`: the findings that an admin accepted, which do not count for the risk. */
import { z } from 'zod';
import { isBuildId } from '../build/build-id.ts';

export const Waived = z.object({
  reason: z.string().min(1).max(300),
  by: z
    .string()
    .regex(/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,37}[A-Za-z0-9])?$/)
    .describe('Login of the admin.'),
  at: z.iso.date().describe('The day, in UTC.'),
});
export type Waived = z.infer<typeof Waived>;

/** Served only where something is accepted. */
export const Waivers = z
  .object({
    id: z.string().refine(isBuildId, { error: 'not a build id' }),
    versions: z
      .array(
        z.object({
          version: z.string(),
          findings: z
            .array(
              Waived.extend({
                code: z.string(),
                file: z.string().describe('Path within the build.'),
              }),
            )
            .min(1)
            .describe('Code and file of a finding of the record, and who accepted it.'),
        }),
      )
      .min(1)
      .describe('Highest version first.'),
  })
  .meta({ title: 'Stackyard waivers' });
export type Waivers = z.infer<typeof Waivers>;

/** Who accepted a finding of a version; `undefined` where nobody did. */
export function waiverOf(
  waivers: Waivers | undefined,
  version: string,
  { code, file }: { readonly code: string; readonly file: string },
): Waived | undefined {
  return waivers?.versions
    .find((one) => one.version === version)
    ?.findings.find((one) => one.code === code && one.file === file);
}

/** ` (accepted by root on 2026-03-01: the reason)`; `""` for a finding that counts. */
export function describeWaived(waived: Waived | undefined): string {
  return waived === undefined
    ? ''
    : ` (accepted by ${waived.by} on ${waived.at}: ${waived.reason})`;
}
