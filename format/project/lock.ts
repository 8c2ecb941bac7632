/**
 * `stackyard.lock.json`: what a project has from builds, and every edit that was made for them. It is
 * committed, may be edited by hand or by a hostile pull request, and is read as untrusted.
 */
import { z } from 'zod';
import { isOsvId } from '../advisory/advisory.ts';
import { isBuildId } from '../build/build-id.ts';
import { isFilePath } from '../build/file-path.ts';
import { parseDocument } from '../document/document.ts';
import { Integrity } from '../index/record.ts';
import { MinAgeHours } from '../index/registry-info.ts';
import { DEFAULT_REGISTRY_NAME, isRegistryName } from '../registry/registry-name.ts';
import { isNoteKey } from '../log/note-key.ts';
import { isRange } from '../version/semver-range.ts';
import { isVersion } from '../version/version.ts';
import { WIRE_VERBS } from '../wiring/wire-info.ts';

/** A path from the project or an absolute one; older clients also recorded addresses. */
const PLACE = /^(?:\.{1,2}(?:\/|$)|\/|[A-Za-z]:\/|https?:\/\/)\P{Cc}{0,1000}$/u;

export const LOCK_VERSION = 2;

const ProjectPath = z.string().refine(isFilePath, { error: 'not a safe relative path' });
const Id = z.string().refine(isBuildId, { error: 'not a build id' });
/** `added`: the client added the entry and may remove it; `kept`: the project already had its own. */
const Action = z.enum(['added', 'kept']);
const Dev = z
  .literal(true)
  .optional()
  .describe('The build needs it for development only, and the entry is of run time.');

const LockedFile = z.object({
  from: ProjectPath.describe('Path within the build.'),
  integrity: Integrity.describe('Digest of the file as it was shipped.'),
  mode: z.enum(['644', '755']),
  conflict: z.int().min(7).optional().describe('The length of the conflict markers in it.'),
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
  form: z
    .enum(['esm', 'mjs', 'cjs', 'bare', 'bundled'])
    .optional()
    .describe(
      'Types were removed: ES modules in .js or .mjs files, or CommonJS; "bare": TypeScript whose imports have no ending; "bundled": the same for a bundler.',
    ),
  style: z
    .literal('project')
    .optional()
    .describe('Files were placed in the style of the project, which its own fixers make.'),
  rewritten: z
    .record(ProjectPath, Integrity)
    .default({})
    .describe('Path in the project to the digest of a file whose imports or style were rewritten.'),
});

const NO_NAME = 'not a name of a registry: lower-case letters, digits and dashes, at most 40';
const RegistryName = z.string().refine(isRegistryName, { error: NO_NAME });

const LogKey = z.string().max(400).refine(isNoteKey, { error: 'not a public key of a log' });

export const LogPolicy = z.object({
  key: LogKey.optional().describe('The public key that must sign it.'),
  witnesses: z
    .object({
      count: z.int().min(1).max(16).describe('How many of them must confirm each state.'),
      keys: z.array(LogKey).min(1).max(16),
    })
    .refine(({ count, keys }) => count <= keys.length, { error: 'demands more than it names' })
    .optional()
    .describe('Who must have confirmed what it shows.'),
});

const LockedRegistry = z.object({
  origin: z
    .string()
    .regex(/^[!-~]{1,10000}$/, { error: 'not an origin' })
    .optional()
    .describe('The name that the registry has at all its addresses. Absent: it was not read yet.'),
  address: z.string().describe('Base address that its builds come from.'),
  via: RegistryName.optional().describe(
    'The registry that names this one as upstream; absent for one that the user named.',
  ),
  log: LogPolicy.optional().describe('What its transparency log must have; absent: a signature.'),
});

const LockedWiring = z.object({
  step: z.int().min(1).describe('Number of the step in INTEGRATION.md.'),
  verb: z.enum(WIRE_VERBS),
  target: z.string().max(1000).describe('As the guide has it: a role or a path.'),
  anchor: z.string().max(200).optional(),
  block: Integrity.describe('Digest of the block as it was shipped.'),
  file: ProjectPath.describe('The file of the project that has it.'),
  text: z.string().describe('As it was put in, with what separates it from the rest.'),
  action: Action,
});

export const LockedLog = z.object({
  index: z.int().min(0).describe('The entry that published it.'),
  commit: z.string().max(64),
  tree: z.string().max(64),
  published_at: z.string().max(40),
  key: z.string().max(400).describe('The public key that signed the checkpoint.'),
  checkpoint: z.string().max(100_000).describe('A signed state of the log that has the entry.'),
  proof: z.array(z.string().max(44)).max(63).describe('Hashes from the entry to its root, base64.'),
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
      dev: Dev,
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
      dev: Dev,
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
  log: LockedLog.optional().describe(
    'What the transparency log of the registry proves about the version.',
  ),
  wiring: z
    .array(LockedWiring)
    .optional()
    .describe('Steps of INTEGRATION.md that were carried out; absent: the user does them.'),
  source: z
    .string()
    .regex(PLACE, { error: 'not a place' })
    .optional()
    .describe(
      'Where it came from instead of a registry: a folder or tarball, as a path from the project. An update replaces it by the published version.',
    ),
  registry: RegistryName.describe('The registry that it came from, a name in "registries".'),
});

const Made = z
  .array(z.string().refine(isMadeMark, { error: 'not a folder, file or table of a project' }))
  .default([])
  .describe(
    'What was made besides the files of builds, and goes when it is empty: folders ("src/"), files (".env.example"), tables ("package.json#/scripts", "pyproject.toml#dependency-groups"); "package.json#/scripts{}" is a table that was there and written {}. Sorted.',
  );

const AdvisoryId = z.string().refine(isOsvId, { error: 'not an id of an advisory' });

const Ignored = z.object({
  reason: z.string().min(1).max(300),
  builds: z.array(Id).min(1).describe('It is ignored for these alone, sorted.'),
});

const LockedProof = z.object({
  of: z
    .array(z.string().max(500))
    .max(1_000)
    .describe('The builds of the change, with their versions.'),
  is_good: z.boolean(),
  facts: z.array(z.string().max(600)).max(100).describe('What ran, with its result.'),
});

export const Lock = z
  .object({
    lockVersion: z.literal(LOCK_VERSION, {
      error: `this client reads lockVersion ${LOCK_VERSION}: another version of it wrote the lock`,
    }),
    registries: z
      .record(RegistryName, LockedRegistry, {
        error: ({ code }) => (code === 'invalid_key' ? NO_NAME : undefined),
      })
      .describe('Name in the project to registry; "default" is the one that needs no name.'),
    builds: z.record(Id, LockedBuild),
    ignored: z
      .record(AdvisoryId, Ignored)
      .optional()
      .describe('Advisories that are not reported, by id.'),
    min_age_hours: MinAgeHours.describe('No version younger than this is chosen.'),
    proof: LockedProof.optional().describe(
      'What was run in the project before and after the last change of builds, on the machine of the user who made it.',
    ),
    made: Made,
  })
  .superRefine(checkRegistries)
  .meta({ title: 'Stackyard lock' });

export type Lock = z.infer<typeof Lock>;
export type LockedBuild = z.infer<typeof LockedBuild>;
export type LockedWiring = z.infer<typeof LockedWiring>;
export type LockedLog = z.infer<typeof LockedLog>;
export type LockedRegistry = z.infer<typeof LockedRegistry>;
export type LogPolicy = z.infer<typeof LogPolicy>;

/** @param name of the file, for messages @throws {FormatError} `ERR_DOCUMENT` */
export function parseLock(bytes: Uint8Array, name: string): Lock {
  return parseDocument(Lock, bytes, name);
}

/** The address of the registry that needs no name; `undefined` when the project has none. */
export function defaultAddress(lock: Pick<Lock, 'registries'> | undefined): string | undefined {
  return lock?.registries[DEFAULT_REGISTRY_NAME]?.address;
}

interface Registries {
  readonly registries: Readonly<Record<string, LockedRegistry>>;
  readonly builds: Readonly<Record<string, { readonly registry: string }>>;
}

/** An owner has one registry, and an origin one name: so an id means one thing in a project. */
function checkRegistries({ registries, builds }: Registries, context: z.RefinementCtx): void {
  const refuse = (path: string[], message: string): void => {
    context.addIssue({ code: 'custom', path, message });
  };
  const names = new Map<string, string>();
  for (const [name, { origin }] of Object.entries(registries)) {
    if (origin === undefined) continue;
    const other = names.get(origin);
    if (other !== undefined) {
      refuse(['registries', name], `has the origin "${origin}", as "${other}" has`);
    }
    names.set(origin, name);
  }
  const owners = new Map<string, string>();
  for (const [id, { registry }] of Object.entries(builds)) {
    const path = ['builds', id, 'registry'];
    if (!Object.hasOwn(registries, registry)) refuse(path, `"registries" has no "${registry}"`);
    const owner = id.slice(0, id.indexOf('/'));
    const other = owners.get(owner);
    if (other !== undefined && other !== registry) {
      refuse(path, `"${owner}" has builds from "${other}": an owner belongs to one registry`);
    }
    owners.set(owner, other ?? registry);
  }
}

/** `src/`, `.env.example`, `package.json#/scripts` or `pyproject.toml#dependency-groups.dev`. */
function isMadeMark(mark: string): boolean {
  return isFilePath(mark.replace(/(?:\/|#.*)$/s, ''));
}

/** Where a locked build is in its project, and what was placed there when its imports were rewritten. */
type Placed = Pick<LockedBuild, 'base' | 'files' | 'placement'>;

/** The folder of the files in the project; "" is the root. */
export function placeOf({ base, placement }: Pick<Placed, 'base' | 'placement'>): string {
  return placement?.to ?? base;
}

/** The digest of a file as it was placed: that of the shipped file, unless its imports were rewritten. */
export function placedIntegrity({ files, placement }: Placed, path: string): string | undefined {
  const rewritten = placement?.rewritten ?? {};
  return Object.hasOwn(rewritten, path) ? rewritten[path] : files[path]?.integrity;
}
