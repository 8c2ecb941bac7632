/** An owner belongs to one registry in a project: what is refused because of it, and the way out. Pure. */
import { ClientError } from '../errors.ts';
import type { RegistryEntry } from './registry-entry.ts';

/** `alice` of `alice/web`. */
export function ownerOf(id: string): string {
  return id.slice(0, id.indexOf('/'));
}

/** The error for a build that was asked for from another registry than that of its owner. */
export function ownerElsewhere(
  owner: string,
  present: RegistryEntry,
  wanted: RegistryEntry,
): ClientError {
  return new ClientError(
    'ERR_OWNER_REGISTRY',
    `"${owner}" belongs to ${place(present)} in this project, not to ${place(wanted)}`,
    {
      hint: `leave the name of the registry out to use ${place(present)}; to move the owner on purpose: stackyard registry move ${owner} ${wanted.name}`,
    },
  );
}

/** The error for a requirement whose owner belongs to a registry that is no upstream. */
export function requiredElsewhere(
  id: string,
  from: RegistryEntry,
  required: string,
  present: RegistryEntry,
): ClientError {
  const owner = ownerOf(required);
  return new ClientError(
    'ERR_OWNER_REGISTRY',
    `"${id}" from ${place(from)} requires "${required}", and "${owner}" belongs to ${place(present)} in this project, which "${from.name}" does not name as upstream`,
    {
      hint: `if the builds of "${from.name}" are meant, move the owner on purpose: stackyard registry move ${owner} ${from.name}`,
    },
  );
}

function place({ name, registry }: RegistryEntry): string {
  return `"${name}" (${registry.base})`;
}
