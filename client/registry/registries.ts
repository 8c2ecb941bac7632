/**
 * All registries of a project, by their names in it. An owner belongs to one of them, so that an id always means one build: to the
 * registry of its installed builds, otherwise to the one that the user names; the owner of a build that another build requires to
 * the first of that build's registry and its upstreams that has it. Builds of this machine lie over them.
 */
import type { Head } from '../../format/index/record.ts';
import type { RegistryInfo } from '../../format/index/registry-info.ts';
import type { VersionDocument } from '../../format/index/version-document.ts';
import type { Lock } from '../../format/project/lock.ts';
import { isLoopback } from '../../format/registry/registry-headers.ts';
import { DEFAULT_REGISTRY_NAME } from '../../format/registry/registry-name.ts';
import { ClientError } from '../errors.ts';
import type { LocalBuild } from '../project/local-build.ts';
import {
  isUnreachable,
  otherOrigin,
  ownerOf,
  placeOf,
  type RegistryEntry,
  sameOrigin,
  suggestedName,
} from './registry-entry.ts';
import type { Registry } from './registry.ts';
import { parseRegistryAddress } from './source.ts';

type Upstream = NonNullable<RegistryInfo['upstreams']>[number];

export class Registries {
  readonly #entries: Map<string, RegistryEntry>;
  /** Whether each registry that was used is the one that is meant. */
  readonly #checks = new Map<RegistryEntry, Promise<void>>();
  readonly #open: (address: string) => Registry;
  readonly #installed: Lock['builds'];
  /** The project, where the lock has builds of this machine. */
  readonly #project: string | undefined;
  /** Owner to name of the registry. */
  readonly #owners: Map<string, string>;
  /** Owners whose registry is being looked for. */
  readonly #locating = new Map<string, Promise<unknown>>();
  /** Registries that cannot be reached; installed builds of them stay as they are. */
  readonly #down = new Map<string, ClientError>();
  #local: ReadonlyMap<string, LocalBuild> = new Map();

  /**
   * @param installed the builds of the lock
   * @param open opens an upstream that the project does not have yet
   */
  constructor(
    entries: readonly RegistryEntry[],
    installed: Lock['builds'],
    open: (address: string) => Registry,
    project?: string,
  ) {
    this.#entries = new Map(entries.map((entry) => [entry.name, entry]));
    [this.#installed, this.#open, this.#project] = [installed, open, project];
    const builds = Object.entries(installed);
    this.#owners = new Map(builds.map(([id, { registry }]) => [ownerOf(id), registry]));
  }

  /** Lays builds that are not published over the registries. @param builds by id */
  layOver(builds: ReadonlyMap<string, LocalBuild>): void {
    this.#local = builds;
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

  /** Whether the project has several registries: then output names them. */
  get isSeveral(): boolean {
    return this.all.filter(({ isLocked }) => isLocked).length > 1;
  }

  /** The registries that could not be reached, by name. */
  get down(): ReadonlyMap<string, ClientError> {
    return this.#down;
  }

  /** The registry of builds without a name. */
  get defaultRegistry(): Registry {
    return this.use(this.named(DEFAULT_REGISTRY_NAME));
  }

  /** @throws {ClientError} `ERR_REGISTRY_NOT_FOUND` */
  named(name: string): RegistryEntry {
    const entry = this.#entries.get(name);
    if (entry !== undefined) return entry;
    throw new ClientError('ERR_REGISTRY_NOT_FOUND', `This project has no registry "${name}"`, {
      hint: `it has ${this.all.map((one) => one.name).join(', ')}; add one: stackyard registry add ${name} <address>`,
    });
  }

  /** The registry that the owner of `id` belongs to; the default one while that is open. */
  entryOf(id: string): RegistryEntry {
    return this.named(this.#owners.get(ownerOf(id)) ?? DEFAULT_REGISTRY_NAME);
  }

  /** Whether `id` may come from the registry `name`: its owner belongs to it, or to none yet. */
  mayServe(name: string, id: string): boolean {
    const owner = this.#owners.get(ownerOf(id));
    return owner === undefined || owner === name;
  }

  /** The registry of `entry`, whose identity is checked beside the first request that it is used for. */
  use(entry: RegistryEntry): Registry {
    if (!this.#checks.has(entry)) {
      const checking = this.#checkEntry(entry);
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
      const entry = this.named(name);
      if (present !== undefined && present !== name) {
        const own = placeOf(this.named(present));
        const problem = `"${owner}" belongs to ${own} in this project, not to ${placeOf(entry)}`;
        throw new ClientError('ERR_OWNER_REGISTRY', problem, {
          hint: `leave the name of the registry out to use ${own}; to move the owner on purpose: stackyard registry move ${owner} ${name}`,
        });
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
    const local = this.#local.get(id);
    if (local !== undefined) return local.head;
    const entry = await this.#locate(id, requirers);
    const down = this.#down.get(entry.name);
    if (down === undefined) return this.use(entry).head(id);
    if (Object.hasOwn(this.#installed, id)) return undefined;
    throw down;
  }

  /** As `Registry.version`. */
  async version(id: string, version: string): Promise<VersionDocument | undefined> {
    try {
      return await this.use(this.entryOf(id)).version(id, version);
    } catch (error) {
      if (!this.#local.has(id) || !isUnreachable(error)) throw error;
      return undefined;
    }
  }

  /** As `Registry.tarball`; that of an installed build of this machine comes from there. */
  async tarball(id: string, version: string, integrity: string): Promise<Uint8Array> {
    const local = this.#local.get(id);
    if (local?.integrity === integrity) return local.bytes;
    const published = (): Promise<Uint8Array> =>
      this.use(this.entryOf(id)).tarball(id, version, integrity);
    const { source, integrity: own } = this.#installed[id] ?? {};
    const project = this.#project;
    if (project === undefined || source === undefined || own !== integrity) return published();
    const { bytesOfSource } = await import('../project/local-build.ts');
    return bytesOfSource({ source, project }, id, integrity).catch((error: unknown) =>
      // It may be published by now, with the same bytes.
      published().catch(() => Promise.reject(error)),
    );
  }

  /**
   * Checks that the registries have every installed version of the lock, unchanged. A registry that cannot be
   * reached is left out, unless it is the only one or has one of the builds `wanted`.
   * @throws {ClientError} as `Registry.checkInstalled`
   */
  async checkInstalled(wanted: Iterable<string> = []): Promise<void> {
    try {
      await this.#checkInstalled(new Set(Array.from(wanted, (id) => this.entryOf(id).name)));
    } catch (error) {
      // A registry that does not answer has no news of what is installed, and of a local build it has none anyway.
      if (this.#local.size === 0 || !isUnreachable(error)) throw error;
    }
  }

  async #checkInstalled(needed: ReadonlySet<string>): Promise<void> {
    const published = Object.keys(this.#installed).filter((id) => {
      return this.#installed[id]?.source === undefined;
    });
    const byName = Map.groupBy(published, (id) => this.entryOf(id).name);
    const entries = this.all.filter(({ name }) => byName.has(name));
    const checks = await Promise.allSettled(
      entries.map((entry) => this.use(entry).checkInstalled(byName.get(entry.name))),
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
        const owner = ownerOf(required);
        const present = this.named(this.#owners.get(owner) ?? from.name);
        if (present === from || (await this.#isUpstream(from, present))) continue;
        throw new ClientError(
          'ERR_OWNER_REGISTRY',
          `"${id}" from ${placeOf(from)} requires "${required}", and "${owner}" belongs to ${placeOf(present)} in this project, which "${from.name}" does not name as upstream`,
          {
            hint: `if the builds of "${from.name}" are meant, move the owner on purpose: stackyard registry move ${owner} ${from.name}`,
          },
        );
      }
    }
  }

  /** The registry of `id`; looks for it where its owner has none yet. */
  async #locate(id: string, requirers: () => readonly string[]): Promise<RegistryEntry> {
    const owner = ownerOf(id);
    for (;;) {
      const name = this.#owners.get(owner);
      if (name !== undefined) return this.named(name);
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
    if (starts.length === 0) starts.push(this.named(DEFAULT_REGISTRY_NAME));
    for (const start of starts) {
      this.use(start);
      const upstreams = await upstreamsOf(start);
      if (starts.length === 1 && upstreams.length === 0) {
        this.#owners.set(owner, start.name);
        return start;
      }
      for (const upstream of [undefined, ...upstreams]) {
        const entry = upstream === undefined ? start : await this.#openUpstream(start, upstream);
        const isHere =
          (await entry.registry.head(id)) !== undefined || (await entry.registry.hasOwner(owner));
        if (!isHere) continue;
        await this.checked(entry);
        this.#owners.set(owner, entry.name);
        return entry;
      }
    }
    return starts[0]!;
  }

  /**
   * The upstream as a registry of this project, which is added where it has none of that origin. Where it has one, the address of
   * the project counts: the list is untrusted.
   * @throws {ClientError} `ERR_REGISTRY_ANSWER` for a cycle, and for an address that cannot be one; those of the upstream
   */
  async #openUpstream(from: RegistryEntry, { origin, address }: Upstream): Promise<RegistryEntry> {
    let entry = await this.#ofOrigin(origin);
    if (entry === undefined) {
      const known = { origin, address: upstreamAddress(from, origin, address), via: from.name };
      const name = suggestedName(origin, (taken) => this.#entries.has(taken));
      entry = { name, registry: this.#open(known.address), known, isLocked: false };
      this.#entries.set(name, entry);
    }
    this.use(entry);
    const way = await this.#wayTo(from, entry, []);
    if (way === undefined) return entry;
    const names = [from, ...way].map(({ name }) => name).join(' -> ');
    const problem = `The upstreams of registries form a cycle: ${names}`;
    throw new ClientError('ERR_REGISTRY_ANSWER', problem, {
      hint: 'report it to the registries: one of them must not name the other; builds that need no upstream can be installed',
    });
  }

  /** The registries from `start` to `end`, along upstreams that this run uses. */
  async #wayTo(
    end: RegistryEntry,
    start: RegistryEntry,
    before: readonly RegistryEntry[],
  ): Promise<readonly RegistryEntry[] | undefined> {
    if (start === end) return [...before, start];
    if (before.includes(start)) return undefined;
    for (const { origin } of await upstreamsOf(start)) {
      const next = await this.#ofOrigin(origin);
      if (next === undefined || !this.#checks.has(next)) continue;
      const way = await this.#wayTo(end, next, [...before, start]);
      if (way !== undefined) return way;
    }
    return undefined;
  }

  async #isUpstream(from: RegistryEntry, entry: RegistryEntry): Promise<boolean> {
    const origin = await this.#originOf(entry);
    return (await upstreamsOf(from)).some((upstream) => upstream.origin === origin);
  }

  async #ofOrigin(origin: string): Promise<RegistryEntry | undefined> {
    for (const entry of this.all) if ((await this.#originOf(entry)) === origin) return entry;
    return undefined;
  }

  /** `undefined` while it is not known: of a registry whose origin the lock does not have, until it is used. */
  async #originOf(entry: RegistryEntry): Promise<string | undefined> {
    const { known, registry } = entry;
    return known?.origin ?? (this.#checks.has(entry) ? registry.origin() : undefined);
  }

  /**
   * Checks that the address holds an index, and that it states the origin by which the project knows it. The origin is
   * a claim: this only finds that an address serves another registry than before.
   * @throws {ClientError} `ERR_ORIGIN`, `ERR_REGISTRY_ANSWER`, `ERR_NETWORK`
   */
  async #checkEntry(entry: RegistryEntry): Promise<void> {
    const { registry, known } = entry;
    const others = this.all;
    const origin = await registry.origin();
    if (origin === undefined || origin === known?.origin) return;
    if (known?.origin !== undefined) throw otherOrigin(entry, origin, known.origin);
    const other = others.find((one) => one !== entry && one.known?.origin === origin);
    if (other !== undefined) throw sameOrigin(registry.base, origin, other);
  }
}

/** What a registry names as upstreams, in order. @throws {ClientError} those of the registry */
async function upstreamsOf({ registry }: RegistryEntry): Promise<readonly Upstream[]> {
  return (await registry.knownInfo())?.upstreams ?? [];
}

/** A remote registry must not make the client read folders or services of this machine. */
function upstreamAddress(from: RegistryEntry, origin: string, address: string): string {
  const { base } = from.registry;
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
