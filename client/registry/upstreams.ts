/**
 * The registries that a registry names as its upstreams, in `registry.json`. The list is untrusted: where
 * the project has a registry of that origin, the address of the project counts.
 */
import type { RegistryInfo } from '../../format/index/registry-info.ts';
import { isLoopback } from '../../format/registry/registry-headers.ts';
import { ClientError } from '../errors.ts';
import { parseRegistryAddress } from './network/registry-address.ts';
import { type RegistryEntry, suggestedName } from './registry-entry.ts';
import type { RegistrySet } from './registry-set.ts';
import type { Registry } from './registry.ts';

type Upstream = NonNullable<RegistryInfo['upstreams']>[number];

/** What a registry names as upstreams, in order. @throws {ClientError} those of the registry */
export async function upstreamsOf({ registry }: RegistryEntry): Promise<readonly Upstream[]> {
  return (await registry.knownInfo())?.upstreams ?? [];
}

/**
 * The upstream as a registry of this project, which is added to `set` where it has none of that origin.
 * @throws {ClientError} `ERR_REGISTRY_ANSWER` for a cycle, and for an address that cannot be one; those of
 * the upstream
 */
export async function openUpstream(
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
