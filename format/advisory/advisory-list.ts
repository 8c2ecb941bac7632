/** `/advisories/all.json`: every advisory of a registry in a few fields. */
import { z } from 'zod';
import { isBuildId } from '../build/build-id.ts';

export const AdvisoryList = z
  .object({
    advisories: z
      .array(
        z.object({
          id: z.string(),
          modified: z.string(),
          withdrawn: z.string().optional(),
          summary: z.string(),
          builds: z.array(z.string().refine(isBuildId, { error: 'not a build id' })).min(1),
        }),
      )
      .describe('Sorted by id; withdrawn ones stay.'),
  })
  .meta({ title: 'Stackyard list of advisories' });
export type AdvisoryList = z.infer<typeof AdvisoryList>;
