/** Registries with responses that a test defines, and heads and tarballs for them. */
import type { RequestListener, ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { CacheFiles, Cache } from '../../../client/registry/cache.ts';
import type { NetworkLimits } from '../../../client/registry/http.ts';
import { Registry, type RegistryOptions } from '../../../client/registry/registry.ts';
import { integrityOf } from '../../../format/archive/integrity.ts';
import { parseDocument } from '../../../format/document/document.ts';
import { expandHead, formatHead, HeadDocument } from '../../../format/index/head-document.ts';
import type { Head, HeadVersion } from '../../../format/index/record.ts';
import { temporaryFolder } from '../../generate/git-fixture.ts';
import { serveAnswers } from '../registry-fixture.ts';
import { stateFiles } from '../state-files.ts';
import { OPEN } from '../../../format/registry/status.ts';

export const TARBALL: Uint8Array = Buffer.from('any bytes');
export const INTEGRITY: string = integrityOf(TARBALL);

/** The head of `a/x`, with `changes` to its one version. */
export function head(changes: Partial<HeadVersion> = {}): Head {
  const version: HeadVersion = {
    version: '1.0.0',
    published_at: '2026-01-01T00:00:00.000Z',
    integrity: INTEGRITY,
    document: INTEGRITY,
    requires: {},
    provides: [],
    builds: {},
    risk: 'ok',
    status: OPEN,
  };
  return {
    id: 'a/x',
    kind: 'module',
    latest: '1.0.0',
    documents: { record: INTEGRITY },
    versions: [{ ...version, ...changes }],
  };
}

/** The same as a host serves it. */
export function written(changes?: Partial<HeadVersion>): object {
  return JSON.parse(formatHead(head(changes)).text) as object;
}

/** Opens a registry that is closed with the test; pauses are short. */
export function open(
  address: string,
  options: Omit<RegistryOptions, 'limits'> & { limits?: Partial<NetworkLimits> } = {},
): Registry {
  const limits = { backoffMs: 1, ...options.limits };
  const registry = new Registry(address, new AbortController().signal, { ...options, limits });
  onTestFinished(() => registry.close());
  return registry;
}

/** The head of `a/x` at its plain address: one request, and nothing is proved. */
export async function plainHead(registry: Registry): Promise<Head | undefined> {
  const bytes = await registry.indexFile('heads/a/x.json');
  return bytes && expandHead(parseDocument(HeadDocument, bytes, 'the head'), []);
}

/** A server of a registry with these documents, by their paths. */
export function serveState(documents: Readonly<Record<string, unknown>>): ReturnType<typeof serve> {
  const texts = Object.entries(documents).map(([path, one]) => [path, JSON.stringify(one)]);
  const files = stateFiles(Object.fromEntries(texts) as Record<string, string>);
  const answers = [...files].map(([path, bytes]) => {
    return [`/${path}`, (response: ServerResponse) => void response.end(bytes)] as const;
  });
  return serve(Object.fromEntries(answers));
}

/** A server that counts its requests and responds by path; 404 for other paths. */
export async function serve(
  answers: Readonly<Record<string, (response: ServerResponse, headers: Headers) => void>>,
): Promise<{ url: string; asked: string[]; headers: Headers[] }> {
  const asked: string[] = [];
  const headers: Headers[] = [];
  const listener: RequestListener = (request, response) => {
    asked.push(request.url ?? '');
    headers.push(request.headers);
    const answer = answers[request.url ?? ''];
    if (answer === undefined) response.writeHead(404).end();
    else answer(response, request.headers);
  };
  return { url: await serveAnswers(listener), asked, headers };
}

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

export function json(value: unknown): (response: ServerResponse) => void {
  return (response) => void response.end(JSON.stringify(value));
}

/** An empty cache and its folder. */
export function emptyCache(note?: (problem: string) => void): { cache: Cache; folder: string } {
  const folder = temporaryFolder();
  return { cache: new Cache(new CacheFiles(folder, note)), folder };
}
