/** `builds/<owner>/owner.json`: who may publish for an owner, and which versions are yanked. */
import { z } from 'zod';
import { Account } from './account.ts';
import { isBuildId, isBuildName } from '../build/build-id.ts';
import { isVersion } from '../version/semver-range.ts';

const Name = z.string().refine(isBuildName, { error: 'not a build name' });
const Version = z.string().refine(isVersion, { error: 'not a semver version' });
const Reason = z.string().min(1).max(300);

export const OwnerFile = z
  .strictObject({
    $schema: z.string().optional(),
    account_id: z.int().positive().optional().describe('Numeric account; survives a rename.'),
    maintainers: z.array(Account).optional().describe('Accounts that may publish as well.'),
    yanked: z
      .record(Name, z.record(Version, Reason))
      .optional()
      .describe('Build name to version to reason.'),
    deprecated: z
      .record(
        Name,
        z.strictObject({
          reason: Reason,
          replacement: z.string().refine(isBuildId, { error: 'not a build id' }).optional(),
        }),
      )
      .optional(),
  })
  .meta({ title: 'Stackyard owner file' });
export type OwnerFile = z.infer<typeof OwnerFile>;
