/** What all tests of a run share: folders for temporary files and compiled code, and programs in few files. */
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildPrograms } from './build-programs.ts';
import type { Programs } from './build-programs.ts';
import { makeRunFolder } from './run-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    programs: Programs;
  }
}

/** The first project prepares them, the others of the run take them over. */
const PREPARED = 'STACKYARD_TEST_PROGRAMS';

/** Prepares the run, each project of it; returns what clears up after it. */
export async function setup(project: TestProject): Promise<() => void> {
  const prepared = process.env[PREPARED];
  if (prepared !== undefined) {
    project.provide('programs', JSON.parse(prepared) as Programs);
    return () => {};
  }
  const folder = makeRunFolder();
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  chmodSync(temporary, 0o711);
  const programs = await buildPrograms(folder);
  project.provide('programs', programs);
  process.env['TMPDIR'] = temporary;
  // A short process mostly compiles its modules: each is compiled once in a run.
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'compiled');
  process.env[PREPARED] = JSON.stringify(programs);
  return () => rmSync(folder, { recursive: true, force: true });
}
