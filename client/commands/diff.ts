/** `diff`: the user's edits of installed files, or the changes of the newest version. */
import { z } from 'zod';
import { createTwoFilesPatch, structuredPatch } from 'diff';
import { define, flag } from '../terminal/options.ts';
import { placedIntegrity, type Lock } from '../../format/project/lock.ts';
import { integrityOf } from '../../format/archive/integrity.ts';
import { compareSources } from '../edit/compare/compare-sources.ts';
import { ClientError } from '../errors.ts';
import { fetchBuilds, fetchInstalled, fetchShipped } from '../registry/fetch-builds.ts';
import { styleInstalled } from '../style/style-builds.ts';
import { buildsThatMoved, followMovedFiles } from '../change/follow-moved-files.ts';
import { placeBuilds, placeInstalled } from '../plan/place/place-builds.ts';
import { targetPath } from '../plan/files.ts';
import { openProjectCode } from '../project/project-code.ts';
import { chooseProject } from '../project/choose-project.ts';
import { withoutWiredText } from '../project/wired-files.ts';
import { requireLock, takeSnapshot } from '../project/project.ts';
import type { Registries } from '../registry/registries.ts';
import { solve } from '../registry/solve.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';
import { withRegistry } from '../registry/open-registry.ts';
import { installedIds } from '../registry/short-ids.ts';
import type { FetchedBuild } from '../plan/plan.ts';

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
  exitCode: flag('end with status 10 when there is a difference'),
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
  const pairs = await withRegistry(
    options,
    recorded,
    context,
    async (registry) => {
      const away = await fetchShipped(registry, buildsThatMoved(project, recorded));
      const code = openProjectCode(project);
      const { lock } = await followMovedFiles(project, recorded, away.builds, code);
      const isWanted = choose(only, lock);
      return options.upstream
        ? upstreamSides(project, lock, registry, isWanted)
        : projectSides(project, lock, registry, isWanted, context.signal);
    },
    options.upstream ? 'project' : 'pinned',
  );
  const changed = pairs.filter(({ before, after }) => !isSame(before, after));
  // What a new version reformats is a change; what the project reformatted is none.
  const reformatted = options.upstream ? new Set<Sides>() : await onlyReformatted(changed);
  const files = changed.filter((sides) => !reformatted.has(sides)).map(describe);
  const names = [...reformatted].map(({ build, path }) => ({ build, path }));
  return {
    status: files.length > 0 && options.exitCode ? 'different' : 'done',
    data: {
      files: files.map(({ build, path, state, hunks }) => ({ build, path, state, hunks })),
      ...(names.length === 0 ? {} : { reformatted: names }),
    },
    text: [
      ...names.map(({ path }) => `Only reformatted: ${path}`),
      ...(files.length === 0 ? ['No difference'] : files.flatMap(({ text }) => text)),
    ],
  };
}

async function onlyReformatted(changed: readonly Sides[]): Promise<Set<Sides>> {
  const reformatted = new Set<Sides>();
  for (const sides of changed) {
    const { path, before, after } = sides;
    if (before === undefined || after === undefined) continue;
    if ((await compareSources(path, before, after)).kind === 'same') reformatted.add(sides);
  }
  return reformatted;
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
  lock: Lock,
  registry: Registries,
  isWanted: IsWanted,
  signal: AbortSignal,
): Promise<Sides[]> {
  const wanted = Object.entries(lock.builds).flatMap(([id, { version, files }]) =>
    Object.entries(files)
      .filter(([path]) => isWanted(id, path))
      .map(([path, entry]) => ({ id, version, path, entry })),
  );
  const paths = wanted.map(({ path }) => path);
  const { project: present } = await takeSnapshot(project, paths);
  const withoutWiring = await withoutWiredText(lock);
  const own = (path: string): Uint8Array | undefined => {
    const bytes = present.get(path);
    return bytes === undefined ? undefined : withoutWiring(path, bytes);
  };
  const changed = wanted.filter(({ id, path }) => {
    const integrity = placedIntegrity(lock.builds[id]!, path);
    // A build may have such text itself.
    const forms = [present.get(path), own(path)];
    return !forms.some((bytes) => bytes !== undefined && integrityOf(bytes) === integrity);
  });
  const ids = new Set(changed.map(({ id }) => id));
  const fetched = await fetchInstalled(registry, lock, [...ids]);
  const placed = await placeInstalled(lock, fetched, openProjectCode(project));
  const builds = await styleInstalled(project, placed, lock, present, signal);
  return changed.map(({ id, version, path, entry }) => ({
    build: id,
    path,
    before: builds.get(id)?.files.get(entry.from)?.bytes,
    after: own(path),
    labels: [`${id} ${version}`, 'yours'] as const,
  }));
}

/** The files of the installed versions and of those that an update would choose. */
async function upstreamSides(
  project: string,
  lock: Lock,
  registry: Registries,
  isWanted: IsWanted,
): Promise<Sides[]> {
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
  const placed = await placeBuilds(change, {}, openProjectCode(project));
  return placed.builds.flatMap((build) =>
    bothVersions(placed.bases.get(build.id)!, build, isWanted),
  );
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
  const texts = [before, after].map((side) => Buffer.from(side ?? []).toString('utf8'));
  const [old = '', fresh = ''] = texts;
  const isText = [before, after].every((side) => side?.includes(0) !== true);
  const options = { timeout: TIMEOUT_MS, context: 3 };
  const names = [`a/${path}`, `b/${path}`, old, fresh, ...labels] as const;
  const patch = isText ? createTwoFilesPatch(...names, options) : undefined;
  const hunks = isText ? structuredPatch(...names, options)?.hunks : undefined;
  // The first line is a separator that a patch does not need.
  const text = patch?.replace(/^=+\n/, '').trimEnd().split('\n') ?? [
    `Binary file ${path}: ${state}`,
  ];
  return { build, path, state, hunks, text };
}

export const command = define({
  description:
    'Compares installed files with what was shipped, of all builds or of some builds or paths',
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
