/** Stages the pages that a run changes: those of builds, of owners, of labels, and those that show the newest. */
import { createHash } from 'node:crypto';
import { advisoryFolder, REGISTRY_STYLE, tagFolder } from '../../format/index/site-path.ts';
import type { OwnerInfo } from '../../format/index/registry-info.ts';
import type { ListName } from '../state/site-table.ts';
import type { State } from '../state/state.ts';
import { storedBuild } from './documents.ts';
import type { AddFile, Stage } from './emit.ts';
import type { WorkerPool } from './worker-pool.ts';
import type { ChangedAdvisories } from './advisories.ts';
import { addCommonPages } from './common-pages.ts';
import { registryStyle, type PageSite, siteOf, type Site } from '../site/site.ts';
import { foundationsFor, modulesFor, nameProviders, namedProviders } from './named-providers.ts';
import type { Progress } from './progress.ts';
import { addOwnerPages, addTagPages } from './list-pages.ts';
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
  const { assets } = site;
  const digest = digestOf(site);
  const isNewSite = changes.isFull || state.meta(SITE) !== digest;
  state.setMeta(SITE, digest);
  let written = 0;
  const add = (path: string, content: string | Uint8Array): void => {
    if (stage.add(path, content)) written += 1;
  };
  for (const { path, bytes } of files) add(path, bytes);
  const made = await makeAllBuildPages(state, changes, pool, progress);
  if (changes.advisories.written.size + changes.advisories.gone.size > 0 || changes.isFull) {
    await addAdvisoryPages(state, site, changes, add);
  }
  if (changes.ids.size > 0 || changes.owners.length > 0 || isNewSite) {
    addOwnerPages(state, { assets }, changes.owners, add);
    addTagPages(state, { assets }, changes.lists, add);
    await addCommonPages(state, site, { ...changes, isNewSite }, add);
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
    addAll(advisoryPages({ assets: site.assets }, one));
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

/** What the state remembers the digest of all that pages show of the configuration by. */
const SITE = 'site';

/** The site that a run makes, with the files that its pages load. */
export interface LoadedSite {
  readonly site: Site;
  readonly files: readonly AssetFile[];
  /** Of what the pages of builds show: with another one, all are made again. */
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
  const { address, hasClient } = site;
  const pages: PageSite = { address, hasClient, assets };
  const style = { path: REGISTRY_STYLE, bytes: Buffer.from(registryStyle(site)) };
  return { site, files: [...files, style], digest: digestOf(pages) };
}

function digestOf(site: PageSite): string {
  return createHash('sha256').update(JSON.stringify(site)).digest('hex');
}
