/**
 * Searches the catalog shard by shard, so that a registry of any size needs the memory of a few shards.
 * The order is that of `format/index/ranking.ts`, deprecated and yanked builds last. If nothing is found,
 * each word is replaced by the nearest word in the catalog.
 */
import { z } from 'zod';
import { BuildSummary, CatalogShard } from '../../format/index/catalog.ts';
import { matchFilter, rankBuilds, wordsOf } from '../../format/index/ranking.ts';
import { ClientError } from '../errors.ts';
import { Pool } from '../registry/network/pool.ts';
import type { Registry } from '../registry/registry.ts';
import { wordDistance } from './word-distance.ts';

/** Shards in memory at once. */
const PARALLEL_SHARDS = 6;
const MAX_WORDS = 64;
/** Near words that are kept for each word of a query. */
const MAX_NEAR_WORDS = 10_000;

export interface CatalogQuery {
  /** All words must be found; without words, every build is found. */
  readonly words: string;
  /** Whether to consider a build. */
  readonly admits: (build: BuildSummary) => boolean;
  /** How many builds to return. */
  readonly keep: number;
}

export interface CatalogHits {
  /** Best first. */
  readonly builds: readonly BuildSummary[];
  /** How many builds were found; `builds` are the best of them. */
  readonly total: number;
  /** The words that were searched for instead, when the given ones were not found. */
  readonly corrected?: string;
}

/** @throws {ClientError} those of the registry */
export async function searchCatalog(registry: Registry, query: CatalogQuery): Promise<CatalogHits> {
  const hits = await findBuilds(registry, query);
  if (hits.total > 0 || someWords(query.words).length === 0) return hits;
  const corrected = await correct(registry, query);
  if (corrected === undefined) return hits;
  return { ...(await findBuilds(registry, { ...query, words: corrected })), corrected };
}

/** The best of `builds`, in the order of results. */
export function bestOf<Build extends BuildSummary>(
  words: string,
  builds: readonly Build[],
  keep: number,
): Build[] {
  const groups = [0, 1, 2].map((at) => builds.filter((build) => groupOf(build) === at));
  return groups.flatMap((group) => rank(words, group)).slice(0, keep);
}

async function findBuilds(
  registry: Registry,
  { words, admits, keep }: CatalogQuery,
): Promise<CatalogHits> {
  let groups: BuildSummary[][] = [];
  let total = 0;
  await eachShard(registry, matching(words), () => {
    groups = [[], [], []];
    total = 0;
    return ({ builds }) => {
      const admitted = builds.filter(admits);
      for (const [at, best] of groups.entries()) {
        const found = rank(
          words,
          admitted.filter((build) => groupOf(build) === at),
        );
        total += found.length;
        // The order is total, so the best of all shards are among the best of each shard, in any order.
        groups[at] = rank(words, [...best, ...found.slice(0, keep)]).slice(0, keep);
      }
    };
  });
  return { builds: groups.flat().slice(0, keep), total };
}

/** Shards without the summaries that cannot match: those are not validated, which takes longer than reading them. */
function matching(words: string): z.ZodType<CatalogShard> {
  const mayMatch = matchFilter(words);
  const few = (builds: unknown): unknown =>
    Array.isArray(builds) ? builds.filter(mayMatch) : builds;
  return CatalogShard.extend({ builds: z.preprocess(few, z.array(BuildSummary)) });
}

/** The group in the order of results: 0 normal, 1 deprecated, 2 yanked. */
function groupOf({ deprecated, yanked }: BuildSummary): number {
  if (yanked) return 2;
  return deprecated ? 1 : 0;
}

/** Ranks yanked builds too, which `rankBuilds` leaves out. */
function rank<Build extends BuildSummary>(words: string, builds: readonly Build[]): Build[] {
  const shown = builds.map((build) => ({ ...build, yanked: false, build }));
  return rankBuilds(words, shown).map(({ build }) => build);
}

/** The words, each unknown one replaced by the nearest known one; `undefined` when one has none. */
async function correct(registry: Registry, query: CatalogQuery): Promise<string | undefined> {
  const words = someWords(query.words);
  let best: Map<string, { far: number; count: number }>[] = [];
  await eachShard(registry, CatalogShard, () => {
    best = words.map(() => new Map());
    return ({ builds }) => {
      for (const known of builds.filter(query.admits).flatMap((b) => [...new Set(knownWords(b))])) {
        for (const [at, near] of best.entries()) {
          const far = wordDistance(words[at]!, known);
          const before = near.get(known);
          if (far === undefined || (before === undefined && near.size >= MAX_NEAR_WORDS)) continue;
          near.set(known, { far, count: (before?.count ?? 0) + 1 });
        }
      }
    };
  });
  const nearest = best.map((found) => {
    const [first] = [...found].sort(
      ([a, x], [b, y]) => x.far - y.far || y.count - x.count || (a < b ? -1 : 1),
    );
    return first?.[0];
  });
  return nearest.includes(undefined) ? undefined : nearest.join(' ');
}

function knownWords({ id, keywords, provides, requires, description }: BuildSummary): string[] {
  const texts = [id, ...keywords, ...provides, ...Object.keys(requires), description];
  return texts.flatMap(someWords);
}

function someWords(text: string): string[] {
  return wordsOf(text).slice(0, MAX_WORDS);
}

/**
 * Passes every shard to the callback of `begin`. Starts again when the catalog changed meanwhile, because
 * its shards are then divided differently.
 */
async function eachShard(
  registry: Registry,
  schema: z.ZodType<CatalogShard>,
  begin: () => (shard: CatalogShard) => void,
): Promise<void> {
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const catalog = await registry.catalog();
    if (catalog === undefined) {
      throw new ClientError('ERR_REGISTRY_ANSWER', `There is no catalog in ${registry.base}`, {
        hint: 'check that this is the address of a Stackyard index',
      });
    }
    const look = begin();
    const pool = new Pool(PARALLEL_SHARDS);
    const states = await Promise.all(
      catalog.shards.map(({ sha256 }) =>
        pool.run(async () => {
          const shard = await registry.shard(sha256, schema);
          if (shard === undefined) return false;
          look(shard);
          return true;
        }),
      ),
    );
    if (!states.includes(false)) return;
    registry.forgetCatalog();
  }
  throw new ClientError(
    'ERR_REGISTRY_ANSWER',
    `The catalog of ${registry.base} lists shards that are missing`,
    { hint: 'the registry is at fault; try again later' },
  );
}
