/** Reads facts about a project: package.json, pyproject.toml, requirements files, git. */
import { join } from 'node:path';

import { isVersion } from '../../format/version/version.ts';
import { readRoot } from '../edit/python/pyproject-tables.ts';
import { PACKAGE_JSON, PYPROJECT } from '../edit/edited-files.ts';
import { ClientError } from '../errors.ts';
import { folderGit } from '../project/folder-git.ts';
import { field } from '../../format/document/canonical-json.ts';
import { readJson, readText } from '../project/read-file.ts';

export interface ProjectFacts {
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly description: string | undefined;
  readonly license: string | undefined;
  readonly keywords: readonly string[];
  readonly repository: string | undefined;
  readonly homepage: string | undefined;
  /** Owner of the repository at its code host. */
  readonly owner: string | undefined;
  /** `engines.node`. */
  readonly node: string | undefined;
}

/** Reads the project in `folder`; missing or malformed values are `undefined`. */
export async function projectFacts(folder: string, signal: AbortSignal): Promise<ProjectFacts> {
  const json = readJson(join(folder, PACKAGE_JSON));
  const toml = readToml(join(folder, PYPROJECT));
  const remote = await remoteOf(folder, signal);
  const own = field(json, 'repository');
  const named = text(own) ?? text(field(own, 'url'));
  const repository = (named === undefined ? undefined : webAddress(named)) ?? remote;
  const version = text(field(json, 'version')) ?? text(field(toml, 'version'));
  const license = field(toml, 'license');
  const keywords = field(json, 'keywords') ?? field(toml, 'keywords');
  return {
    name: text(field(json, 'name')) ?? text(field(toml, 'name')),
    version: version !== undefined && isVersion(version) ? version : undefined,
    description: text(field(json, 'description')) ?? text(field(toml, 'description')),
    license: text(field(json, 'license')) ?? text(license) ?? text(field(license, 'text')),
    keywords: Array.isArray(keywords) ? keywords.flatMap((word) => text(word) ?? []) : [],
    repository,
    homepage: text(field(json, 'homepage')),
    owner: ownerOf(remote ?? repository),
    node: text(field(field(json, 'engines'), 'node')),
  };
}

/**
 * The web address of a repository for a manifest, without user names and passwords:
 * `git@host:a/b.git`, `git+https://host/a/b.git`, `github:a/b` and `a/b` become `https://.../a/b`.
 */
export function webAddress(written: string): string | undefined {
  const trimmed = written.trim();
  const short = /^(?:github:)?([\w.-]{1,100}\/[\w.-]{1,100})$/.exec(trimmed)?.[1];
  if (short !== undefined) return `https://github.com/${short.replace(/\.git$/, '')}`;
  const [, host, path] = /^\w[\w.-]{0,63}@(\w[\w.-]{0,252}):([\w./~-]{1,300})$/.exec(trimmed) ?? [];
  const address = host === undefined ? trimmed.replace(/^git\+/, '') : `https://${host}/${path}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !['https:', 'http:', 'ssh:', 'git:'].includes(url.protocol))
    return undefined;
  if (url.hostname === '') return undefined;
  // A port belongs to the protocol of the address.
  const isWeb = url.protocol.startsWith('http');
  const origin = isWeb ? `${url.protocol}//${url.host}` : `https://${url.hostname}`;
  const web = `${origin}${url.pathname.replace(/\.git$/, '')}`;
  return URL.canParse(web) ? web : undefined;
}

async function remoteOf(folder: string, signal: AbortSignal): Promise<string | undefined> {
  const address = await folderGit(folder, ['remote', 'get-url', 'origin'], { signal });
  return address === undefined ? undefined : webAddress(address);
}

function ownerOf(address: string | undefined): string | undefined {
  const owner = address === undefined ? undefined : new URL(address).pathname.split('/')[1];
  return owner === undefined ? undefined : owner.toLowerCase();
}

/** The table `project`, otherwise poetry's. */
function readToml(path: string): unknown {
  let root: unknown;
  try {
    root = readRoot(readText(path));
  } catch (error) {
    if (error instanceof ClientError) return undefined;
    throw error;
  }
  return field(root, 'project') ?? field(field(root, 'tool'), 'poetry');
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
