/** Proves our modules with many compilers and in many kinds of projects, and makes the page about it. */
import { execFile } from 'node:child_process';
import { join, dirname } from 'node:path';
import { promisify } from 'node:util';
import { formatCompatibility } from './compatibility-page.ts';
import { MODULES, compileAll } from './compile-matrix.ts';
import { PROJECT_KINDS } from './project-kinds.ts';
import { proveKind } from './prove-kind.ts';
import type { KindProof } from './prove-kind.ts';
import { nameOf } from './version-name.ts';
import { pathWithNode } from './shell-node.ts';

const CLIENT = join(import.meta.dirname, '../../client/main.ts');

export interface Compatibility {
  readonly page: string;
  readonly hasFailed: boolean;
}

/**
 * Prints each failure.
 * @param folder for the packages and projects
 * @param registry the address of an index of this repository
 */
export async function proveCompatibility(
  builds: string,
  folder: string,
  registry: string,
): Promise<Compatibility> {
  const compiled = await compileAll(builds, join(folder, 'compile'));
  const failed = compiled.filter(({ errors }) => errors !== '');
  for (const { row, errors } of failed) console.error(`error: ${JSON.stringify(row)}\n${errors}`);
  const proofs: KindProof[] = [];
  for (const kind of PROJECT_KINDS) {
    const project = join(folder, 'kinds', `project-${proofs.length}`);
    const proof = await proveKind(kind, project, clientOf(project, registry));
    proofs.push(proof);
    console.log(`${proof.failures.length === 0 ? 'proved' : 'FAILED'}: ${kind.name}`);
    for (const failure of proof.failures) console.error(`error: ${failure}`);
  }
  return {
    page: formatCompatibility(
      MODULES.map((id) => nameOf(builds, id)),
      compiled,
      proofs,
    ),
    hasFailed: failed.length > 0 || proofs.some(({ failures }) => failures.length > 0),
  };
}

/** Runs the client in a project; rejects with what it printed. */
function clientOf(project: string, registry: string): (...args: string[]) => Promise<string> {
  const path = pathWithNode(process.execPath, dirname(project));
  const env = { ...process.env, PATH: path, STACKYARD_REGISTRY: registry, NO_COLOR: '1' };
  return async (...args) => {
    const options = { cwd: project, env, maxBuffer: 1e8 };
    return (await promisify(execFile)(process.execPath, [CLIENT, ...args], options)).stdout;
  };
}
