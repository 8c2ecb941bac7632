/** The schema of what `advisories` prints with `--json`. */
import { z } from 'zod';

export const AdvisoriesOutput = z.looseObject({
  advisories: z.array(
    z.looseObject({
      id: z.string(),
      build: z.string(),
      version: z.string(),
      package: z
        .looseObject({ ecosystem: z.string(), name: z.string(), range: z.string() })
        .optional()
        .describe('The package that the version brings and that it is about; absent: the build.'),
      good: z.string().optional().describe('The first version that no advisory is about.'),
      ignored: z.string().optional().describe('Why the project ignores it.'),
      summary: z
        .string()
        .optional()
        .describe('Absent where the document cannot be read, such as without network.'),
      aliases: z.array(z.string()).optional(),
      severity: z.array(z.looseObject({ type: z.string(), score: z.string() })).optional(),
      references: z.array(z.string()).optional().describe('Addresses.'),
    }),
  ),
});
