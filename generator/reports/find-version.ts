import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { headPath } from '../../format/index/layout.ts';
import { Head } from '../../format/index/record.ts';
import { Refusal } from './answer.ts';
import { fetchDocument, StatusError } from './issuer-keys.ts';

// Whether the version exists that a report or flag is about, by the heads of an index. Without an answer the statement is
// accepted: `npm run ingest` compares every one with the index again.

interface About {
  readonly build: string;
  readonly version: string;
  readonly integrity: string;
}

/** What is wrong with the version that a statement names; `undefined` when nothing is, or nothing is known. */
export type FindVersion = (about: About) => Promise<Refusal | undefined>;

/** Integrity by version; empty for a build that does not exist. */
type Versions = ReadonlyMap<string, string>;

const KEEP_MS = 60_000;
const MAX_BUILDS = 1000;
const TIMEOUT_MS = 3000;
const MAX_HEAD_BYTES = 8 * 1024 * 1024;

/** @param index a folder, or an address without "/" at the end */
export function createFindVersion(index: string, warn: (message: string) => void): FindVersion {
  const known = new Map<string, { readonly versions: Promise<Versions>; readonly until: number }>();

  function versionsOf(build: string): Promise<Versions> {
    const kept = known.get(build);
    if (kept !== undefined && Date.now() < kept.until) return kept.versions;
    const versions = readVersions(index, build);
    // A build that was looked up is the newest one.
    known.delete(build);
    known.set(build, { versions, until: Date.now() + KEEP_MS });
    const [oldest = ''] = known.keys();
    if (known.size > MAX_BUILDS) known.delete(oldest);
    return versions;
  }

  return async ({ build, version, integrity }) => {
    let versions: Versions;
    try {
      versions = await versionsOf(build);
    } catch {
      warn('The index of the registry cannot be read: versions of reports are not compared');
      return undefined;
    }
    const published = versions.get(version);
    if (published === integrity) return undefined;
    return published === undefined
      ? new Refusal('version_not_found', `${build}@${version} is not published`)
      : new Refusal('integrity_mismatch', `integrity: ${build}@${version} has another one`);
  };
}

async function readVersions(index: string, build: string): Promise<Versions> {
  const text = await readHead(index, headPath(build));
  if (text === undefined) return new Map();
  const { versions } = Head.parse(JSON.parse(text));
  return new Map(versions.map(({ version, integrity }) => [version, integrity]));
}

async function readHead(index: string, path: string): Promise<string | undefined> {
  if (!/^https?:/.test(index)) {
    return readFile(join(index, path), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
  }
  return fetchDocument(`${index}/${path}`, TIMEOUT_MS, MAX_HEAD_BYTES).catch((error: unknown) => {
    if (error instanceof StatusError && error.status === 404) return undefined;
    throw error;
  });
}
