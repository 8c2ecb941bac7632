/**
 * `stackyard.lock.json`: what a project has from builds, and every edit that was made for them. It is
 * committed, may be edited by hand or by a hostile pull request, and is read as untrusted.
 */
import { z } from 'zod';
import { isBuildId } from './build/build-id.ts';
import { isFilePath } from './build/file-path.ts';
import { Integrity } from './index/record.ts';
import { isRange, isVersion } from './version/semver-range.ts';

export const LOCK_VERSION = 1;

const ProjectPath = z.string().refine(isFilePath, { error: 'not a safe relative path' });
const Id = z.string().refine(isBuildId, { error: 'not a build id' });
/** `added`: the client added the entry and may remove it; `kept`: the project already had its own. */
const Action = z.enum(['added', 'kept']);

const LockedFile = z.object({
  from: ProjectPath.describe('Path within the build.'),
  integrity: Integrity.describe('Digest of the file as it was shipped.'),
  mode: z.enum(['644', '755']),
});

const Placement = z.object({
  to: z
    .union([z.literal(''), ProjectPath])
    .optional()
    .describe('Folder that the user chose instead of "base".'),
  imports: z
    .enum(['relative', 'alias'])
    .optional()
    .describe('How imports of other builds are written; absent: as they were shipped.'),
  alias: z
    .string()
    .optional()
    .describe('Pattern of the alias of the project that imports are written with.'),
  rewritten: z
    .record(ProjectPath, Integrity)
    .default({})
    .describe('Path in the project to the digest of a file whose imports were rewritten.'),
});

const LockedBuild = z.object({
  version: z.string().refine(isVersion, { error: 'not a semver version' }),
  kind: z.enum(['module', 'foundation']),
  integrity: Integrity,
  requested: z
    .string()
    .refine(isRange, { error: 'not a semver range' })
    .optional()
    .describe('The range that the user asked for; absent when only other builds require it.'),
  required_by: z.array(Id).describe('Installed builds that require it, sorted.'),
  license: z.string(),
  base: z
    .union([z.literal(''), ProjectPath])
    .describe('Folder of the files as the build gives it; "" is the root.'),
  placement: Placement.optional().describe('Absent where the files are in "base" as shipped.'),
  requires: z.record(z.string(), z.string()).describe('Stack tag to range.'),
  provides: z.array(z.string()).describe('Stack tags that the build adds.'),
  builds: z.record(Id, z.string()).describe('Required build to range.'),
  files: z.record(ProjectPath, LockedFile).describe('Path in the project to what was placed.'),
  npm: z.record(
    z.string(),
    z.object({
      table: z.enum(['dependencies', 'devDependencies']),
      range: z.string().describe('As it stands in the file.'),
      wanted: z.string().optional().describe('What the build asks for, where it is another range.'),
      action: Action,
    }),
  ),
  pip: z.record(
    z.string(),
    z.object({
      file: ProjectPath,
      table: z.enum(['dependencies', 'devDependencies']),
      specifier: z.string().describe('As it stands in the file.'),
      wanted: z
        .string()
        .optional()
        .describe('What the build asks for, where it is another specifier.'),
      action: Action,
    }),
  ),
  scripts: z.record(z.string(), z.object({ value: z.string(), action: Action })),
  env: z.record(
    z.string(),
    z.object({
      text: z.string().optional().describe('The lines of .env.example as they were added.'),
      action: Action,
    }),
  ),
});

export const Lock = z
  .object({
    lockVersion: z.literal(LOCK_VERSION, {
      error: `this client reads lockVersion ${LOCK_VERSION}: a newer client wrote the lock`,
    }),
    registry: z.string().describe('Base address that the builds came from.'),
    builds: z.record(Id, LockedBuild),
    made: z
      .array(z.string().refine(isMadeMark, { error: 'not a folder, file or table of a project' }))
      .default([])
      .describe(
        // allow-word besides: the description is part of the index, which must not change
        'What was made besides the files of builds, and goes when it is empty: folders ("src/"), files (".env.example"), tables ("package.json#/scripts", "pyproject.toml#dependency-groups"); "package.json#/scripts{}" is a table that was there and written {}. Sorted.',
      ),
  })
  .meta({ title: 'Stackyard lock' });

/** `src/`, `.env.example`, `package.json#/scripts` or `pyproject.toml#dependency-groups.dev`. */
function isMadeMark(mark: string): boolean {
  return isFilePath(mark.replace(/(?:\/|#.*)$/s, ''));
}

export type Lock = z.infer<typeof Lock>;
export type LockedBuild = z.infer<typeof LockedBuild>;
