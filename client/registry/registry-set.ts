/** The registries that a command uses, by their names in the project. */
import { DEFAULT_REGISTRY_NAME } from '../../format/registry/registry-name.ts';
import { ClientError } from '../errors.ts';
import {
  isUnreachable,
  otherOrigin,
  type RegistryEntry,
  registryOrigin,
  sameOrigin,
} from './registry-entry.ts';
import type { Registry } from './registry.ts';

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
