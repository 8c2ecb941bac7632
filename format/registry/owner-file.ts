/** `builds/<owner>/owner.json`: who may publish for an owner, and which versions are yanked, withdrawn or taken down. */
import { z } from 'zod';
import { Account } from './account.ts';
import { isBuildId, isBuildName } from '../build/build-id.ts';
import { tryParseDay } from '../statement/day.ts';
import { isVersion } from '../version/version.ts';

const Name = z.string().refine(isBuildName, { error: 'not a build name' });
const Version = z.string().refine(isVersion, { error: 'not a semver version' });
const Id = z.string().refine(isBuildId, { error: 'not a build id' });
const Day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .refine((text) => tryParseDay(text) !== undefined, { error: 'not a date' });
const Reason = z.string().min(1).max(300);

const VersionOrWhole = z.string().refine((text) => text === '*' || isVersion(text), {
  error: 'neither a semver version nor "*"',
});

/** The statement of a take-down. It is public permanently: it must not have what is taken down. */
export const TakeDown = z.strictObject({
  reason: Reason,
  date: Day.describe('When it was decided.'),
  reference: Reason.describe('Of the order or request, such as a file number.'),
});
export type TakeDown = z.infer<typeof TakeDown>;

export const OwnerFile = z
  .strictObject({
    $schema: z.string().optional(),
    account_id: z.int().positive().optional().describe('Numeric account; survives a rename.'),
    maintainers: z.array(Account).optional().describe('Accounts that may publish as well.'),
    yanked: z
      .record(Name, z.record(Version, Reason))
      .optional()
      .describe('Build name to version to reason.'),
    withdrawn: z
      .record(Name, z.record(Version, Reason))
      .optional()
      .describe('Build name to version to reason: gone permanently, shortly after publication.'),
    taken_down: z
      .record(Name, z.record(VersionOrWhole, TakeDown))
      .optional()
      .describe(
        'Build name to version, or "*" for the whole build, to the statement of an admin: gone permanently, at any time.',
      ),
    deprecated: z
      .record(
        Name,
        z.strictObject({
          reason: Reason,
          replacement: Id.optional(),
        }),
      )
      .optional(),
    moved: z
      .record(Name, z.strictObject({ to: Id, since: Day }))
      .optional()
      .describe('Build name to the id under which it goes on, once its owner accepts it.'),
    accepts: z
      .record(Name, Id)
      .optional()
      .describe('Build name to the id of the build that goes on under it.'),
  })
  .meta({ title: 'Stackyard owner file' });
export type OwnerFile = z.infer<typeof OwnerFile>;
