/** Proves our builds with many compilers and in many kinds of projects, and makes the page about it. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { formatCompatibility } from './compatibility-page.ts';
import { compileAll } from './compile-matrix.ts';
import { measuredRanges } from './measured-ranges.ts';
import { pathWith } from '../../generator/matrix/shell-folder.ts';
import { runProgram } from '../../generator/matrix/run-program.ts';
import { nameOf, readProjects } from './projects.ts';
import type { ProjectKind } from './projects.ts';
import { formatProjects } from './projects-page.ts';
import { proveKind } from './prove-kind.ts';
import type { KindProof } from './prove-kind.ts';
import type { Client } from './prove-trial.ts';
import { openToolbox } from './toolbox.ts';

const ROOT = join(import.meta.dirname, '../..');
const CLIENT = join(ROOT, 'client/main.ts');

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
  const projects = readProjects();
  const kinds = await proveKinds(projects.kinds, builds, join(folder, 'kinds'), registry);
  const servers = await proveKinds(projects.servers, builds, join(folder, 'servers'), registry);
  return {
    page: formatCompatibility(
      firstPartyBuilds(builds).map((id) => nameOf(builds, id)),
      measuredRanges(ROOT),
      compiled,
      formatProjects(kinds, servers),
    ),
    hasFailed: failed.length > 0 || [...kinds, ...servers].some(hasFailures),
  };
}

/** Proves the kinds whose names contain `part`, and prints the page's part about them. Returns whether all passed. */
export async function proveSomeKinds(
  part: string,
  builds: string,
  folder: string,
  registry: string,
): Promise<boolean> {
  const choose = (kinds: readonly ProjectKind[]): readonly ProjectKind[] =>
    kinds.filter(({ name }) => name.toLowerCase().includes(part.toLowerCase()));
  const projects = readProjects();
  const kinds = await proveKinds(choose(projects.kinds), builds, join(folder, 'kinds'), registry);
  const servers = await proveKinds(
    choose(projects.servers),
    builds,
    join(folder, 'servers'),
    registry,
  );
  if (kinds.length + servers.length === 0) console.error(`error: No kind of project is "${part}"`);
  console.log(formatProjects(kinds, servers));
  return kinds.length + servers.length > 0 && ![...kinds, ...servers].some(hasFailures);
}

async function proveKinds(
  kinds: readonly ProjectKind[],
  builds: string,
  folder: string,
  registry: string,
): Promise<KindProof[]> {
  const proofs: KindProof[] = [];
  for (const [index, kind] of kinds.entries()) {
    const project = join(folder, `app-${index}`);
    mkdirSync(folder, { recursive: true });
    const runtimes = { node: process.execPath, python: undefined };
    const shell = pathWith(runtimes, join(folder, `shell-${index}`), process.env['PATH'] ?? '');
    const { env } = openToolbox(shell);
    const client = clientOf(project, { ...env, STACKYARD_REGISTRY: registry });
    const started = performance.now();
    const proof = await proveKind(kind, firstPartyBuilds(builds), project, env, client);
    proofs.push(proof);
    const seconds = Math.round((performance.now() - started) / 1000);
    console.log(`${hasFailures(proof) ? 'FAILED' : 'proved'}: ${kind.name} (${seconds} s)`);
    for (const failure of proof.failures) console.error(`error: ${failure}`);
  }
  return proofs;
}

function hasFailures({ failures }: KindProof): boolean {
  return failures.length > 0;
}

/** The ids of the builds of this repository's own owner: modules first. */
function firstPartyBuilds(builds: string): string[] {
  const names = readdirSync(join(builds, 'stackyard'), { withFileTypes: true });
  return names
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `stackyard/${name}`)
    .sort();
}

/** Runs the client in a project. */
function clientOf(project: string, env: NodeJS.ProcessEnv): Client {
  return (...args) => runProgram(process.execPath, [CLIENT, ...args], { cwd: project, env });
}
