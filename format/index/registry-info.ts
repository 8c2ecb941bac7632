/** `/registry.json` describes the registry. It is written last, so it always refers to a complete index. */
import { z } from 'zod';

/** The version of the static interface. Additions keep it, removals raise it. */
export const INTERFACE_VERSION = 1;

export const RegistryInfo = z
  .object({
    name: z.string(),
    interface: z.int(),
    base_url: z.string().describe('"" when the registry has no public address.'),
    source_commit: z.string().describe('The commit that the index was generated from.'),
    builds: z.int(),
    versions: z.int(),
    repository: z
      .string()
      .optional()
      .describe('Address of the git repository that takes pull requests of publishers.'),
    client: z
      .object({
        version: z.string(),
        path: z
          .string()
          .describe('Relative to this document; the file "stackyard.tgz" beside it is the same.'),
        integrity: z.string(),
      })
      .optional()
      .describe('The client that the registry serves, as an npm package.'),
  })
  .meta({ title: 'Stackyard registry' });
export type RegistryInfo = z.infer<typeof RegistryInfo>;

/** The schema of `/owners/<owner>.json`. */
export const OwnerInfo = z
  .object({
    owner: z.string(),
    account_id: z.int().optional().describe('Numeric account at the code host.'),
    builds: z.array(z.string()).describe('Ids, sorted.'),
    reputation: z.number(),
    reputation_parts: z.record(z.string(), z.number()).describe('Explained in docs/scoring.md.'),
  })
  .meta({ title: 'Stackyard owner' });
export type OwnerInfo = z.infer<typeof OwnerInfo>;
