/** `diff`: the user's edits of installed files, or the changes of the newest version. */
import { formatPatch, structuredPatch } from 'diff';
import { z } from 'zod';
import type { Lock } from '../../format/project/lock.ts';
import { followMovedFiles, buildsThatMoved } from '../change/follow-moved-files.ts';
import { compareInstalled } from '../change/installed-files.ts';
import { withLf } from '../edit/project-file.ts';
import { ClientError } from '../errors.ts';
import { targetPath } from '../plan/files.ts';
import { placeBuilds } from '../plan/place/place-builds.ts';
import { installedIds } from '../search/short-ids.ts';
import type { FetchedBuild } from '../plan/plan.ts';
import { chooseProject } from '../project/choose-project.ts';
import { openProjectCode } from '../project/project-code.ts';
import { requireLock } from '../project/project.ts';
import { fetchBuilds, fetchInstalled, fetchShipped } from '../change/fetch-builds.ts';
import { withRegistry } from '../registry/open-registry.ts';
import type { Registries } from '../registry/registries.ts';
import { solve } from '../change/solve.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';
import { define, flag } from '../terminal/options.ts';
import { type Role, span, type StyledText } from '../terminal/styled-text.ts';

const Input = z.object({
  what: z
    .array(z.string().max(400))
    .max(1_000)
    .default([])
    .meta({
      description: 'ids of installed builds, or paths of the project; none means all',
      isArgument: true,
      suggests: ['@installed'],
    }),
  upstream: flag('compare the installed version with the newest that fits'),
});

type DiffOptions = GlobalOptions & Omit<z.infer<typeof Input>, 'what'>;

/** Both sides of a file; a missing side is `undefined`. */
interface Sides {
  readonly build: string;
  readonly path: string;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
  readonly labels: readonly [string, string];
}

/** What differs, and the files that do so in their formatting alone. */
interface Found {
  readonly sides: readonly Sides[];
  readonly reformatted: readonly Pick<Sides, 'build' | 'path'>[];
}

/** Time limit for the comparison of one file. */
const TIMEOUT_MS = 1000;

/**
 * @param only ids of builds and paths of the project; empty for all
 * @throws {ClientError} `ERR_LOCK`, `ERR_NOT_INSTALLED`, and those of the registry
 */
export async function diff(
  only: readonly string[],
  options: DiffOptions,
  context: CommandContext,
): Promise<Outcome> {
  const project = chooseProject(options);
  const recorded = requireLock(project);
  const { sides, reformatted } = await withRegistry(
    options,
    recorded,
    context,
    (registry): Promise<Found> =>
      options.upstream
        ? upstreamSides(project, recorded, registry, only)
        : projectSides(project, recorded, registry, only, context),
    options.upstream ? 'project' : 'pinned',
  );
  const files = sides.map(describe);
  const but = reformatted.length === 0 ? '' : `; only reformatted: ${reformatted.length}`;
  return {
    status: 'done',
    data: {
      files: files.map(({ build, path, state, hunks }) => ({ build, path, state, hunks })),
      ...(reformatted.length === 0 ? {} : { reformatted }),
    },
    isVerbatim: true,
    text: files.length === 0 ? [`No difference${but}`] : files.flatMap(({ text }) => text),
  };
}

type IsWanted = (id: string, path: string) => boolean;

function choose(only: readonly string[], lock: Lock): IsWanted {
  const paths = new Set(Object.values(lock.builds).flatMap(({ files }) => Object.keys(files)));
  const normal = only.map((name) => name.replace(/^\.\//, ''));
  const unknown = normal.find((name) => lock.builds[name] === undefined && !paths.has(name));
  if (unknown !== undefined) {
    throw new ClientError(
      'ERR_NOT_INSTALLED',
      `"${unknown}" is neither an installed build nor a file of one`,
      {
        hint: 'give ids such as "alice/web", or paths from the project root; "stackyard list" shows the builds',
      },
    );
  }
  return (id, path) => normal.length === 0 || normal.includes(id) || normal.includes(path);
}

/** The shipped and the present files; downloads only builds with a changed file. */
async function projectSides(
  project: string,
  recorded: Lock,
  registry: Registries,
  only: readonly string[],
  { signal }: CommandContext,
): Promise<Found> {
  const { lock, changed } = await compareInstalled(project, recorded, {
    read: (builds) => fetchShipped(registry, builds),
    choose: (followed) => choose(only, followed),
    needsText: ({ state }) => state !== 'reformatted',
    withProjects: true,
    signal,
  });
  const sides = changed.flatMap(
    ({ build, path, state, placed, own, present, problem }): Sides[] => {
      if (state === 'reformatted') return [];
      if (problem !== undefined) throw problem;
      const labels = [`${build} ${lock.builds[build]!.version}`, 'yours'] as const;
      const before = placed && withLf(placed.bytes);
      return [{ build, path, before, after: own ?? (present && withLf(present)), labels }];
    },
  );
  const reformatted = changed.filter(({ state }) => state === 'reformatted');
  return { sides, reformatted: reformatted.map(({ build, path }) => ({ build, path })) };
}

/** The files of the installed versions and of those that an update would choose. */
async function upstreamSides(
  project: string,
  recorded: Lock,
  registry: Registries,
  only: readonly string[],
): Promise<Found> {
  const away = await fetchShipped(registry, buildsThatMoved(project, recorded));
  const code = openProjectCode(project);
  const { lock } = await followMovedFiles(project, recorded, away.builds, code);
  const isWanted = choose(only, lock);
  const installed = Object.entries(lock.builds);
  const movable = new Map(
    installed.map(([id, { version }]) => [id, { version, requirement: 'raise' }] as const),
  );
  const requests = installed.flatMap(([id, { requested }]) =>
    requested === undefined ? [] : [{ id, range: requested }],
  );
  const solution = await solve({ project, isNew: false, registry, requests, lock, movable });
  const newer = [...solution.versions].filter(([id, { version }]) => {
    return lock.builds[id] !== undefined && lock.builds[id].version !== version;
  });
  const builds = await fetchBuilds(registry, newer);
  const ids = newer.map(([id]) => id);
  const old = await fetchInstalled(registry, lock, ids);
  const bases = new Map(old.map((build) => [build.id, build]));
  const change = { builds, bases, leaving: new Set<string>(), lock };
  const placed = await placeBuilds(change, {}, code);
  const sides = placed.builds.flatMap((build) =>
    bothVersions(placed.bases.get(build.id)!, build, isWanted),
  );
  return { sides: sides.filter((one) => !isSame(one.before, one.after)), reformatted: [] };
}

function bothVersions(before: FetchedBuild, after: FetchedBuild, isWanted: IsWanted): Sides[] {
  const byPath = (build: FetchedBuild): Map<string, Uint8Array> =>
    new Map([...build.files].map(([from, { bytes }]) => [targetPath(build, from), bytes]));
  const [old, fresh] = [byPath(before), byPath(after)];
  const paths = [...new Set([...old.keys(), ...fresh.keys()])].sort();
  return paths
    .filter((path) => isWanted(after.id, path))
    .map((path) => ({
      build: after.id,
      path,
      before: old.get(path),
      after: fresh.get(path),
      labels: [`${before.id} ${before.version}`, `${after.id} ${after.version}`] as const,
    }));
}

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : Buffer.compare(a, b) === 0;
}

/** `hunks` are absent for binary files and files that take too long to compare. */
function describe({ build, path, before, after, labels }: Sides) {
  const state = before === undefined ? 'added' : after === undefined ? 'deleted' : 'changed';
  const [old = '', fresh = ''] = [before, after].map((side) => Buffer.from(side ?? []).toString());
  const isText = [before, after].every((side) => side?.includes(0) !== true);
  const options = { timeout: TIMEOUT_MS, context: 3 };
  const names = [`a/${path}`, `b/${path}`, old, fresh, ...labels] as const;
  const patch = isText ? structuredPatch(...names, options) : undefined;
  // The first line is a separator that a patch does not need.
  const lines = patch && formatPatch(patch).replace(/^=+\n/, '').trimEnd().split('\n');
  const text = lines?.map((line, at): StyledText => {
    const role = at < 2 ? 'strong' : ROLES[line.slice(0, 1)];
    return role === undefined ? line : [span(role, line)];
  });
  return {
    build,
    path,
    state,
    hunks: patch?.hunks,
    text: text ?? [`Binary file ${path}: ${state}`],
  };
}

/** Of the lines below the names of both sides. */
const ROLES: Readonly<Record<string, Role>> = { '+': 'added', '-': 'removed', '@': 'path' };

export const command = define({
  description:
    'Shows your edits of installed files as a patch, of all builds or of some builds or paths; not what stackyard itself put in, and not formatting',
  input: Input,
  output: z.looseObject({
    files: z.array(
      z.looseObject({
        build: z.string(),
        path: z.string(),
        state: z.string().describe('"added", "deleted", "changed".'),
        hunks: z.array(z.looseObject({})).optional().describe('Absent for what is not text.'),
      }),
    ),
    reformatted: z
      .array(z.looseObject({ build: z.string(), path: z.string() }))
      .optional()
      .describe('Files that differ only in their formatting.'),
  }),
  examples: ['diff stackyard/account -C my-app'],
  run: ({ what, ...input }, shared, context) => {
    const options = { ...shared, ...input };
    return diff(installedIds(what, options, context, true), options, context);
  },
});
