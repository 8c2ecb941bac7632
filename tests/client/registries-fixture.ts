/** Registries in folders, with names and upstreams, and projects that use them. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, vi } from 'vitest';
import type { Lock } from '../../format/project/lock.ts';
import { generateDocuments } from '../generate/generate-documents.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { readProject } from './registry-fixture.ts';
import { runCommand } from './run-command.ts';
import { restate } from './state-files.ts';

/** Id to versions, each with changes of the manifest. */
export type Published = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** A new folder that the caller removes. */
export function lastingFolder(): string {
  return mkdtempSync(join(tmpdir(), 'stackyard-registries-'));
}

/** The index of a registry with this configuration, below `root`. */
export async function makeIndex(
  root: string,
  name: string,
  config: object,
  builds: Published,
): Promise<string> {
  const folder = join(root, `${name}-git`);
  mkdirSync(folder);
  const git = new GitFixture(folder);
  for (const [id, versions] of Object.entries(builds)) {
    for (const [version, changes] of Object.entries(versions)) {
      const base = `src/${id.replace('/', '-')}`;
      const text = `export const from = '${name} ${version}';\n`;
      git.commit(build(id, version, { base, ...changes }, { 'src/index.ts': text }));
    }
  }
  git.commit({ 'registry.config.json': JSON.stringify(config) });
  const index = join(root, name);
  await generateDocuments({ repo: git.folder, out: index, threads: 1 });
  return index;
}

/** A copy of an index with other fields in its registry.json. */
export function withInfo(index: string, fields: object): string {
  const copy = join(temporaryFolder(), 'index');
  cpSync(index, copy, { recursive: true });
  const file = join(copy, 'registry.json');
  const info = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...info, ...fields }));
  restate(copy);
  return copy;
}

/** Keeps caches and records of this user out of the tests; restored by `vi.unstubAllEnvs`. */
export function isolate(): void {
  vi.stubEnv('STACKYARD_STATE', temporaryFolder());
  vi.stubEnv('STACKYARD_CACHE', temporaryFolder());
  vi.stubEnv('STACKYARD_REGISTRY', '');
  vi.stubEnv('STACKYARD_HEADERS', '');
}

export function lockIn(project: string): Lock {
  return JSON.parse(readFileSync(join(project, 'stackyard.lock.json'), 'utf8')) as Lock;
}

/** Id to version and registry. */
export function installedIn(project: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(lockIn(project).builds).map(([id, { version, registry }]) => {
      return [id, `${version} ${registry}`];
    }),
  );
}

/** Changes the lock of a project as an editor does. */
export function editLock(project: string, change: (lock: Lock) => void): void {
  const lock = lockIn(project);
  change(lock);
  writeFileSync(join(project, 'stackyard.lock.json'), JSON.stringify(lock, null, 2));
}

/** Runs a command in `project`, without its package manager. */
export async function runIn(project: string, ...args: string[]): ReturnType<typeof runCommand> {
  const changing = ['add', 'update', 'remove', 'install', 'apply'].includes(args[0]!);
  return runCommand(...args, ...(changing ? ['--no-install'] : []), '-C', project);
}

/** The error that a command ends with; it writes nothing. */
export async function refusalOf(project: string, args: string[]): Promise<unknown> {
  const before = readProject(project);
  const error = await runIn(project, ...args).catch((thrown: unknown) => thrown);
  expect(readProject(project)).toEqual(before);
  return error;
}

export const addressOf = (index: string): string => pathToFileURL(index).href;

/** A text with these parts in this order. */
export const containing = (...texts: string[]): unknown =>
  expect.stringMatching(
    new RegExp(texts.map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*'), 's'),
  ) as unknown;
