/** A registry for tests: builds in a real git repository, generated and served over real HTTP. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { KeptLogs } from '../../client/registry/check-log.ts';
import { CacheFiles } from '../../client/registry/cache.ts';
import { serveIndex } from '../../generator/serve/serve-index.ts';
import { temporaryFolder, type GitFixture } from '../generate/git-fixture.ts';
import { runResidentClient } from './client-process.ts';
import type { Ended } from '../run/script-process.ts';
import { generateOnce } from './index-once.ts';
import { restate } from './state-files.ts';

/** Records for `undo`, separate from those of the developer's account; they are removed after the run. */
const STATE = mkdtempSync(join(tmpdir(), 'stackyard-state-'));

/**
 * Generates the index of `git` and serves it; returns the address and the folder of the index. The origin is the same
 * at each of its addresses.
 * @param same the repository of an earlier state of the registry, which had another history
 */
export async function serveRegistry(
  git: GitFixture,
  same: GitFixture = git,
): Promise<{ url: string; index: string }> {
  const index = join(temporaryFolder(), 'index');
  await bringUpToDate(git, index, same);
  return { url: await serveFolder(index), index };
}

/** Generates `index` again, with the same origin. */
export async function bringUpToDate(
  git: GitFixture,
  index: string,
  same: GitFixture = git,
): Promise<void> {
  await generateOnce(git, index);
  const file = join(index, 'registry.json');
  const info = JSON.parse(readFileSync(file, 'utf8')) as object;
  const origin = `test.example/${basename(same.folder)}`;
  writeFileSync(file, JSON.stringify({ ...info, origin }));
  restate(index);
  // The user of these tests knows that nobody signs its log.
  await new KeptLogs(new CacheFiles(STATE)).isFirstNote(origin);
}

/** Serves an index as `npm start` does; returns the address. */
export async function serveFolder(index: string): Promise<string> {
  return addressOf(await serveIndex(index, 0));
}

/** Serves the responses of `answer`; returns the address. */
export async function serveAnswers(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return addressOf(server);
}

/** Serves the index in a folder, except requests to which `change` responds itself: then it returns true. */
export async function serveChanged(
  index: string,
  change: (...args: Parameters<RequestListener>) => boolean,
): Promise<string> {
  return serveAnswers((request, response) => {
    if (change(request, response)) return;
    const file = join(index, pathOf(request));
    if (existsSync(file)) response.end(readFileSync(file));
    else response.writeHead(404).end();
  });
}

/** The decoded path of a request. */
export function pathOf(request: IncomingMessage): string {
  // Hosts of files ignore queries.
  return decodeURIComponent((request.url ?? '/').replace(/\?.*$/, ''));
}

function addressOf(server: Server): string {
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/**
 * Runs the program `stackyard` to its end, without a process for each run; `interruption` sends it SIGINT or
 * SIGTERM. The script tests of `tests/scripts/` start the program as users do.
 */
export async function stackyard(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
  interruption?: AbortSignal,
  folder: string = process.cwd(),
): Promise<Ended> {
  return runResidentClient(args, {
    cwd: folder,
    interruption,
    variables: {
      STACKYARD_REGISTRY: '',
      STACKYARD_CACHE: mkdtempSync(join(STATE, 'cache-')),
      STACKYARD_STATE: STATE,
      ...variables,
    },
  });
}

/** A project folder with these files; by default an empty npm project. */
export function makeProject(
  files: Readonly<Record<string, string>> = { 'package.json': '{\n  "name": "app"\n}\n' },
): string {
  const folder = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** Every file of a folder: path to text. */
export function readProject(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    files.sort().map((file) => [file.slice(folder.length + 1), readFileSync(file, 'utf8')]),
  );
}
