/** A registry that is deployed to a store, in this process or by the program. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { deploy } from '../../generator/deploy/deploy.ts';
import { openS3Store } from '../../generator/deploy/s3-store.ts';
import type { Store } from '../../generator/deploy/store.ts';
import { readTree } from '../generate/index-reader.ts';
import { generateDocuments } from '../generate/generate-documents.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import type { Files } from '../generate/git-fixture.ts';
import { makeBucket } from './s3-server.ts';
import type { S3Server } from './s3-server.ts';
import type { SeenRequest } from './store-proxy.ts';

type Deployment = Awaited<ReturnType<typeof deploy>>;

const PROGRAM = join(import.meta.dirname, '../../generator/main.ts');
const ORIGIN = 'registry.example/main';

/** The index of a repository, and the repository. */
export interface Source {
  readonly git: GitFixture;
  readonly index: string;
  readonly publish: (files: Files) => Promise<void>;
}

/** A registry of three builds, which a test may change. */
export async function makeSource(origin: string = ORIGIN): Promise<Source> {
  const { git: original, index: made } = await firstSource(origin);
  const git = new GitFixture(temporaryFolder(), original);
  const folder = temporaryFolder();
  cpSync(dirname(made), folder, { recursive: true });
  const index = join(folder, 'index');
  const publish = async (files: Files): Promise<void> => {
    git.commit(files);
    await generateDocuments({ repo: git.folder, out: index, threads: 1 });
  };
  return { git, index, publish };
}

const firstSources = new Map<string, Promise<Omit<Source, 'publish'>>>();

/** Made once in this process: every test copies it. */
function firstSource(origin: string): Promise<Omit<Source, 'publish'>> {
  const known = firstSources.get(origin);
  if (known !== undefined) return known;
  const making = makeFirstSource(origin);
  firstSources.set(origin, making);
  return making;
}

async function makeFirstSource(origin: string): Promise<Omit<Source, 'publish'>> {
  const git = new GitFixture(mkdtempSync(join(tmpdir(), 'stackyard-source-')));
  const index = join(mkdtempSync(join(tmpdir(), 'stackyard-source-')), 'index');
  git.commit({ 'registry.config.json': JSON.stringify({ origin }), ...build('a/x', '1.0.0') });
  git.commit({ ...build('a/x', '1.1.0'), ...build('b/y', '1.0.0') });
  git.commit(build('b/z', '1.0.0'));
  await generateDocuments({ repo: git.folder, out: index, threads: 1 });
  return { git, index };
}

/** A bucket of a server, and a prefix in it. */
export interface Place {
  readonly server: S3Server;
  readonly bucket: string;
  readonly target: string;
}

export async function makePlace(server: S3Server): Promise<Place> {
  for (const [name, value] of Object.entries(server.env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const bucket = await makeBucket(server);
  return { server, bucket, target: `s3://${bucket}/main` };
}

/** The store of a place, by default without a proxy. */
export function storeAt({ server, bucket, target }: Place, endpoint = server.endpoint): Store {
  return openS3Store({ bucket, prefix: 'main', place: target }, endpoint, 20_000);
}

/** Deploys in this process. */
export function deployTo(
  store: Store,
  { index }: Source,
  changes: Partial<Parameters<typeof deploy>[0]> = {},
): Promise<Deployment> {
  return deploy({ index, store, graceMs: 86_400_000, ...changes });
}

/** Starts the program; it has ended when `close` is emitted. */
export function startProgram(
  { index }: Source,
  target: string,
  endpoint: string | undefined,
): ChildProcess {
  const at = endpoint === undefined ? [] : ['--endpoint', endpoint];
  const args = [PROGRAM, 'deploy', target, '--out', index, ...at];
  return spawn(process.execPath, args, { env: process.env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The exit status of the program, and what it printed. */
export async function ended(child: ChildProcess): Promise<{ status: number | null; text: string }> {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => (text += part));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, text };
}

/** Requires that a store has every file of the index, with its bytes, and that nothing is left to do. */
export async function expectDeployed(store: Store, source: Source): Promise<void> {
  expect((await deployTo(store, source, { isDryRun: true })).uploads).toEqual([]);
  for (const path of Object.keys(readTree(source.index))) {
    const stored = Buffer.from((await store.read(path))?.bytes ?? []);
    expect([path, stored.equals(readFileSync(join(source.index, path)))]).toEqual([path, true]);
  }
}

/** Removes what a machine remembers of deployments. */
export function forget({ index }: Source): void {
  for (const name of ['digests', 'inventory']) {
    rmSync(join(index, `../.index.deploy.${name}`), { recursive: true, force: true });
  }
}

/** Paths of the index that were written, in order. */
export function puts(requests: readonly SeenRequest[]): string[] {
  return requests
    .filter(({ method, path }) => method === 'PUT' && !path.includes('/.deploy/'))
    .map(({ path }) => path.replace(/^\/[^/]+\/main\//, ''));
}
