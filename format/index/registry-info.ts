/** `/registry.json` describes the registry. It is written last, so it always refers to a complete index. */
import { z } from 'zod';
import { Origin } from './origin.ts';
import { ReportService } from './report-service.ts';

/** The version of the static interface. Additions keep it, removals raise it. */
export const INTERFACE_VERSION = 1;

/** How many other registries a registry may look requirements up in. */
export const MAX_UPSTREAMS = 10;

const Upstream = z.object({
  origin: Origin,
  address: z.string().max(1000).describe('Base address, without "/" at the end.'),
});

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
    origin: Origin.optional().describe(
      'The name of the registry, the same at all its mirrors. Absent: host and path of the address.',
    ),
    // An address that no token may go to is none: the rest of the document stays readable.
    reports: ReportService.optional()
      .catch(undefined)
      .describe('The account service that takes reports; projects accept its address.'),
    upstreams: z
      .array(Upstream)
      .max(MAX_UPSTREAMS)
      .optional()
      .describe('Registries in which requirements are looked up after this one, in order.'),
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
    log: z
      .object({
        origin: z.string().max(300).describe('The name of the log.'),
        key: z.string().max(400).optional().describe('Its public key; absent: it is not signed.'),
      })
      .optional()
      .describe('The transparency log below "log/".'),
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
