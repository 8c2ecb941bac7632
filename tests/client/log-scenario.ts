/** A registry with a transparency log, a host that serves it, and a user of both. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sha256Hex } from '../../format/archive/integrity.ts';
import { documentPath } from '../../format/index/layout.ts';
import { parseLock } from '../../format/project/lock.ts';
import type { LockedLog } from '../../format/project/lock.ts';
import { noteSigner } from '../../format/log/note-key.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { generateOnce } from './index-once.ts';
import { makeProject, readProject, serveFolder, stackyard } from './registry-fixture.ts';

export const SIGNER = noteSigner('registry.example/log', 'note', new Uint8Array(32).fill(1));
export const OTHER = noteSigner('registry.example/log', 'note', new Uint8Array(32).fill(2));

/** A user with a state and a cache, projects, and a registry that a host serves. */
export class Scenario {
  readonly git = new GitFixture();
  readonly index = join(temporaryFolder(), 'index');
  state = temporaryFolder();
  readonly project = makeProject();
  url = '';

  static async begin(): Promise<Scenario> {
    const scenario = new Scenario();
    scenario.git.commit({ 'registry.config.json': JSON.stringify({ origin: 'registry.example' }) });
    scenario.git.commit(build('a/x', '1.0.0', { base: 'src/x' }));
    scenario.git.commit(build('a/y', '1.0.0', { base: 'src/y' }));
    await scenario.publish();
    scenario.url = await serveFolder(scenario.index);
    return scenario;
  }

  /** Brings the served index up to date; with another history it is a forged one. */
  async publish(git = this.git, signer = SIGNER): Promise<void> {
    const out = git === this.git ? this.index : join(temporaryFolder(), 'index');
    await generateOnce(git, out, [signer]);
    if (out !== this.index) this.serve(out);
  }

  /** A copy of what is served now. */
  copy(): string {
    const folder = join(temporaryFolder(), 'copy');
    cpSync(this.index, folder, { recursive: true });
    return folder;
  }

  /** Serves the files of a folder from now on. */
  serve(folder: string, ...only: readonly string[]): void {
    const paths = only.length === 0 ? [''] : only;
    for (const path of paths) {
      cpSync(join(folder, path), join(this.index, path), { recursive: true, force: true });
    }
  }

  /** Alters a document where clients read it, as a host does that has no key. @param bytes `undefined` removes it */
  replace(path: string, bytes: Buffer | undefined): void {
    const file = join(this.index, documentPath(sha256Hex(readFileSync(join(this.index, path)))));
    if (bytes === undefined) rmSync(file);
    else writeFileSync(file, bytes);
  }

  /** Runs a command with the registries of the project. */
  plain(args: readonly string[], project = this.project): ReturnType<typeof stackyard> {
    const variables = { STACKYARD_STATE: this.state, STACKYARD_CACHE: temporaryFolder() };
    return stackyard([...args, '-C', project], variables);
  }

  run(args: readonly string[], project = this.project): ReturnType<typeof stackyard> {
    const options = ['-C', project, '--registry', this.url, '--no-install', '--yes'];
    // No cache, so that every document comes from the host.
    const variables = { STACKYARD_STATE: this.state, STACKYARD_CACHE: temporaryFolder() };
    return stackyard([...args, ...options], variables);
  }
}

export async function expectDone(scenario: Scenario, args: readonly string[]): Promise<void> {
  const ended = await scenario.run(args);
  expect([ended.status, ended.stderr]).toEqual([0, expect.anything()]);
}

/** The command ends with status 6 and changes nothing; returns what it prints. */
export async function expectRefused(
  scenario: Scenario,
  args: readonly string[],
  problem: RegExp,
  project = scenario.project,
): Promise<string> {
  const before = readProject(project);
  const ended = await scenario.run(args, project);
  expect(ended.stderr).toMatch(problem);
  expect(ended.status).toBe(6);
  expect(readProject(project)).toEqual(before);
  return ended.stderr;
}

export function lockedLog(project: string, id: string): LockedLog | undefined {
  const file = join(project, 'stackyard.lock.json');
  return parseLock(readFileSync(file), file).builds[id]?.log;
}
