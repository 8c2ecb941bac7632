/** Stages the pages that a run changes: those of builds, of owners, of labels, and those that show the newest. */
import { createHash } from 'node:crypto';
import { advisoryFolder, tagFolder } from '../../format/index/site-path.ts';
import type { OwnerInfo } from '../../format/index/registry-info.ts';
import type { ListName, SiteTable } from '../state/site-table.ts';
import type { State } from '../state/state.ts';
import { storedBuild } from './documents.ts';
import type { AddFile, Stage } from './emit.ts';
import type { WorkerPool } from './worker-pool.ts';
import type { ChangedAdvisories } from './advisories.ts';
import { addCommonPages } from './common-pages.ts';
import { siteOf, type Site } from '../site/site.ts';
import type { Progress } from './stage-clock.ts';
import { addOwnerPages, addTagPages } from './list-pages.ts';
import type { BuildSummary } from '../../format/index/record.ts';
import { admits } from '../../format/version/tag-version.ts';
import type { RegistryConfig } from '../../format/registry/registry-config.ts';
import type { AssetFile } from '../site/assets.ts';

interface PageChanges {
  /** Builds whose documents were made again. */
  readonly ids: ReadonlySet<string>;
  readonly advisories: ChangedAdvisories;
  readonly owners: readonly OwnerInfo[];
  readonly lists: readonly ListName[];
  readonly isFull: boolean;
}

interface WrittenPages {
  readonly written: number;
  /** Paths in the index that are pages no more. */
  readonly outdated: readonly string[];
}

/** Builds whose latest version requires a build that its page lists. */
const MAX_DEPENDENTS = 50;

interface Tools {
  readonly state: State;
  readonly stage: Stage;
  readonly pool: WorkerPool;
  readonly site: LoadedSite;
  readonly progress: Progress | undefined;
}

export async function writePages(
  { state, stage, pool, progress, site: { site, files } }: Tools,
  changes: PageChanges,
): Promise<WrittenPages> {
  let written = 0;
  const add = (path: string, content: string | Uint8Array): void => {
    if (stage.add(path, content)) written += 1;
  };
  for (const { path, bytes } of files) add(path, bytes);
  const made = await makeAllBuildPages(state, changes, pool, progress);
  if (changes.advisories.written.size + changes.advisories.gone.size > 0 || changes.isFull) {
    await addAdvisoryPages(state, site, changes, add);
  }
  if (changes.ids.size > 0 || changes.owners.length > 0 || changes.isFull) {
    addOwnerPages(state, site, changes.owners, add);
    addTagPages(state, site, changes.lists, add);
    await addCommonPages(state, site, changes, add);
  }
  return {
    written: written + made,
    outdated: emptied(state, changes),
  };
}

/** The list of advisories, and the pages of those that changed. */
async function addAdvisoryPages(
  state: State,
  site: Site,
  { advisories, isFull }: PageChanges,
  add: AddFile,
): Promise<void> {
  const all = state.advisories.all();
  // Loaded late, like all that renders texts: most runs change none.
  const { advisoriesPages, advisoryPages } = await import('../site/guide/advisory-pages.ts');
  const addAll = (pages: Readonly<Record<string, string>>): void => {
    for (const [path, page] of Object.entries(pages)) add(path, page);
  };
  addAll(advisoriesPages(site, all));
  for (const one of all) {
    if (!isFull && !advisories.written.has(one.id)) continue;
    addAll(advisoryPages(site, one));
  }
}

/** Pages of tags that no build has any more, and of advisories that are gone. */
function emptied(state: State, { lists, advisories }: PageChanges): string[] {
  const tags = lists.flatMap(({ kind, name }) => {
    const isGone = kind === 'tag' && !state.site.has({ kind, name });
    return isGone ? (tagFolder(name) ?? []) : [];
  });
  return [...tags, ...[...advisories.gone].map(advisoryFolder)].flatMap((folder) => {
    return [`${folder}index.html`, `${folder}index.md`];
  });
}

async function makeAllBuildPages(
  state: State,
  { ids, lists }: PageChanges,
  pool: WorkerPool,
  progress: Progress | undefined,
): Promise<number> {
  const gone = state.withdrawals.all();
  let total = 0;
  const required = lists.filter((list) => list.kind === 'needs').map((list) => list.name);
  const touched = new Set([...required, ...nameProviders(state.site, lists)]);
  const fronts = [...touched].filter((id) => !ids.has(id) && state.hasBuild(id));
  const failures: unknown[] = [];
  const making: Promise<void>[] = [];
  progress?.begin('making pages of builds', ids.size + fronts.length);
  const all = [...ids].sort().map((id) => ({ id, isFrontOnly: false }));
  for (const { id, isFrontOnly } of [
    ...all,
    ...fronts.sort().map((f) => ({ id: f, isFrontOnly: true })),
  ]) {
    await pool.room();
    const needs: ListName = { kind: 'needs', name: id };
    const dependents = state.site.best(needs, MAX_DEPENDENTS);
    const pages = {
      build: storedBuild(state, id, gone),
      dependents: dependents.map(({ id: name, description }) => ({ id: name, description })),
      dependentCount: state.site.count(needs),
      providers: namedProviders(state.site, id),
      foundations: foundationsFor(state.site, id),
      modules: modulesFor(state.site, id),
      brings: state.site.summary(id)?.brings ?? {},
      advisories: state.advisories.of(id),
      isFrontOnly,
    };
    const one = pool.perform({ kind: 'pages', pages }).then((written) => {
      total += written;
      progress?.advance();
    });
    making.push(one.catch((error: unknown) => void failures.push(error)));
  }
  await Promise.all(making);
  if (failures.length > 0) throw failures[0];
  return total;
}

// Chooses the builds that the page of a build names for each stack tag that it requires: the best ones that bring the tag in a
// version that the client would accept. A publication changes few of these pages: where many builds require a tag,
// their pages name none and lead to the page of the tag.

/** Providers that a page names for a tag. */
const MAX_NAMED = 3;

/** The best providers of a tag, of which those are named that fit. */
const MAX_CANDIDATES = 20;

/** The pages of more builds name no providers for a tag: each new one would change them all. */
export const MAX_NAMING = 100;

/** Modules that the page of a foundation names. */
const MAX_NEXT = 12;

/** Behind the id of a foundation in the table. */
const FOUNDATION = '*';

/** Tags that a computer has, not a project. */
const RUNTIMES: ReadonlySet<string> = new Set(['node', 'python']);

/**
 * Chooses again for the tags of `lists`.
 * @returns builds whose pages name others than before, and foundations that are named by others
 */
export function nameProviders(site: SiteTable, lists: readonly ListName[]): string[] {
  const touched = lists.filter(({ kind }) => ['provides', 'brings', 'requires'].includes(kind));
  const changed = new Set<string>();
  for (const tag of new Set(touched.map(({ name }) => name))) {
    const named = namedFor(site, tag);
    for (const id of new Set([...site.providers.naming(tag), ...named.keys()])) {
      const before = site.providers.named(tag, id) ?? [];
      if (!site.providers.setNamed(tag, id, named.get(id))) continue;
      changed.add(id);
      for (const one of [...before, ...(named.get(id) ?? [])]) {
        if (one.endsWith(FOUNDATION)) changed.add(idOf(one));
      }
    }
  }
  return [...changed];
}

/** Named providers of the stack tags that the latest version of `id` requires; not of tags that many require. */
export function namedProviders(site: SiteTable, id: string): Record<string, readonly string[]> {
  const tags = Object.keys(site.summary(id)?.requires ?? {});
  return Object.fromEntries(
    tags.flatMap((tag) => {
      const named = site.providers.named(tag, id);
      return named === undefined ? [] : [[tag, named.map(idOf)]];
    }),
  );
}

/** The foundations that bring everything that a module requires of a project, best first. */
export function foundationsFor(site: SiteTable, id: string): string[] {
  const summary = site.summary(id);
  const tags = Object.keys(summary?.requires ?? {}).filter((tag) => !RUNTIMES.has(tag));
  const [first, ...others] = tags.map((tag) => site.providers.named(tag, id) ?? []);
  if (first === undefined || summary?.kind === 'foundation') return [];
  return first
    .filter((one) => one.endsWith(FOUNDATION) && others.every((named) => named.includes(one)))
    .map(idOf);
}

/** Modules of whose requirements a foundation brings all, sorted by id. */
export function modulesFor(site: SiteTable, id: string): string[] {
  const summary = site.summary(id);
  if (summary?.kind !== 'foundation') return [];
  const tags = [...new Set([...summary.provides, ...Object.keys(summary.brings ?? {})])];
  const naming = new Set(tags.flatMap((tag) => site.providers.namingOne(tag, id + FOUNDATION)));
  return [...naming]
    .filter((one) => foundationsFor(site, one).includes(id))
    .sort()
    .slice(0, MAX_NEXT);
}

function idOf(named: string): string {
  return named.endsWith(FOUNDATION) ? named.slice(0, -1) : named;
}

/** By the build whose page names them. */
function namedFor(site: SiteTable, tag: string): Map<string, readonly string[]> {
  const requiring = { kind: 'requires', name: tag } as const;
  if (RUNTIMES.has(tag) || site.count(requiring) > MAX_NAMING) return new Map();
  const providers = (['provides', 'brings'] as const)
    .flatMap((kind) => site.best({ kind, name: tag }, MAX_CANDIDATES))
    .filter((one) => !one.deprecated && one.risk !== 'danger');
  const builds = site.best(requiring, MAX_NAMING);
  return new Map(builds.map((build) => [build.id, fitting(build, tag, providers)]));
}

/** A build that states the tag is it in its own version; one of whose packages is it, in that of the package. */
function fitting(build: BuildSummary, tag: string, providers: readonly BuildSummary[]): string[] {
  const fits = providers.filter(({ id, latest, provides, brings }) => {
    const version = provides.includes(tag) ? latest : brings?.[tag];
    return id !== build.id && version !== undefined && admits(version, build.requires[tag]);
  });
  const ids = fits.map(({ id, kind }) => (kind === 'foundation' ? id + FOUNDATION : id));
  return [...new Set(ids)].slice(0, MAX_NAMED);
}

/** The site that a run makes, with the files that its pages load. */
export interface LoadedSite {
  readonly site: Site;
  readonly files: readonly AssetFile[];
  /** Of what all pages show: with another one, all are made again. */
  readonly digest: string;
}

/** Nothing when the configuration leaves the pages out. */
export async function loadSite(
  config: RegistryConfig,
  shown: Pick<Site, 'hasClient' | 'logKey'>,
): Promise<LoadedSite | undefined> {
  if (config.site === false) return undefined;
  const { loadAssets } = await import('../site/assets.ts');
  const { assets, files } = await loadAssets();
  const site = siteOf(config, assets, shown);
  const digest = createHash('sha256').update(JSON.stringify(site)).digest('hex');
  return { site, files, digest };
}
