/**
 * Searches the catalog shard by shard, so that a registry of any size needs the memory of a few shards. What is found, its order
 * and the correction of words are those of `format/index/ranking.ts`, as on the site.
 */
import { z } from 'zod';
import {
  findBuilds,
  type Hits,
  KnownWords,
  matchFilter,
  matchNote,
  parseQuery,
} from '../../format/index/ranking.ts';
import { BuildSummary, CatalogShard } from '../../format/index/record.ts';
import { ClientError } from '../errors.ts';
import type { Registry } from '../registry/registry.ts';

/** Shards in memory at once. */
const PARALLEL_SHARDS = 6;

interface CatalogQuery {
  /** Builds with the most of the words are found; without words, every build is. */
  readonly words: string;
  /** Whether to consider a build. */
  readonly admits: (build: BuildSummary) => boolean;
  /** How many builds to return. */
  readonly keep: number;
}

export interface CatalogHits extends Hits<BuildSummary> {
  /** How many builds were found; `builds` are the best of them. */
  readonly total: number;
  /** The words that were searched for instead of words that no build has. */
  readonly corrected?: string;
  /** What to tell about results that do not have the words as they were typed. */
  readonly note?: string | undefined;
}

/** @throws {ClientError} those of the registry */
export async function searchCatalog(registry: Registry, query: CatalogQuery): Promise<CatalogHits> {
  const whole = await findInShards(registry, query, true);
  const isWhole = whole.total > 0 && whole.match !== 'some';
  if (isWhole || parseQuery(query.words).words.length === 0) return withNote(whole, query.words);
  const corrected = await correct(registry, query.words);
  const words = corrected ?? query.words;
  const hits = await findInShards(registry, { ...query, words }, false);
  return withNote(hits, query.words, corrected);
}

/** The best builds of a registry that are admitted, whatever their words. @throws {ClientError} those of the registry */
export async function listBuilds(
  registry: Registry,
  keep: number,
  admits: CatalogQuery['admits'],
): Promise<readonly BuildSummary[]> {
  return (await searchCatalog(registry, { words: '', keep, admits })).builds;
}

/** Hits with what there is to tell about them. */
export function withNote<Found extends Hits<BuildSummary> & { readonly total: number }>(
  hits: Found,
  words: string,
  corrected?: string,
): Found & Pick<CatalogHits, 'corrected' | 'note'> {
  const note = hits.total === 0 ? undefined : matchNote(words, hits.match, corrected);
  return { ...hits, ...(corrected === undefined ? {} : { corrected }), note };
}

/** @param every whether builds that lack a word may be missed: most are then not looked at */
async function findInShards(
  registry: Registry,
  { words, admits, keep }: CatalogQuery,
  every: boolean,
): Promise<CatalogHits> {
  let best: Hits<BuildSummary> = { builds: [], matched: 0, match: 'exact' };
  let total = 0;
  await eachShard(registry, matching(words, every), ({ builds }) => {
    const found = findBuilds(words, builds.filter(admits));
    if (found.builds.length === 0 || found.matched < best.matched) return;
    total = found.builds.length + (found.matched > best.matched ? 0 : total);
    // The order is total, so the best of all shards are among the best of each shard, in any order.
    const hits = findBuilds(words, [...best.builds, ...found.builds.slice(0, Math.max(1, keep))]);
    best = { ...hits, builds: hits.builds.slice(0, Math.max(1, keep)) };
  });
  return { ...best, builds: best.builds.slice(0, keep), total };
}

/** Shards without the summaries that cannot match: those are not validated, which takes longer than reading them. */
function matching(words: string, every: boolean): z.ZodType<CatalogShard> {
  const mayMatch = matchFilter(words, every);
  const few = (builds: unknown): unknown =>
    Array.isArray(builds) ? builds.filter(mayMatch) : builds;
  return CatalogShard.extend({ builds: z.preprocess(few, z.array(BuildSummary)) });
}

/** The query with other words for those that no build of the registry has. */
async function correct(registry: Registry, words: string): Promise<string | undefined> {
  const known = new KnownWords(words);
  await eachShard(registry, CatalogShard, ({ builds }) => {
    for (const build of builds) known.add(build);
  });
  return known.corrected();
}

/** @param look called with every shard, in any order */
async function eachShard(
  registry: Registry,
  schema: z.ZodType<CatalogShard>,
  look: (shard: CatalogShard) => void,
): Promise<void> {
  const catalog = await registry.catalog();
  if (catalog === undefined) {
    throw new ClientError('ERR_REGISTRY_ANSWER', `There is no catalog in ${registry.base}`, {
      hint: 'check that this is the address of a Stackyard index',
    });
  }
  const rest = catalog.shards.values();
  const lookAtRest = async (): Promise<void> => {
    for (const { sha256 } of rest) look(await registry.shard(sha256, schema));
  };
  await Promise.all(Array.from({ length: PARALLEL_SHARDS }, lookAtRest));
}
