/** `list`: the installed builds and open conflicts, why a file is there, and the licences; without network. */
import { z } from 'zod';
import { RegistryOf, define, flag } from '../terminal/options.ts';
import { placeOf, type Lock, type LockedBuild } from '../../format/project/lock.ts';
import { ClientError } from '../errors.ts';
import { ENV_EXAMPLE, PACKAGE_JSON } from '../edit/edited-files.ts';
import { chooseProject } from '../project/choose-project.ts';
import { conflictWarnings } from '../project/open-conflicts.ts';
import { insidePath, readLock, requireLock } from '../project/project.ts';
import type { GlobalOptions, Outcome } from '../terminal/command.ts';
import { span, type StyledText } from '../terminal/styled-text.ts';

const NOTHING = 'No build is installed here: "stackyard add <owner>/<name>" installs one';

/**
 * The installed builds, sorted by id; empty without a lock.
 * @throws {ClientError} `ERR_LOCK`, `ERR_NO_PROJECT`
 */
function list(options: GlobalOptions): Outcome {
  const project = chooseProject(options);
  const builds = installedIn(project);
  const isSeveral = Object.keys(readLock(project)?.registries ?? {}).length > 1;
  const data = builds.map(([id, build]) => {
    const { version, kind, license, requested, required_by, base, files, placement } = build;
    const { source } = build;
    const { to } = placement ?? {};
    const from = isSeveral ? { registry: build.registry } : {};
    const count = Object.keys(files).length;
    const reason = { requested, required_by };
    return { id, version, kind, license, ...reason, base, to, files: count, source, ...from };
  });
  const text = builds.map(([id, build]): StyledText => {
    const place = placeOf(build);
    const where = place === '' ? 'the project root' : span('path', place);
    const from = isSeveral ? `from ${build.registry}, ` : '';
    const made = build.source === undefined ? [] : ['  from ', span('path', build.source)];
    const reason = span('faint', `(${reasonOf(build)})`);
    const [name, version] = [span('strong', id), span('number', build.version)];
    return [name, ' ', version, `  ${from}in `, where, '  ', reason, ...made];
  });
  const known = Object.entries(readLock(project)?.registries ?? {});
  const registries = known.map(([name, { origin, address }]) => {
    const count = builds.filter(([, build]) => build.registry === name).length;
    return { name, origin, address, builds: count };
  });
  const lines = text.length === 0 ? [NOTHING] : text;
  const warnings = conflictWarnings(project, { builds: Object.fromEntries(builds) });
  return { status: 'done', data: { builds: data, registries }, warnings, text: lines };
}

/**
 * Which build placed a file of the project, and why that build is installed.
 * @param path relative to the working folder, or absolute
 * @throws {ClientError} `ERR_USAGE` for a path outside the project, `ERR_NOT_INSTALLED` when no build
 * placed the file
 */
function why(path: string, options: GlobalOptions): Outcome {
  const project = chooseProject(options);
  const lock = requireLock(project);
  const inside = insidePath(project, path);
  if (inside === '' || inside.startsWith('../')) {
    throw new ClientError('ERR_USAGE', `"${path}" is not a file of the project in "${project}"`, {
      hint: 'give the path relative to the project',
    });
  }
  const owners = sorted(lock).filter(([, build]) => Object.hasOwn(build.files, inside));
  if (owners.length === 0) {
    const editors = sorted(lock).filter(([, build]) => hasEntryIn(build, inside));
    const ids = editors.map(([id]) => id).join(', ');
    throw new ClientError('ERR_NOT_INSTALLED', `No build placed "${inside}"`, {
      hint:
        ids === ''
          ? 'it is yours; "stackyard list" names the builds'
          : `it is yours; builds that have entries in it: ${ids}`,
    });
  }
  const data = owners.map(([id, build]) => {
    const { version, requested, required_by } = build;
    return { id, version, from: build.files[inside]!.from, requested, required_by };
  });
  const text = owners.map(([id, build]): StyledText => {
    const [name, version] = [span('strong', id), span('number', build.version)];
    const reason = span('faint', `(${reasonOf(build)})`);
    const file = `: "${build.files[inside]!.from}" of `;
    return [span('path', inside), file, name, ' ', version, ' ', reason];
  });
  return { status: 'done', data: { path: inside, builds: data }, text };
}

/**
 * The licence of each installed build; empty without a lock.
 * @throws {ClientError} `ERR_LOCK`, `ERR_NO_PROJECT`
 */
function licenses(options: GlobalOptions): Outcome {
  const builds = installedIn(chooseProject(options));
  const byLicense = Map.groupBy(builds, ([, { license }]) => license);
  const groups = [...byLicense].sort(([a], [b]) => (a < b ? -1 : 1));
  const data = groups.map(([license, group]) => {
    return { license, builds: group.map(([id, { version }]) => ({ id, version })) };
  });
  const text = groups.map(([license, group]) => {
    return `${license}: ${group.map(([id, { version }]) => `${id} ${version}`).join(', ')}`;
  });
  return { status: 'done', data: { licenses: data }, text: text.length === 0 ? [NOTHING] : text };
}

function installedIn(project: string): [string, LockedBuild][] {
  const lock = readLock(project);
  return lock === undefined ? [] : sorted(lock);
}

/** Whether a build added packages, scripts or variables to a file of the project. */
function hasEntryIn({ npm, scripts, pip, env }: LockedBuild, path: string): boolean {
  if (path === PACKAGE_JSON) return Object.keys({ ...npm, ...scripts }).length > 0;
  if (path === ENV_EXAMPLE) return Object.keys(env).length > 0;
  return Object.values(pip).some(({ file }) => file === path);
}

function sorted({ builds }: Lock): [string, LockedBuild][] {
  return Object.entries(builds).sort(([a], [b]) => (a < b ? -1 : 1));
}

function reasonOf({ requested, required_by }: LockedBuild): string {
  const reasons = requested === undefined ? [] : [`requested ${requested}`];
  if (required_by.length > 0) reasons.push(`required by ${required_by.join(', ')}`);
  return reasons.length === 0 ? 'no longer required' : reasons.join(', ');
}

const Reason = {
  requested: z.string().optional().describe('The range that the user requested.'),
  required_by: z.array(z.string()),
};

export const command = define({
  description: 'Lists the installed builds with their versions, and why each is installed',
  input: z.object({
    path: z
      .string()
      .max(400)
      .optional()
      .meta({
        description: 'only the build that placed this file of the project',
        isArgument: true,
        suggests: ['@placed'],
      }),
    licenses: flag('list the licences instead'),
  }),
  output: z.union([
    z.looseObject({
      builds: z.array(
        z.looseObject({
          id: z.string(),
          version: z.string(),
          kind: z.enum(['module', 'foundation']),
          license: z.string(),
          ...Reason,
          base: z.string(),
          files: z.int(),
          ...RegistryOf,
          source: z.string().optional().describe('Where a local build came from.'),
        }),
      ),
      registries: z.array(
        z.looseObject({
          name: z.string(),
          origin: z.string().optional().describe('The name that it has at all its addresses.'),
          address: z.string(),
          builds: z.int().describe('How many builds came from it.'),
        }),
      ),
    }),
    z
      .looseObject({
        path: z.string(),
        builds: z.array(
          z.looseObject({ id: z.string(), version: z.string(), from: z.string(), ...Reason }),
        ),
      })
      .describe('With a path.'),
    z
      .looseObject({
        licenses: z.array(
          z.looseObject({
            license: z.string(),
            builds: z.array(z.looseObject({ id: z.string(), version: z.string() })),
          }),
        ),
      })
      .describe('With --licenses.'),
  ]),
  examples: ['list -C my-app', 'list src/sqlite/index.ts'],
  run: async ({ path, licenses: isAboutLicences }, shared) => {
    if (path === undefined) return isAboutLicences ? licenses(shared) : list(shared);
    if (!isAboutLicences) return why(path, shared);
    throw new ClientError('ERR_USAGE', 'Option --licenses is not for one file', {
      hint: 'leave the path or --licenses out',
    });
  },
});
