/** `registry.config.json`, at the root of a registry repository. Every field has a default. */
import { z } from 'zod';
import { Account } from './account.ts';
import { isBuildId, isBuildName } from '../build/build-id.ts';
import { isNoteKey } from '../log/note-key.ts';
import {
  Origin,
  isOrigin,
  originOf,
  MAX_UPSTREAMS,
  Authentication,
  MinAgeHours,
} from '../index/registry-info.ts';
import { ROOT } from './repository-layout.ts';

/**
 * Reasons of the gate for which a pull request may be merged without an answer of an admin: they concern a
 * build itself. Changes of the registry, or of permissions, always need an admin.
 */
export const WAITING_REASONS = [
  'gate-capability',
  'gate-caution',
  'gate-consent',
  'gate-first-build',
  'gate-name-like',
  'gate-name-twin',
  'gate-new-name',
  'gate-owner-near',
] as const;

const LogKey = z.string().max(400).refine(isNoteKey, { error: 'not a public key of a log' });

/** An absolute path, on Windows with its drive. */
const FOLDER = /^(?:\/|[A-Za-z]:[\\/])\P{Cc}{0,1000}$/u;

const Upstream = z.strictObject({
  address: z
    .url({ protocol: /^https?$/ })
    .max(1000)
    .refine(isPlainAddress, { error: 'has a user name, a query, a fragment or too unusual a path' })
    .describe('Address of its index, without "/" at the end.'),
  origin: Origin.optional().describe('Its name; default: host and path of its address.'),
});

/** The kinds of code hosts whose workflows and forms this software knows. */
export const CODE_HOSTS = ['github', 'gitea', 'forgejo'] as const;
export type CodeHostKind = (typeof CODE_HOSTS)[number];

export const RegistryConfig = z
  .strictObject({
    $schema: z.string().optional(),
    name: z
      .string()
      .min(1)
      .max(100)
      .default('Stackyard registry')
      .describe('What pages and clients call the registry.'),
    base_url: z
      .union([z.literal(''), z.url({ protocol: /^https?$/ })])
      .default('')
      .describe('Public address of the index, without "/" at the end.'),
    origin: Origin.optional().describe(
      'Name of the registry, the same at all its mirrors; default: host and path of "base_url".',
    ),
    upstreams: z
      .array(Upstream)
      .max(MAX_UPSTREAMS)
      .default([])
      .describe('Registries in which clients look requirements up after this one, in order.'),
    min_age_hours: MinAgeHours.describe(
      'Recommended to new projects: no version younger than this is chosen.',
    ),
    auth: Authentication.strict()
      .optional()
      .describe('What clients need to read the index, where its host asks for credentials.'),
    repository: z
      .union([z.url({ protocol: /^(?:https|ssh)$/ }), z.string().regex(FOLDER)], {
        error: 'not an https or ssh address, or the absolute path of a folder',
      })
      .optional()
      .describe(
        'The git repository that takes the proposals of publishers: its address, or the absolute path of a folder for clients on the same machine.',
      ),
    code_host: z
      .enum(CODE_HOSTS)
      .optional()
      .describe(
        'What the host of "repository" is, for the address of the form "Appeal"; by default GitHub, and what codeberg.org and gitea.com are.',
      ),
    software: z
      .strictObject({
        address: z
          .string()
          .regex(/^(?:https?:\/\/[^\s?#@]{1,900}|[\w.-]{1,100}(?:\/[\w.-]{1,100}){0,9})$/, {
            error: 'not an http or https address, or the path of a file in the repository',
          })
          .describe('Of the package "stackyard-registry", or its path in the repository.'),
        integrity: z
          .string()
          .regex(/^sha512-[A-Za-z0-9+/]{86}==$/, { error: 'not "sha512-" and 64 bytes in base64' })
          .describe('Its SHA-512: nothing else is installed.'),
      })
      .optional()
      .describe('What the workflows install and run.'),
    root: z
      .string()
      .regex(ROOT, { error: 'not the path of a folder with "/" at its end, such as "registry/"' })
      .default('')
      .describe(
        'The folder of the registry in a larger repository, such as "registry/": builds, signals, advisories, reports and decisions are below it, this file stays at the top. Choose it before the first publication.',
      ),
    admins: z.array(Account).default([]).describe('Accounts that may change any build.'),
    reserved_names: z
      .array(z.string().refine(isBuildName, { error: 'not a build name' }))
      .default([])
      .describe('Names of builds that nobody may publish.'),
    approved_names: z
      .array(z.string().refine(isBuildId, { error: 'not a build id' }))
      .default([])
      .describe('Ids of builds that may be called like another one.'),
    log: z
      .strictObject({
        key: LogKey.optional().describe(
          'The public key that signs the log, as "npm run log:key" prints it.',
        ),
        dropped: z
          .array(LogKey)
          .max(16)
          .default([])
          .describe(
            'Keys that signed it earlier and are lost or leaked: runs need their signature no more. Users name the new key by hand.',
          ),
        witnesses: z
          .array(
            z.strictObject({
              key: LogKey.describe('The public key of its cosignatures.'),
              address: z
                .url({ protocol: /^https?$/ })
                .max(1000)
                .describe('Where it answers.'),
            }),
          )
          .max(16)
          .default([])
          .describe('Servers that confirm every state of the log when it is deployed.'),
      })
      .default({ dropped: [], witnesses: [] })
      .describe('The transparency log.'),
    site: z
      .union([
        z.boolean(),
        z.strictObject({
          highlighting: z.boolean().default(true).describe('Whether code on pages is coloured.'),
        }),
      ])
      .default(true)
      .describe('Whether the index has pages for people, and what they have.'),
    shadcn: z
      .boolean()
      .default(false)
      .describe(
        'Whether the index also has the modules in the form that the CLI of shadcn installs; needs "base_url".',
      ),
    advisory_prefix: z
      .string()
      .regex(/^[A-Z][A-Z0-9]{1,19}$/, { error: 'not 2 to 20 of A-Z and 0-9, a letter first' })
      .default('STACKYARD')
      .describe('The name in the ids of advisories that the gate gives: x_STACKYARD-2026-0001.'),
    review_hours: z
      .int()
      .min(0)
      .max(8_760)
      .default(72)
      .describe('Within how many hours an admin looks at what the gate does not merge.'),
    waiting_hours: z
      .partialRecord(z.enum(WAITING_REASONS), z.int().min(1).max(8_760))
      .default({})
      .describe(
        'Reason to review to the hours after which it is merged if no admin holds it; without, one must approve.',
      ),
    from: z
      .string()
      .regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/, { error: 'not the full id of a commit' })
      .optional()
      .describe(
        'The commit after which publications count, for a registry that began as a clone or fork of another one.',
      ),
    acknowledged: z
      .record(z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/), z.string().min(1))
      .default({})
      .describe('Commits whose faults are known and no longer fail a run, with the reason.'),
  })
  .superRefine(({ upstreams, ...config }, context) => {
    if (config.shadcn && config.base_url === '') {
      const message = 'needs "base_url": items name the items that they require by address';
      context.addIssue({ code: 'custom', path: ['shadcn'], message });
    }
    const origins = [originOfRegistry(config), ...upstreams.map(originOfUpstream)];
    for (const [at, origin] of origins.entries()) {
      if (at === 0 || !origins.slice(0, at).includes(origin)) continue;
      const message = `names "${origin}" again: a registry and its upstreams have different origins`;
      context.addIssue({ code: 'custom', path: ['upstreams', at - 1], message });
    }
  })
  .meta({ title: 'Stackyard registry configuration' });
export type RegistryConfig = z.infer<typeof RegistryConfig>;

/** The origin that the index states; `undefined` without a public address: then its address counts. */
export function originOfRegistry({
  origin,
  base_url: address,
}: Pick<RegistryConfig, 'origin' | 'base_url'>): string | undefined {
  if (origin !== undefined || address === '') return origin;
  const derived = originOf(address);
  return isOrigin(derived) ? derived : undefined;
}

/** The issue form "Appeal"; `undefined` where the repository has no address for a browser. */
export function appealAddress({
  repository,
  code_host: host,
}: Pick<RegistryConfig, 'code_host' | 'repository'>): string | undefined {
  if (repository?.startsWith('https:') !== true) return undefined;
  const kind = host ?? PUBLIC_HOSTS[new URL(repository).hostname] ?? 'github';
  return `${repository.replace(/(?:\.git)?\/*$/, '')}/${APPEALS[kind]}`;
}

const PUBLIC_HOSTS: Readonly<Record<string, CodeHostKind>> = {
  'codeberg.org': 'forgejo',
  'gitea.com': 'gitea',
};
const APPEALS: Readonly<Record<CodeHostKind, string>> = {
  github: 'issues/new?template=appeal.yml',
  gitea: 'issues/new?template=.gitea/ISSUE_TEMPLATE/appeal.yml',
  forgejo: 'issues/new?template=.forgejo/ISSUE_TEMPLATE/appeal.yml',
};

/** The origin of a registry that the configuration names. */
export function originOfUpstream({ origin, address }: z.infer<typeof Upstream>): string {
  return origin ?? originOf(address);
}

function isPlainAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password, search, hash } = new URL(text);
  return `${username}${password}${search}${hash}` === '' && isOrigin(originOf(text));
}
