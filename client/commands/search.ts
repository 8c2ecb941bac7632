/** `search`: finds builds of the registry by words and tags, best first. */
import { z } from 'zod';
import { AGE, RegistryOf, define } from './options.ts';
import type { BuildSummary } from '../../format/index/record.ts';
import { compareText } from '../../format/compare-text.ts';
import { chooseProject } from '../project/choose-project.ts';
import { readLock, lockIfAny } from '../project/project.ts';
import { findLanguageProblems } from '../registry/check-language.ts';
import { unreachable } from '../registry/locked-registries.ts';
import {
  printWarnings,
  type CommandContext,
  type GlobalOptions,
  type Outcome,
} from '../terminal/command.ts';
import type { Registries } from '../registry/registries.ts';
import { oneLine } from '../terminal/printable.ts';
import { parseAge, type AgeRule } from '../resolve/version-age.ts';
import { riskRole, span, type StyledText } from '../terminal/styled-text.ts';
import { withRegistry } from '../registry/open-registry.ts';
import type { Lock } from '../../format/project/lock.ts';
import { ClientError } from '../errors.ts';
import { KnownHeads } from '../registry/known-heads.ts';
import { nodeInUse } from '../project/stack/node-in-use.ts';
import { readStack } from '../project/stack/read-stack.ts';
import { findBuilds } from '../../format/index/ranking.ts';
import { isUnreachable } from '../registry/registry-entry.ts';
import { searchCatalog, withNote, type CatalogHits } from '../registry/search-catalog.ts';

const COUNT = 'give a number from 1 to 99999';
const Tags = z.array(z.string().max(200)).max(20).optional();

const Input = z.object({
  words: z
    .array(z.string())
    .default([])
    .meta({ description: 'in name, tags and description', isArgument: true }),
  kind: z
    .enum(['module', 'foundation'])
    .optional()
    .meta({ description: 'only builds of this kind', placeholder: 'kind' }),
  provides: Tags.meta({ description: 'only what provides this stack tag', placeholder: 'tag' }),
  requires: Tags.meta({ description: 'only what requires this stack tag', placeholder: 'tag' }),
  fits: z
    .boolean()
    .default(false)
    .meta({ description: 'only modules that could be added to the project' }),
  limit: z
    .int(COUNT)
    .min(1, COUNT)
    .max(99_999, COUNT)
    .default(20)
    .meta({ description: 'how many to show', placeholder: 'count' }),
  ...AGE,
});

type SearchOptions = GlobalOptions & Omit<z.infer<typeof Input>, 'words'>;

const NONE = ['No build was found'] as const;

/** Builds that a search without criteria lists as the newest. */
const NEWEST = 5;

/** Without any criterion, lists the best and the newest builds. @throws {ClientError} those of the registry */
export async function search(
  words: readonly string[],
  options: SearchOptions,
  context: CommandContext,
): Promise<Outcome> {
  const { kind, provides = [], requires = [], fits, limit } = options;
  const isOpen =
    words.length === 0 && kind === undefined && provides.length + requires.length === 0;
  const project = fits ? chooseProject(options) : undefined;
  const lock = project === undefined ? lockIfAny(options) : readLock(project);
  const age = parseAge(options, Date.now());
  const look = async (registry: Registries): Promise<Outcome> => {
    if (isOpen && !fits) return bestAndNewest(registry, limit);
    const found = await searchRegistries(registry, {
      words: words.join(' '),
      keep: fits ? Math.max(limit, MAX_FITTED) : limit,
      admits: (build) =>
        (kind === undefined || build.kind === kind) &&
        provides.every((tag) => build.provides.includes(tag)) &&
        requires.every((tag) => Object.hasOwn(build.requires, tag)),
    });
    const { builds, total, corrected, note } = found;
    const warnings = unreachable(found.unreachable);
    printWarnings({ warnings }, context);
    const head = note === undefined ? [] : [oneLine(note)];
    if (project === undefined) {
      const more = total > builds.length ? [`${total - builds.length} more: --limit ${total}`] : [];
      const text = builds.length === 0 ? NONE : [...head, ...builds.flatMap(describe), ...more];
      return { status: 'done', data: { builds, total, corrected, note }, warnings, text };
    }
    const fitting = await fittingBuilds(builds, registry, project, lock, age, limit);
    const { lookedAt } = fitting;
    const data = { builds: fitting.builds, total: fitting.builds.length, corrected, note };
    const text: StyledText[] =
      fitting.builds.length === 0 ? [noneFits(total)] : fitting.builds.flatMap(describe);
    if (total > lookedAt)
      text.push(`${total - lookedAt} were not tried: ${wayToRest(limit, fitting.builds.length)}`);
    const shownHead = fitting.builds.length === 0 ? [] : head;
    return {
      status: 'done',
      data: { ...data, matching: total, looked_at: lookedAt },
      warnings,
      text: [...shownHead, ...text],
    };
  };
  return withRegistry(options, lock, context, look, project === undefined ? 'reading' : 'project');
}

async function bestAndNewest(registry: Registries, limit: number): Promise<Outcome> {
  let newest: BuildSummary[] = [];
  const { builds, total } = await searchRegistries(registry, {
    words: '',
    keep: limit,
    admits: (build) => {
      // The catalog may be read again when it changes meanwhile.
      const others = newest.filter(({ id }) => id !== build.id);
      if (!build.yanked && !build.deprecated)
        newest = [...others, build].sort(byTime).slice(0, NEWEST);
      return true;
    },
  });
  if (builds.length === 0) {
    return {
      status: 'done',
      data: { builds, total, newest },
      text: ['The registry has no builds'],
    };
  }
  const more = total > builds.length ? [`${total - builds.length} more: --limit ${total}`] : [];
  const text: StyledText[] = [[span('strong', 'Best:')], ...builds.flatMap(describe), ...more];
  const isNews = newest.some(({ id }) => !builds.some((build) => build.id === id));
  if (isNews) text.push([span('strong', 'Newest:')], ...newest.flatMap(describe));
  return { status: 'done', data: { builds, total, newest }, text };
}

function byTime(a: BuildSummary, b: BuildSummary): number {
  return compareText(b.updated_at, a.updated_at) || compareText(a.id, b.id);
}

function noneFits(matching: number): string {
  if (matching === 0) return NONE[0];
  return `None of ${matching} found could be added to this project: "stackyard add <build> --dry-run" shows why`;
}

/** How to see more when not all builds were tried. */
function wayToRest(limit: number, found: number): string {
  return found === limit ? `--limit ${limit * 5}` : 'narrow the search with words or --provides';
}

function describe(
  build: (BuildSummary | FittingBuild) & { readonly registry?: string },
): StyledText[] {
  const state = build.yanked ? '  yanked' : build.deprecated ? '  deprecated' : '';
  const { success, failure } = build.agent_reports;
  const version = 'version' in build ? build.version : build.latest;
  const place = build.registry === undefined ? '' : ` from ${build.registry}`;
  return [
    [
      span('strong', build.id),
      ' ',
      span('number', version),
      `${place}  ${build.kind}, risk `,
      span(riskRole(build.risk), build.risk),
      `, quality ${build.quality}, ${build.downloads} downloads, ${success} of ${success + failure} reports good`,
      span('bad', state),
      versionNote(build),
    ],
    `  ${oneLine(build.description)}`,
    ...('language' in build ? (build.language ?? []) : []).map((note): StyledText => [
      '  ',
      span('changed', 'needs care:'),
      ` ${oneLine(note)}`,
    ]),
  ];
}

function versionNote(build: BuildSummary | FittingBuild): string {
  if (!('version' in build)) return '';
  if (build.installed) return '  installed';
  return build.version === build.latest ? '' : `  newest that fits (latest is ${build.latest})`;
}

/** How many of the best builds are tried: each costs a request. */
const MAX_FITTED = 1000;
const PARALLEL_FITS = 8;

interface FittingBuild extends BuildSummary {
  /** The newest version that the project could install; the installed version of an installed build. */
  readonly version: string;
  readonly installed: boolean;
  /** What the settings of the project do not give to its code, in words. */
  readonly language?: readonly string[];
}

/**
 * The builds for which the resolver finds a version, in the order of the search.
 * @param limit how many to return
 * @returns them, and how many builds were tried before there were enough
 * @throws {ClientError} those of the registry
 */
async function fittingBuilds(
  builds: readonly (BuildSummary & { readonly registry?: string })[],
  registry: Registries,
  project: string,
  lock: Lock | undefined,
  age: AgeRule | undefined,
  limit: number,
): Promise<{ readonly builds: readonly FittingBuild[]; readonly lookedAt: number }> {
  const locked = new Map(Object.entries(lock?.builds ?? {}));
  const stack = await readStack(project, await nodeInUse(project));
  const known = new KnownHeads(registry, age, locked);
  const tryFit = async (build: (typeof builds)[number]): Promise<FittingBuild | undefined> => {
    const { id, kind } = build;
    // A foundation starts a project: it is never added to one.
    if (kind === 'foundation') return undefined;
    // Two registries may have the owner; the better build decided which of them it is.
    if (build.registry !== undefined && !registry.mayServe(build.registry, id)) return undefined;
    registry.assign([build]);
    const resolution = await known.resolve({ requests: [{ id, range: undefined }], locked, stack });
    if (resolution.kind !== 'solved') return undefined;
    const version = resolution.versions.get(id)?.version ?? locked.get(id)?.version;
    if (version === undefined) return undefined;
    const chosen = [...resolution.versions].map(([chosenId, one]) => {
      return { id: chosenId, version: one.version };
    });
    const problems = locked.has(id) ? [] : await findLanguageProblems(project, registry, chosen);
    if (problems.some(({ stops }) => stops)) return undefined;
    const entry = known.heads.get(id)?.versions.find((other) => other.version === version);
    // The catalog has the risk of the latest version only.
    const risk = entry?.risk ?? build.risk;
    const language = problems.map((problem) => `${problem.id}: ${problem.message}`);
    const notes = language.length === 0 ? {} : { language };
    return { ...build, risk, version, installed: locked.has(id), ...notes };
  };
  const found: FittingBuild[] = [];
  let lookedAt = 0;
  while (lookedAt < Math.min(builds.length, MAX_FITTED)) {
    const part = builds.slice(lookedAt, lookedAt + PARALLEL_FITS);
    const tried = await Promise.all(part.map(tryFit)).catch((error: unknown) => {
      // No more heads may be read: the rest is not tried.
      if (error instanceof ClientError && error.code === 'ERR_RESOLVE_LIMIT') return undefined;
      throw error;
    });
    if (tried === undefined) break;
    for (const fitting of tried) {
      if (found.length === limit) return { builds: found, lookedAt };
      lookedAt += 1;
      if (fitting !== undefined) found.push(fitting);
    }
  }
  return { builds: found, lookedAt };
}

interface RegistryHits extends CatalogHits {
  /** With the name of the registry, where the project has several. */
  readonly builds: readonly (BuildSummary & { readonly registry?: string })[];
  /** The registries that cannot be reached, with the error. */
  readonly unreachable: ReadonlyMap<string, ClientError>;
}

/**
 * A build counts only in the registry that its owner belongs to, if it belongs to one already.
 * @throws {ClientError} those of the registry; `ERR_NETWORK` where none can be reached
 */
export async function searchRegistries(
  registries: Registries,
  query: Parameters<typeof searchCatalog>[1],
): Promise<RegistryHits> {
  if (!registries.isSeveral) {
    const hits = await searchCatalog(registries.defaultRegistry, query);
    return { ...hits, unreachable: new Map() };
  }
  const { set } = registries;
  const entries = set.all.filter(({ isLocked }) => isLocked);
  const searches = await Promise.allSettled(
    entries.map(async (entry) => {
      const admits = (build: BuildSummary): boolean =>
        registries.mayServe(entry.name, build.id) && query.admits(build);
      const hits = await searchCatalog(set.use(entry), { ...query, admits });
      const builds = hits.builds.map((build) => ({ ...build, registry: entry.name }));
      return { ...hits, builds };
    }),
  );
  const found: (CatalogHits & Pick<RegistryHits, 'builds'>)[] = [];
  const unreachable = new Map<string, ClientError>();
  for (const [at, search] of searches.entries()) {
    if (search.status === 'fulfilled') found.push(search.value);
    else if (isUnreachable(search.reason)) unreachable.set(entries[at]!.name, search.reason);
    else throw search.reason;
  }
  const [first] = unreachable.values();
  if (first !== undefined && found.length === 0) throw first;
  // Other words count only where no registry has the given ones, and builds with some words where none has all.
  const most = Math.max(...found.map(({ matched }) => matched));
  const asked = found.filter(({ total, corrected }) => total > 0 && corrected === undefined);
  const exact = asked.filter(({ match }) => match !== 'some');
  const used = exact.length > 0 ? exact : found.filter(({ matched }) => matched === most);
  const corrected = used.find((hits) => hits.corrected !== undefined)?.corrected;
  const best = findBuilds(
    corrected ?? query.words,
    used.flatMap(({ builds }) => builds),
  );
  const total = used.reduce((sum, hits) => sum + hits.total, 0);
  const hits = { ...best, builds: best.builds.slice(0, query.keep), total };
  return { ...withNote(hits, query.words, corrected), unreachable };
}

export const command = define({
  description: 'Finds builds that have all the words, best first: in name, tags and description',
  input: Input,
  output: z.looseObject({
    builds: z.array(
      z.looseObject({
        id: z.string(),
        latest: z.string(),
        kind: z.enum(['module', 'foundation']),
        description: z.string(),
        version: z
          .string()
          .optional()
          .describe('With --fits: the newest version that fits, or the one that is installed.'),
        installed: z.boolean().optional().describe('With --fits.'),
        language: z
          .array(z.string())
          .optional()
          .describe('With --fits: what the settings of the project do not give to its code.'),
        ...RegistryOf,
      }),
    ),
    total: z.int().describe('How many there are; with --fits, how many were found to fit.'),
    matching: z
      .int()
      .optional()
      .describe('With --fits: how many there are, whether they fit or not.'),
    looked_at: z.int().optional().describe('With --fits: how many of these were tried.'),
    newest: z
      .array(z.looseObject({ id: z.string(), latest: z.string() }))
      .optional()
      .describe('Without any criterion: the builds that changed last.'),
    corrected: z
      .string()
      .optional()
      .describe('The words that were searched for instead, where no build has one of the given.'),
    note: z
      .string()
      .optional()
      .describe('What the builds lack of the words as they were given: a sentence to show.'),
  }),
  examples: ['search sqlite --kind module --fits -C my-app'],
  run: ({ words, ...input }, shared, context) => search(words, { ...shared, ...input }, context),
});
