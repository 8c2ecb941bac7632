/**
 * All registries of a project. An owner belongs to one of them, so that an id always means one build: to the
 * registry of its installed builds, otherwise to the one that the user names; the owner of a build that another
 * build requires to the first of that build's registry and its upstreams that has it.
 */
import type { Head, HeadVersion, PackageRecord } from '../../format/index/record.ts';
import type { VersionDocument } from '../../format/index/version-document.ts';
import type { Lock } from '../../format/project/lock.ts';
import { DEFAULT_REGISTRY_NAME } from '../../format/registry/registry-name.ts';
import type { ClientError } from '../errors.ts';
import {
  isUnreachable,
  ownerElsewhere,
  ownerOf,
  type RegistryEntry,
  requiredElsewhere,
} from './registry-entry.ts';
import type { RegistrySet } from './registry-set.ts';
import type { Registry } from './registry.ts';
import { openUpstream, upstreamsOf } from './upstreams.ts';

export class Registries {
  readonly set: RegistrySet;
  readonly #open: (address: string) => Registry;
  readonly #installed: Lock['builds'];
  /** Owner to name of the registry. */
  readonly #owners: Map<string, string>;
  /** Owners whose registry is being looked for. */
  readonly #locating = new Map<string, Promise<unknown>>();
  /** Registries that cannot be reached; installed builds of them stay as they are. */
  readonly #down = new Map<string, ClientError>();

  /**
   * @param installed the builds of the lock
   * @param open opens an upstream that the project does not have yet
   */
  constructor(set: RegistrySet, installed: Lock['builds'], open: (address: string) => Registry) {
    this.set = set;
    this.#installed = installed;
    this.#open = open;
    const builds = Object.entries(installed);
    this.#owners = new Map(builds.map(([id, { registry }]) => [ownerOf(id), registry]));
  }

  /** Whether the project has several registries: then output names them. */
  get isSeveral(): boolean {
    return this.set.all.filter(({ isLocked }) => isLocked).length > 1;
  }

  /** Whether `id` may come from the registry `name`: its owner belongs to it, or to none yet. */
  mayServe(name: string, id: string): boolean {
    const owner = this.#owners.get(ownerOf(id));
    return owner === undefined || owner === name;
  }

  /** The registry of builds without a name. */
  get defaultRegistry(): Registry {
    return this.set.use(this.set.named(DEFAULT_REGISTRY_NAME));
  }

  /** The registries that could not be reached, by name. */
  get down(): ReadonlyMap<string, ClientError> {
    return this.#down;
  }

  /** The registry that the owner of `id` belongs to; the default one while that is open. */
  entryOf(id: string): RegistryEntry {
    return this.set.named(this.#owners.get(ownerOf(id)) ?? DEFAULT_REGISTRY_NAME);
  }

  /**
   * Gives the owner of each build to the registry that the request names, otherwise to its own one, otherwise
   * to the default one.
   * @throws {ClientError} `ERR_REGISTRY_NOT_FOUND`; `ERR_OWNER_REGISTRY` where it belongs to another one
   */
  assign(
    requests: Iterable<{ readonly id: string; readonly registry?: string | undefined }>,
  ): void {
    for (const { id, registry } of requests) {
      const owner = ownerOf(id);
      const present = this.#owners.get(owner);
      const name = registry ?? present ?? DEFAULT_REGISTRY_NAME;
      const entry = this.set.named(name);
      if (present !== undefined && present !== name) {
        throw ownerElsewhere(owner, this.set.named(present), entry);
      }
      this.#owners.set(owner, name);
    }
  }

  /**
   * The head of a build, or `undefined` when its registry does not have it.
   * @param requirers the builds that require it: they decide where the owner is looked up if it is open
   * @throws {ClientError} those of the registry, `ERR_ORIGIN`
   */
  async head(id: string, requirers: () => readonly string[] = () => []): Promise<Head | undefined> {
    const entry = await this.#locate(id, requirers);
    const down = this.#down.get(entry.name);
    if (down === undefined) return this.set.use(entry).head(id);
    if (Object.hasOwn(this.#installed, id)) return undefined;
    throw down;
  }

  /** As `Registry.record`. */
  async record(id: string, listed: HeadVersion): Promise<PackageRecord | undefined> {
    return this.set.use(this.entryOf(id)).record(id, listed);
  }

  /** As `Registry.version`. */
  async version(id: string, version: string): Promise<VersionDocument | undefined> {
    return this.set.use(this.entryOf(id)).version(id, version);
  }

  /** As `Registry.tarball`. */
  async tarball(id: string, version: string, integrity: string): Promise<Uint8Array> {
    return this.set.use(this.entryOf(id)).tarball(id, version, integrity);
  }

  /**
   * Checks that the registries have every installed version of the lock, unchanged. A registry that cannot be
   * reached is left out, unless it is the only one or has one of the builds `wanted`.
   * @throws {ClientError} as `Registry.checkInstalled`
   */
  async checkInstalled(wanted: Iterable<string> = []): Promise<void> {
    const published = Object.keys(this.#installed).filter((id) => {
      return this.#installed[id]?.source === undefined;
    });
    const byName = Map.groupBy(published, (id) => this.entryOf(id).name);
    const entries = this.set.all.filter(({ name }) => byName.has(name));
    const needed = new Set(Array.from(wanted, (id) => this.entryOf(id).name));
    const checks = await Promise.allSettled(
      entries.map((entry) => this.set.use(entry).checkInstalled(byName.get(entry.name))),
    );
    for (const [at, { name }] of entries.entries()) {
      const check = checks[at]!;
      if (check.status === 'fulfilled') continue;
      const reason: unknown = check.reason;
      if (!isUnreachable(reason) || needed.has(name) || entries.length === 1) throw reason;
      this.#down.set(name, reason);
    }
    const [first] = this.#down.values();
    if (first !== undefined && this.#down.size === entries.length) throw first;
  }

  /**
   * Checks that chosen builds get what they require from their own registry or from its upstreams.
   * @throws {ClientError} `ERR_OWNER_REGISTRY`
   */
  async checkRequirements(
    versions: Iterable<readonly [string, { readonly builds: Readonly<Record<string, string>> }]>,
  ): Promise<void> {
    for (const [id, { builds }] of versions) {
      const from = this.entryOf(id);
      for (const required of Object.keys(builds)) {
        const name = this.#owners.get(ownerOf(required)) ?? from.name;
        if (name === from.name || (await this.#isUpstream(from, this.set.named(name)))) continue;
        throw requiredElsewhere(id, from, required, this.set.named(name));
      }
    }
  }

  /** Opens what the registry `name` names as upstreams. @throws {ClientError} those of the registry */
  async openUpstreams(name: string): Promise<void> {
    const from = this.set.named(name);
    this.set.use(from);
    for (const upstream of await upstreamsOf(from)) {
      await openUpstream(this.set, from, upstream, this.#open);
    }
  }

  async #isUpstream(from: RegistryEntry, entry: RegistryEntry): Promise<boolean> {
    const origin = await this.set.originOf(entry);
    return (await upstreamsOf(from)).some((upstream) => upstream.origin === origin);
  }

  /** The registry of `id`; looks for it where its owner has none yet. */
  async #locate(id: string, requirers: () => readonly string[]): Promise<RegistryEntry> {
    const owner = ownerOf(id);
    for (;;) {
      const name = this.#owners.get(owner);
      if (name !== undefined) return this.set.named(name);
      const locating = this.#locating.get(owner);
      if (locating === undefined) break;
      await locating;
    }
    // One search for an owner at a time, in the order of the calls: the order of answers does not decide.
    const searching = this.#search(id, requirers());
    const ended = searching.catch(() => {}).then(() => void this.#locating.delete(owner));
    this.#locating.set(owner, ended);
    const found = await searching;
    await ended;
    return found;
  }

  /** The first registry that has the owner, which belongs to it from then on; without one, the first of all. */
  async #search(id: string, requirers: readonly string[]): Promise<RegistryEntry> {
    const owner = ownerOf(id);
    const starts = [...new Set(requirers.map((requirer) => this.entryOf(requirer)))];
    if (starts.length === 0) starts.push(this.set.named(DEFAULT_REGISTRY_NAME));
    for (const start of starts) {
      this.set.use(start);
      const upstreams = await upstreamsOf(start);
      if (starts.length === 1 && upstreams.length === 0) {
        this.#owners.set(owner, start.name);
        return start;
      }
      for (const upstream of [undefined, ...upstreams]) {
        const entry =
          upstream === undefined
            ? start
            : await openUpstream(this.set, start, upstream, this.#open);
        const isHere =
          (await entry.registry.head(id)) !== undefined || (await entry.registry.hasOwner(owner));
        if (!isHere) continue;
        await this.set.checked(entry);
        this.#owners.set(owner, entry.name);
        return entry;
      }
    }
    return starts[0]!;
  }
}
