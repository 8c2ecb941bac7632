/** `registry.config.json`, at the root of a registry repository. Every field has a default. */
import { z } from 'zod';
import { Account } from './account.ts';
import { isBuildId, isBuildName } from '../build/build-id.ts';

/**
 * Reasons of the gate for which a pull request may be merged without an answer of an admin: they concern a
 * build itself. Changes of the registry, or of permissions, always need an admin.
 */
export const WAITING_REASONS = [
  'gate-capability',
  'gate-caution',
  'gate-first-build',
  'gate-name-like',
  'gate-name-twin',
  'gate-new-name',
  'gate-owner-near',
] as const;

export const RegistryConfig = z
  .strictObject({
    $schema: z.string().optional(),
    name: z.string().min(1).max(100).default('Stackyard registry'),
    base_url: z
      .union([z.literal(''), z.url({ protocol: /^https?$/ })])
      .default('')
      .describe('Public address of the index, without "/" at the end.'),
    repository: z
      .url({ protocol: /^(?:https|ssh)$/ })
      .optional()
      .describe('Address of the git repository that takes pull requests of publishers.'),
    admins: z.array(Account).default([]).describe('Accounts that may change any build.'),
    reserved_names: z
      .array(z.string().refine(isBuildName, { error: 'not a build name' }))
      .default([]),
    approved_names: z
      .array(z.string().refine(isBuildId, { error: 'not a build id' }))
      .default([])
      .describe('Ids of builds that may be called like another one.'),
    review_hours: z
      .int()
      .min(0)
      .max(8_760)
      .default(72)
      .describe('Within how many hours an admin looks at what the gate does not merge.'),
    waiting_hours: z
      .partialRecord(z.enum(WAITING_REASONS), z.int().min(1).max(8_760))
      .default({})
      .describe(
        'Reason to review to the hours after which it is merged if no admin holds it; without, one must approve.',
      ),
    acknowledged: z
      .record(z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/), z.string().min(1))
      .default({})
      .describe('Commits whose faults are known and no longer fail a run, with the reason.'),
  })
  .meta({ title: 'Stackyard registry configuration' });
export type RegistryConfig = z.infer<typeof RegistryConfig>;
