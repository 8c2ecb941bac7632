/** This repository's own index over HTTP, for a whole test file; needs the repository's history. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { generateDocuments } from '../generate/generate-documents.ts';
import { serveIndex } from '../../generator/serve/serve-index.ts';
import { stackyard } from '../client/registry-fixture.ts';
import { makeOnce } from '../run/make-once.ts';

const ROOT = join(import.meta.dirname, '../..');

export interface OurRegistry {
  /** An empty folder, which is removed after the file's tests. */
  readonly folder: () => string;
  readonly url: () => string;
  /**
   * Runs the client against the registry, in `folder` where no `-C` is given; projects run on the Node.js of the tests.
   * @throws when it does not end with status 0
   */
  readonly stackyard: (...args: string[]) => Promise<void>;
}

/**
 * The environment in which `node` and `npm` are those of the tests. npm warns of every setting that it does not
 * know, which would show the machine's settings in the output.
 */
export function projectEnvironment(): NodeJS.ProcessEnv {
  const path = `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`;
  return { ...process.env, PATH: path, NO_COLOR: '1', npm_config_loglevel: 'error' };
}

/** Runs a program in a project; returns its output, or its exit status and all that it printed. */
export function runIn(project: string, program: string, ...args: string[]): string {
  const options = { cwd: project, env: projectEnvironment(), encoding: 'utf8' } as const;
  const { status, stdout, stderr, error } = spawnSync(program, args, options);
  if (error !== undefined) throw error;
  return status === 0 ? stdout : `status ${status}: ${stdout}${stderr}`;
}

/** The commit before account 3.0.0 and express-api 3.0.0: tests of one update are the same whatever is published later. */
export const BEFORE_MODULES = 'fbc5f416988a962a3f160dc9061f39e6fd8d01a5';

/** The folder of this repository's own index: read it only. @param commit of the history; by default the newest */
export async function ourIndex(commit?: string): Promise<string> {
  const made = await makeOnce(`our-index-${commit ?? 'newest'}`, async (folder) => {
    const out = join(folder, 'index');
    if (commit === undefined) return void (await generateDocuments({ repo: ROOT, out }));
    const repo = join(folder, 'repository');
    const clone = ['clone', '-q', '--shared', '--no-checkout', ROOT, repo];
    for (const args of [clone, ['-C', repo, 'checkout', '-q', '--detach', commit]]) {
      expect(spawnSync('git', args, { encoding: 'utf8' })).toMatchObject({ status: 0 });
    }
    await generateDocuments({ repo, out });
  });
  return join(made, 'index');
}

/** Serves the index around the tests of the file that calls it. */
export function ourRegistry(commit?: string): OurRegistry {
  let folder = '';
  let server: Server | undefined;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stackyard-registry-'));
    server = await serveIndex(await ourIndex(commit), 0);
  });
  afterAll(() => {
    server?.closeAllConnections();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const url = (): string => `http://127.0.0.1:${(server!.address() as AddressInfo).port}`;
  return {
    folder: () => folder,
    url,
    stackyard: async (...args) => {
      const variables = { ...projectEnvironment(), STACKYARD_REGISTRY: url() };
      const all = args.includes('-C') ? args : [...args, '-C', folder];
      const ended = await stackyard(all, variables);
      if (ended.status !== 0) throw new Error(`status ${ended.status}: ${ended.stderr}`);
    },
  };
}
