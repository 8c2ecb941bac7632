/**
 * Which repositories a fleet has: those of an organisation or group at a code host, or git addresses and folders.
 *
 *     github:acme    gitlab:acme/web    gitea:https://git.example/acme    forgejo:https://git.example/acme
 *     https://git.example/acme/shop.git    ../shop    repositories.txt (one of these in each line)
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { compareText } from '../../format/compare-text.ts';
import { isLoopback } from '../../format/registry/registry-headers.ts';
import { HOST_KINDS, type HostKind } from '../../format/registry/registry-config.ts';
import { requestsTo } from '../host/code-host.ts';
import { HostError, type HostRequests } from '../host/host-requests.ts';
import { usageError } from '../errors.ts';

export interface Credential {
  /** Such as `https://host`: the token is for this origin alone. */
  readonly origin: string;
  readonly token: string;
}

export interface FleetRepository {
  readonly name: string;
  /** For git: an address, or the absolute path of a folder. */
  readonly address: string;
  readonly isFolder: boolean;
  /** Why it is not read, where the code host states it. */
  readonly skipped?: 'archived' | 'empty' | undefined;
  readonly credential?: Credential | undefined;
}

const HOSTED = new RegExp(
  `^(${HOST_KINDS.join('|')}):(https?://[^/\\s?#@]+)?/?([\\w.-]+(?:/[\\w.-]+)*)$`,
);
const ADDRESS = /^(?:https?|ssh|git|file):\/\/[^\s]+$|^[\w.-]+@[\w.-]+:[^\s:][^\s]*$/;
const ORIGINS: Partial<Record<HostKind, string>> = {
  github: 'https://github.com',
  gitlab: 'https://gitlab.com',
};
const API_PATHS = { github: '/api/v3', gitlab: '/api/v4', gitea: '/api/v1', forgejo: '/api/v1' };

/** GitHub, Gitea and Forgejo; GitLab has other names. */
const Listed = z
  .object({
    full_name: z.string().max(300).optional(),
    path_with_namespace: z.string().max(300).optional(),
    clone_url: z.string().max(1000).optional(),
    http_url_to_repo: z.string().max(1000).optional(),
    archived: z.boolean().default(false),
    empty: z.boolean().default(false),
    empty_repo: z.boolean().default(false),
  })
  .transform((row) => {
    const empty = row.empty || row.empty_repo ? ('empty' as const) : undefined;
    return {
      name: row.full_name ?? row.path_with_namespace ?? '',
      address: row.clone_url ?? row.http_url_to_repo ?? '',
      skipped: row.archived ? ('archived' as const) : empty,
    };
  });

/**
 * The repositories of all sources, by name; each once.
 * @param token of the operator, for code hosts
 * @throws {GeneratorError} `ERR_USAGE` for a text that names none; {HostError} for a host that does not list them
 */
export async function repositoriesOf(
  sources: readonly string[],
  token: string | undefined,
  waitSeconds: number,
): Promise<FleetRepository[]> {
  const found = new Map<string, FleetRepository>();
  for (const source of sources) {
    for (const one of await expand(source, token, waitSeconds)) {
      if (!found.has(one.name)) found.set(one.name, one);
    }
  }
  return [...found.values()].sort((a, b) => compareText(a.name, b.name));
}

async function expand(
  source: string,
  token: string | undefined,
  waitSeconds: number,
  isListed = false,
): Promise<FleetRepository[]> {
  const [, kindText, given, owner = ''] = HOSTED.exec(source) ?? [];
  const kind = HOST_KINDS.find((one) => one === kindText);
  if (kind !== undefined) {
    const origin = given ?? ORIGINS[kind];
    if (origin !== undefined) return listHosted(kind, origin, owner, token, waitSeconds);
    const hint = `write ${kind}:https://host/${owner}`;
    throw usageError('fleet', `Source "${source}" has no address: ${hint}`);
  }
  if (ADDRESS.test(source) && !/[\s\0]/.test(source)) {
    return [{ name: nameOf(source), address: source, isFolder: false }];
  }
  const path = resolve(source);
  const stats = existsSync(path) ? statSync(path) : undefined;
  if (stats?.isDirectory() === true) return [{ name: path, address: path, isFolder: true }];
  if (stats?.isFile() !== true || isListed) {
    const what = 'no organisation, git address, folder or file with a list of them';
    throw usageError('fleet', `Source "${source}" is ${what}`);
  }
  const all: FleetRepository[] = [];
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const named = line.trim();
    if (named === '' || named.startsWith('#')) continue;
    all.push(...(await expand(named, token, waitSeconds, true)));
  }
  return all;
}

/** Without protocol, user and ending: what people call it. */
function nameOf(address: string): string {
  return address
    .replace(/^\w+:\/\//, '')
    .replace(/^[^/@]*@/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
}

async function listHosted(
  kind: HostKind,
  origin: string,
  owner: string,
  token: string | undefined,
  waitSeconds: number,
): Promise<FleetRepository[]> {
  if (token !== undefined && origin.startsWith('http:') && !isLoopback(new URL(origin))) {
    throw usageError('fleet', `A token is not sent to "${origin}": write https`);
  }
  const isPublic = kind === 'github' && origin === ORIGINS.github;
  const api = isPublic ? 'https://api.github.com' : `${origin}${API_PATHS[kind]}`;
  const requests = requestsTo(kind, { api, repository: '', token, waitSeconds });
  const isGitLab = kind === 'gitlab';
  const id = isGitLab ? encodeURIComponent(owner) : owner;
  const [groups, people] = isGitLab
    ? [`/groups/${id}/projects?include_subgroups=true`, `/users/${id}/projects?order_by=id`]
    : [`/orgs/${id}/repos?sort=full_name`, `/users/${id}/repos?sort=full_name`];
  const host = new URL(origin).host;
  const credential = token === undefined ? undefined : { origin, token };
  const rows = await listOrElse(requests, groups, people);
  return rows.flatMap(({ name, address, skipped }): FleetRepository[] => {
    // What the host gives is an address for git, which knows dangerous ones.
    if (!/^https?:\/\/[^\s]+$/.test(address)) return [];
    return [{ name: `${host}/${name}`, address, isFolder: false, skipped, credential }];
  });
}

/** An owner is an organisation, or a person. */
async function listOrElse(requests: HostRequests, first: string, second: string) {
  try {
    return await requests.all(Listed, first);
  } catch (error) {
    if (!(error instanceof HostError) || error.status !== 404) throw error;
    return requests.all(Listed, second);
  }
}
