/** What all tests of a run share: folders for temporary files and compiled code, and programs in few files. */
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ProvidedContext } from 'vitest';
import type { TestProject } from 'vitest/node';
import { buildPrograms } from './build-programs.ts';
import type { Programs } from './build-programs.ts';
import { makeRunFolder } from './run-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    programs: Programs;
    /** The folder of the run: `makeOnce()` fills it. */
    runFolder: string;
  }
}

/** The first project prepares them, the others of the run take them over. */
const PREPARED = 'STACKYARD_TEST_RUN';

/** Installs ask the network for what the cache does not have, and for nothing else. */
const QUIET_INSTALLS = {
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
};

type Prepared = Pick<ProvidedContext, 'programs' | 'runFolder'>;

/** Prepares the run, each project of it; returns what clears up after it. */
export async function setup(project: TestProject): Promise<() => void> {
  const prepared = process.env[PREPARED];
  if (prepared !== undefined) {
    provide(project, JSON.parse(prepared) as Prepared);
    return () => {};
  }
  const folder = makeRunFolder();
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  chmodSync(temporary, 0o711);
  const programs = await buildPrograms(folder);
  provide(project, { programs, runFolder: folder });
  process.env['TMPDIR'] = temporary;
  // A short process mostly compiles its modules: each is compiled once in a run.
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'compiled');
  // Not those of the developer: their documents of an address may be of the server that had its port in another run.
  process.env['STACKYARD_CACHE'] = join(folder, 'cache');
  process.env['STACKYARD_STATE'] = join(folder, 'state');
  process.env[PREPARED] = JSON.stringify({ programs, runFolder: folder });
  for (const [name, value] of Object.entries(QUIET_INSTALLS)) process.env[name] ??= value;
  return () => rmSync(folder, { recursive: true, force: true });
}

function provide(project: TestProject, { programs, runFolder }: Prepared): void {
  project.provide('programs', programs);
  project.provide('runFolder', runFolder);
}
