/** A registry of a project, and whether it is the one that the lock means. */
import type { LockedRegistry } from '../../format/lock/lock.ts';
import { DEFAULT_REGISTRY_NAME } from '../../format/registry/registry-name.ts';
import { ClientError } from '../errors.ts';
import { registryOrigin } from './registry-identity.ts';
import type { Registry } from './registry.ts';
import { lowerCase } from '../../format/unicode.ts';

export interface RegistryEntry {
  /** Its name in the project. */
  readonly name: string;
  readonly registry: Registry;
  /** As the lock has it, or the registry that names it as upstream; `undefined` where neither does. */
  readonly known: LockedRegistry | undefined;
  /** Whether the lock has it. */
  readonly isLocked: boolean;
}

/**
 * Checks that the address holds an index, and that it states the origin by which the project knows it. The origin is
 * a claim: this only finds that an address serves another registry than before.
 * @throws {ClientError} `ERR_ORIGIN`, `ERR_REGISTRY_ANSWER`, `ERR_NETWORK`
 */
export async function checkEntry(
  entry: RegistryEntry,
  others: Iterable<RegistryEntry>,
): Promise<void> {
  const { registry, known } = entry;
  await registry.checkIndex();
  const origin = await registryOrigin(registry);
  if (origin === undefined || origin === known?.origin) return;
  if (known?.origin !== undefined) throw otherOrigin(entry, origin, known.origin);
  for (const other of others) {
    if (other === entry || other.known?.origin !== origin) continue;
    throw sameOrigin(registry.base, origin, other);
  }
}

/** An address that serves another registry than the one that was meant. */
export function otherOrigin(
  { name, registry: { base }, known, isLocked }: RegistryEntry,
  origin: string,
  before: string,
): ClientError {
  if (!isLocked) {
    const problem = `${base} is the registry "${origin}", and "${known?.via}" names it as "${before}"`;
    return new ClientError('ERR_ORIGIN', problem, { hint: `report it to "${known?.via}"` });
  }
  return new ClientError(
    'ERR_ORIGIN',
    `${base} is now the registry "${origin}", and in this project "${name}" is "${before}"`,
    {
      hint: `if it was renamed on purpose: stackyard registry move ${name} ${base}; if "${name}" has another address now: stackyard registry move ${name} <address>`,
    },
  );
}

/** A registry that states the origin of another one of the project. */
export function sameOrigin(base: string, origin: string, other: RegistryEntry): ClientError {
  const { name, known } = other;
  return new ClientError(
    'ERR_ORIGIN',
    `${base} states the origin "${origin}", which "${name}" at ${known?.address} has in this project`,
    {
      hint: `an origin is one registry: to use this address for it, as a mirror: stackyard registry move ${name} ${base}; if it is another registry, it needs an origin of its own in its registry.config.json`,
    },
  );
}

/** A name for a registry: `registry-example-main` for `registry.example/main`. */
export function suggestedName(origin: string, isTaken = (_name: string): boolean => false): string {
  const words = lowerCase(origin).replaceAll(/[^a-z0-9]+/g, '-');
  const start =
    words
      .replace(/^[^a-z]+/, '')
      .slice(0, 36)
      .replace(/-+$/, '') || 'registry';
  const base = start === DEFAULT_REGISTRY_NAME ? `${start}-registry` : start;
  let name = base;
  for (let count = 2; isTaken(name); count += 1) name = `${base}-${count}`;
  return name;
}
