/** `/registry.json` describes the registry. */
import { z } from 'zod';

/**
 * The origin of a registry: a stable name in the form of a host and a path, the same at all its mirrors.
 *
 *     registry.example/main        127.0.0.1:4173        localhost/home/me/index (a folder)
 *
 * It comes from `registry.json`, which a hostile server may have written: it is a claim, never a proof.
 */
export const MAX_ORIGIN_LENGTH = 200;

const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?)(?::\d{1,5})?$/;
const SEGMENT = /^(?!\.{1,2}$)[\w.~%@+:-]+$/;

/** The schema of an origin that a registry states. */
export const Origin = z
  .string()
  .refine(isOrigin, { error: 'not a host and a path, such as "registry.example/main"' });

/** Whether `text` is a host with an optional port and path, in lower case up to the path, without `/` at the end. */
export function isOrigin(text: string): boolean {
  const [host = '', ...path] = text.split('/');
  return (
    text.length <= MAX_ORIGIN_LENGTH && HOST.test(host) && path.every((part) => SEGMENT.test(part))
  );
}

/**
 * The origin of a registry that states none: host and path of its address. A folder is at `localhost`.
 * @returns printable ASCII; `?`, which is no origin, for a text that is no address
 * @example originOf('https://registry.example/main/') // 'registry.example/main'
 */
export function originOf(address: string): string {
  if (!URL.canParse(address)) return '?';
  const { protocol, host, pathname } = new URL(address);
  let end = pathname.length;
  while (pathname[end - 1] === '/') end -= 1;
  return `${/^(?:git\+)?file:$/.test(protocol) ? 'localhost' : host}${pathname.slice(0, end)}`;
}

/** The origin of a registry at an address: the one that it states, otherwise host and path of its public address. */
export function statedOrigin(
  info: { readonly origin?: string | undefined; readonly base_url: string } | undefined,
  address: string,
): string {
  const derived = originOf(info?.base_url ?? '');
  return info?.origin ?? (isOrigin(derived) ? derived : originOf(address));
}

/** How the host of a private registry wants credentials; a host may show it to everybody in `registry.json`. */
export const Authentication = z.object({
  scheme: z
    .enum(['basic', 'bearer'])
    .describe('How a credential is sent where an answer 401 does not say it.'),
  help: z
    .url({ protocol: /^https$/ })
    .max(1000)
    .optional()
    .describe('A page for people about how to get a credential.'),
});
export type Authentication = z.infer<typeof Authentication>;

/** Of a rule on the age of versions. */
export const MinAgeHours = z.int().min(0).max(99_999).optional();

/** The version of the static interface. Additions keep it, removals raise it. */
export const INTERFACE_VERSION = 2;

/** How many other registries a registry may look requirements up in. */
export const MAX_UPSTREAMS = 10;

const Upstream = z.object({
  origin: Origin,
  address: z.string().max(1000).describe('Base address, without "/" at the end.'),
});

export const RegistryInfo = z
  .object({
    name: z.string(),
    interface: z.int(),
    base_url: z.string().describe('"" when the registry has no public address.'),
    source_commit: z.string().describe('The commit that the index was generated from.'),
    builds: z.int(),
    versions: z.int(),
    min_age_hours: MinAgeHours.describe(
      'How old versions should be that a new project takes, as the registry recommends.',
    ),
    taken_down: z.int().optional().describe('Of the versions, those that were taken down, if any.'),
    repository: z
      .string()
      .optional()
      .describe('Address of the git repository that takes pull requests of publishers.'),
    origin: Origin.optional().describe(
      'The name of the registry, the same at all its mirrors. Absent: host and path of the address.',
    ),
    auth: Authentication.optional()
      .catch(undefined)
      .describe('What clients need to read the registry; absent for a public one.'),
    upstreams: z
      .array(Upstream)
      .max(MAX_UPSTREAMS)
      .optional()
      .describe('Registries in which requirements are looked up after this one, in order.'),
    client: z
      .object({
        version: z.string(),
        path: z
          .string()
          .describe('Relative to this document; the file "stackyard.tgz" beside it is the same.'),
        integrity: z.string(),
      })
      .optional()
      .describe('The client that the registry serves, as an npm package.'),
    log: z
      .object({
        origin: z.string().max(300).describe('The name of the log.'),
        key: z.string().max(400).optional().describe('Its public key; absent: it is not signed.'),
      })
      .optional()
      .describe('The transparency log below "log/".'),
  })
  .meta({ title: 'Stackyard registry' });
export type RegistryInfo = z.infer<typeof RegistryInfo>;

/** The schema of `/owners/<owner>.json`. */
export const OwnerInfo = z
  .object({
    owner: z.string(),
    account_id: z.int().optional().describe('Numeric account at the code host.'),
    builds: z.array(z.string()).describe('Ids, sorted.'),
    reputation: z.number(),
    reputation_parts: z.record(z.string(), z.number()).describe('Explained in docs/checks.md.'),
  })
  .meta({ title: 'Stackyard owner' });
export type OwnerInfo = z.infer<typeof OwnerInfo>;
