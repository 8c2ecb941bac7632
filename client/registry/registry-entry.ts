/** A registry of a project, and whether it is the one that the lock means. */
import type { LockedRegistry } from '../../format/project/lock.ts';
import { DEFAULT_REGISTRY_NAME } from '../../format/registry/registry-name.ts';
import { ClientError } from '../errors.ts';
import type { Registry } from './registry.ts';

export interface RegistryEntry {
  /** Its name in the project. */
  readonly name: string;
  readonly registry: Registry;
  /** As the lock has it, or the registry that names it as upstream; `undefined` where neither does. */
  readonly known: LockedRegistry | undefined;
  /** Whether the lock has it. */
  readonly isLocked: boolean;
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
  const words = origin.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
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

/** `alice` of `alice/web`. */
export function ownerOf(id: string): string {
  return id.slice(0, id.indexOf('/'));
}

/** A registry in messages: name and address. */
export function placeOf({ name, registry }: RegistryEntry): string {
  return `"${name}" (${registry.base})`;
}

/** Whether a registry did not answer: others may be used without it. */
export function isUnreachable(error: unknown): error is ClientError {
  return error instanceof ClientError && error.code === 'ERR_NETWORK';
}
