/**
 * All registries of a project. An owner belongs to one of them, so that an id always means one build: to the
 * registry of its installed builds, otherwise to the one that the user names; the owner of a build that another
 * build requires to the first of that build's registry and its upstreams that has it.
 */
import type { Head, HeadVersion, PackageRecord } from '../../format/index/record.ts';
import type { VersionDocument } from '../../format/index/version-document.ts';
import type { Lock } from '../../format/project/lock.ts';
import { DEFAULT_REGISTRY_NAME } from '../../format/registry/registry-name.ts';
import { ClientError } from '../errors.ts';
import {
  isUnreachable,
  ownerElsewhere,
  ownerOf,
  type RegistryEntry,
  requiredElsewhere,
  otherOrigin,
  registryOrigin,
  sameOrigin,
  suggestedName,
} from './registry-entry.ts';
import type { Registry } from './registry.ts';
import type { RegistryInfo } from '../../format/index/registry-info.ts';
import { isLoopback } from '../../format/registry/registry-headers.ts';
import { parseRegistryAddress } from './source.ts';

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
/**
 * Checks that the address holds an index, and that it states the origin by which the project knows it. The origin is
 * a claim: this only finds that an address serves another registry than before.
 * @throws {ClientError} `ERR_ORIGIN`, `ERR_REGISTRY_ANSWER`, `ERR_NETWORK`
 */
async function checkEntry(entry: RegistryEntry, others: Iterable<RegistryEntry>): Promise<void> {
  const { registry, known } = entry;
  const origin = await registryOrigin(registry);
  if (origin === undefined || origin === known?.origin) return;
  if (known?.origin !== undefined) throw otherOrigin(entry, origin, known.origin);
  for (const other of others) {
    if (other === entry || other.known?.origin !== origin) continue;
    throw sameOrigin(registry.base, origin, other);
  }
}

export class RegistrySet {
  readonly #entries: Map<string, RegistryEntry>;
  readonly #checks = new Map<RegistryEntry, Promise<void>>();

  constructor(entries: readonly RegistryEntry[]) {
    this.#entries = new Map(entries.map((entry) => [entry.name, entry]));
  }

  /** The default one first, the others by name. */
  get all(): readonly RegistryEntry[] {
    const rank = ({ name }: RegistryEntry): string => (name === DEFAULT_REGISTRY_NAME ? '' : name);
    return [...this.#entries.values()].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  }

  /** Those that were used. */
  get used(): readonly RegistryEntry[] {
    return this.all.filter((entry) => this.#checks.has(entry));
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** @throws {ClientError} `ERR_REGISTRY_NOT_FOUND` */
  named(name: string): RegistryEntry {
    const entry = this.#entries.get(name);
    if (entry !== undefined) return entry;
    throw new ClientError('ERR_REGISTRY_NOT_FOUND', `This project has no registry "${name}"`, {
      hint: `it has ${this.all.map((one) => one.name).join(', ')}; add one: stackyard registry add ${name} <address>`,
    });
  }

  add(entry: RegistryEntry): void {
    this.#entries.set(entry.name, entry);
  }

  /** The registry of this origin; of a registry whose origin the lock does not have, only if it was used. */
  async ofOrigin(origin: string): Promise<RegistryEntry | undefined> {
    for (const entry of this.all) {
      if ((await this.originOf(entry)) === origin) return entry;
    }
    return undefined;
  }

  /** The origin of an entry; `undefined` while it is not known. */
  async originOf(entry: RegistryEntry): Promise<string | undefined> {
    const { known, registry } = entry;
    return known?.origin ?? (this.#checks.has(entry) ? registryOrigin(registry) : undefined);
  }

  /** The registry of `entry`, whose identity is checked beside the first request that it is used for. */
  use(entry: RegistryEntry): Registry {
    if (!this.#checks.has(entry)) {
      const checking = checkEntry(entry, this.all);
      // `checked` and `checkUsed` throw the reason.
      checking.catch(() => {});
      this.#checks.set(entry, checking);
    }
    return entry.registry;
  }

  /** Waits for the check of one registry. @throws {ClientError} `ERR_ORIGIN`, and those of the registry */
  async checked(entry: RegistryEntry): Promise<void> {
    this.use(entry);
    await this.#checks.get(entry);
  }

  /**
   * Waits for the checks of all registries that were used.
   * @throws {ClientError} `ERR_ORIGIN`, `ERR_REGISTRY_ANSWER`; `ERR_NETWORK` only where there is one registry:
   * what needs another one fails by itself
   */
  async checkUsed(): Promise<void> {
    const checks = await Promise.allSettled(this.#checks.values());
    const reasons = checks.flatMap((one): unknown[] => {
      return one.status === 'rejected' ? [one.reason] : [];
    });
    const isOnly = this.#entries.size === 1;
    const serious = reasons.filter((reason) => isOnly || !isUnreachable(reason));
    if (serious.length > 0) throw serious[0];
  }

  /** Closes immediately and aborts pending requests. */
  async close(): Promise<void> {
    await Promise.all(this.all.map(({ registry }) => registry.close()));
  }
}
type Upstream = NonNullable<RegistryInfo['upstreams']>[number];

/** What a registry names as upstreams, in order. @throws {ClientError} those of the registry */
async function upstreamsOf({ registry }: RegistryEntry): Promise<readonly Upstream[]> {
  return (await registry.knownInfo())?.upstreams ?? [];
}

/**
 * The upstream as a registry of this project, which is added to `set` where it has none of that origin.
 * @throws {ClientError} `ERR_REGISTRY_ANSWER` for a cycle, and for an address that cannot be one; those of
 * the upstream
 */
async function openUpstream(
  set: RegistrySet,
  from: RegistryEntry,
  upstream: Upstream,
  open: (address: string) => Registry,
): Promise<RegistryEntry> {
  const present = await set.ofOrigin(upstream.origin);
  const entry = present ?? newEntry(set, from, upstream, open);
  if (present === undefined) set.add(entry);
  set.use(entry);
  const way = await wayTo(from, entry, set, []);
  if (way === undefined) return entry;
  const names = [from, ...way].map(({ name }) => name).join(' -> ');
  throw new ClientError(
    'ERR_REGISTRY_ANSWER',
    `The upstreams of registries form a cycle: ${names}`,
    {
      hint: 'report it to the registries: one of them must not name the other; builds that need no upstream can be installed',
    },
  );
}

function newEntry(
  set: RegistrySet,
  from: RegistryEntry,
  upstream: Upstream,
  open: (address: string) => Registry,
): RegistryEntry {
  const address = checkAddress(from, upstream);
  const name = suggestedName(upstream.origin, (taken) => set.has(taken));
  const known = { origin: upstream.origin, address, via: from.name };
  return { name, registry: open(address), known, isLocked: false };
}

/** A remote registry must not make the client read folders or services of this machine. */
function checkAddress({ registry: { base } }: RegistryEntry, upstream: Upstream): string {
  const { address, origin } = upstream;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isHere = base.startsWith('file:') || isLoopback(new URL(base));
  const isLocal = url?.protocol === 'http:' && isHere && isLoopback(url);
  if (url?.protocol === 'https:' || isLocal) return parseRegistryAddress(address).base;
  throw new ClientError(
    'ERR_REGISTRY_ANSWER',
    `${base} names the upstream "${origin}" at ${JSON.stringify(address)}, which is not an https address`,
    { hint: 'report it to the registry' },
  );
}

/** The registries from `start` to `end`, along upstreams that this run uses. */
async function wayTo(
  end: RegistryEntry,
  start: RegistryEntry,
  set: RegistrySet,
  before: readonly RegistryEntry[],
): Promise<readonly RegistryEntry[] | undefined> {
  if (start === end) return [...before, start];
  if (before.includes(start)) return undefined;
  for (const { origin } of await upstreamsOf(start)) {
    const next = await set.ofOrigin(origin);
    if (next === undefined || !set.used.includes(next)) continue;
    const way = await wayTo(end, next, set, [...before, start]);
    if (way !== undefined) return way;
  }
  return undefined;
}
