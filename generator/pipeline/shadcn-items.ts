/**
 * Which items for shadcn a run makes, and what they require. An item of a version requires what was published when
 * that version was, permanently; the item of the latest version requires what is published now.
 */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import {
  SHADCN_REGISTRY_PATH,
  shadcnItemPath,
  shadcnVersionPath,
  CATALOG_PATH,
  shardPath,
} from '../../format/index/layout.ts';
import type { RegistryConfig } from '../../format/registry/registry-config.ts';
import { REGISTRY_SCHEMA } from '../../format/shadcn-item.ts';
import { goneOf, yanksOf } from '../../format/registry/withdrawals.ts';
import { compareVersions, isPrerelease, satisfies } from '../../format/version/semver-range.ts';
import type { RequiringVersion } from '../state/shadcn-table.ts';
import type { State } from '../state/state.ts';
import type { AddDocument } from './emit.ts';
import { latestVersion } from './record.ts';
import type { ItemWork, RenderedItems } from './render.ts';
import { MAX_SHARD_SUMMARIES } from '../../format/index/record.ts';

/** The items of a registry that has them. */
export class ShadcnItems {
  readonly #state: State;
  readonly #config: RegistryConfig;
  /** Paths that are not part of the index any more. */
  readonly outdated: string[] = [];

  constructor(state: State, config: RegistryConfig) {
    this.#state = state;
    this.#config = config;
  }

  /** The builds whose latest item requires one of `changed` at an address that is another one now. */
  dependents(changed: Iterable<string>): string[] {
    return [...changed].flatMap((build) => {
      const rows = this.#state.shadcn.requiring(build);
      return rows
        .filter(({ range, address }) => this.#currentAddress(build, range) !== address)
        .map(({ id }) => id);
    });
  }

  /** Makes the items of all versions of `ids` again: one that they require was withdrawn, and has no address any more. */
  makeAgain(ids: readonly string[]): void {
    for (const id of ids) this.#state.shadcn.dropVersions(id);
  }

  /** What is to be made of `id`; remembers what its latest item requires. */
  workFor(id: string): ItemWork {
    const { shadcn } = this.#state;
    const versions = shadcn.versionsOf(id);
    const latest = this.#latestOf(id, versions);
    const required = Object.entries(latest?.builds ?? {}).map(([build, range]) => {
      return { build, range, address: this.#currentAddress(build, range) };
    });
    shadcn.setRequired(id, required);
    const isWithdrawn = this.#withdrawn(id);
    return {
      address: this.#config.base_url,
      versions: versions
        .filter(({ version }) => !shadcn.has(id, version) && !isWithdrawn(version))
        .map((one) => itemVersion(one, (build, range) => this.#addressThen(one, build, range))),
      latest: latest && itemVersion(latest, (build, range) => this.#currentAddress(build, range)),
    };
  }

  /** Remembers what was made. */
  keep(id: string, { versions, entry }: RenderedItems): void {
    const { shadcn } = this.#state;
    for (const version of versions) shadcn.addVersion(id, version);
    if (entry === undefined && shadcn.hasLatest(id)) this.outdated.push(shadcnItemPath(id));
    shadcn.setLatest(id, entry);
  }

  /** Stages the list of all items, where they are few enough. */
  writeRegistry(add: AddDocument): void {
    if (!this.#state.shadcn.isListed()) {
      this.outdated.push(SHADCN_REGISTRY_PATH);
      return;
    }
    const items = this.#state.shadcn.entries().map((entry) => JSON.parse(entry) as object);
    const { name, base_url: homepage } = this.#config;
    add(SHADCN_REGISTRY_PATH, canonicalJson({ $schema: REGISTRY_SCHEMA, name, homepage, items }));
  }

  #latestOf(id: string, versions: readonly RequiringVersion[]): RequiringVersion | undefined {
    const isYanked = this.#yanked(id);
    if (versions.every(({ version }) => isYanked(version))) return undefined;
    const latest = latestVersion(
      versions.map(({ version }) => version).sort(highestFirst),
      isYanked,
    );
    return versions.find(({ version }) => version === latest);
  }

  /** Where a build is that is required now; `""` for one that this registry does not have. */
  #currentAddress(build: string, range: string): string {
    const isYanked = this.#yanked(build);
    const all = this.#state.risksOf(build).map(({ version }) => version);
    if (all.length === 0) return '';
    const latest = latestVersion(all.sort(highestFirst), isYanked);
    if (satisfies(latest, range)) return this.#addressOf(shadcnItemPath(build));
    const best = bestVersion(
      all.filter((version) => !isYanked(version)),
      range,
    );
    return this.#addressOf(
      best === undefined ? shadcnItemPath(build) : shadcnVersionPath(build, best),
    );
  }

  /** The same at the time of a publication. */
  #addressThen({ seq, commit }: RequiringVersion, build: string, range: string): string {
    const all = this.#state.versionsUpTo(build, seq, commit);
    // The item of a withdrawn version is gone.
    const isWithdrawn = this.#withdrawn(build);
    const best = bestVersion(
      all.filter((one) => !isWithdrawn(one)),
      range,
    );
    if (best !== undefined) return this.#addressOf(shadcnVersionPath(build, best));
    return all.length === 0 ? '' : this.#addressOf(shadcnItemPath(build));
  }

  #yanked(id: string): (version: string) => boolean {
    const [owner = '', name = ''] = id.split('/');
    const yanked = yanksOf(this.#state.ownerFile(owner), name);
    return (version) => Object.hasOwn(yanked, version);
  }

  #withdrawn(id: string): (version: string) => boolean {
    const [owner = '', name = ''] = id.split('/');
    const withdrawn = goneOf(this.#state.ownerFile(owner), name);
    return (version) => Object.hasOwn(withdrawn, version);
  }

  #addressOf(path: string): string {
    return `${this.#config.base_url}/${path}`;
  }
}

function itemVersion(
  { version, builds }: RequiringVersion,
  addressOf: (build: string, range: string) => string,
): ItemWork['versions'][number] {
  const all = Object.entries(builds).map(([build, range]) => {
    return { build, range, address: addressOf(build, range) };
  });
  return {
    version,
    requires: all.flatMap(({ address }) => (address === '' ? [] : [address])),
    elsewhere: Object.fromEntries(
      all.filter(({ address }) => address === '').map(({ build, range }) => [build, range]),
    ),
  };
}

/** The highest stable version within `range`, or the highest prerelease. */
function bestVersion(versions: readonly string[], range: string): string | undefined {
  const fitting = versions.filter((version) => satisfies(version, range)).sort(highestFirst);
  return fitting.find((version) => !isPrerelease(version)) ?? fitting[0];
}

function highestFirst(a: string, b: string): number {
  return compareVersions(b, a);
}

/**
 * The catalog's shards: a binary tree over the bits of SHA-256(id), whose leaves hold at most
 * `MAX_SHARD_SUMMARIES` builds. The tree depends on the set of ids alone, and a new build changes one
 * leaf.
 */
const BITS = 64;

/** The first 64 bits of SHA-256(id) as text, such as `0110...`. */
export function shardBits(id: string): string {
  const digest = createHash('sha256').update(id).digest();
  return digest.readBigUInt64BE(0).toString(2).padStart(BITS, '0');
}

/**
 * Makes the shards that contain one of `ids`, and the catalog, again.
 * @returns paths of shards that are no longer part of the index
 */
export function writeCatalog(state: State, ids: ReadonlySet<string>, add: AddDocument): string[] {
  const before = new Set(state.shards.all().map((s) => s.sha256));
  const leaves = new Set([...ids].map((id) => leafOf(state, shardBits(id))));
  if (before.size === 0) leaves.add('');
  for (const prefix of leaves) writeUnder(state, prefix, add);
  const shards = state.shards.all();
  add(CATALOG_PATH, canonicalJson({ shards }));
  for (const { sha256 } of shards) before.delete(sha256);
  return [...before].map(shardPath);
}

function leafOf(state: State, bits: string): string {
  for (let length = 0; length <= BITS; length += 1) {
    const prefix = bits.slice(0, length);
    if (state.shards.has(prefix)) return prefix;
  }
  return '';
}

function writeUnder(state: State, prefix: string, add: AddDocument): void {
  const count = state.shards.countUnder(prefix);
  if (count > MAX_SHARD_SUMMARIES && prefix.length < BITS) {
    state.shards.drop(prefix);
    writeUnder(state, `${prefix}0`, add);
    writeUnder(state, `${prefix}1`, add);
    return;
  }
  const content = canonicalJson({ builds: state.shards.summariesUnder(prefix) });
  const sha256 = createHash('sha256').update(content).digest('hex');
  add(shardPath(sha256), content);
  state.shards.set({ prefix, sha256, count });
}
