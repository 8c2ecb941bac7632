/**
 * Proves builds in a project that was made without our client: its type check and its tests before and after, the builds
 * in use, and a removal that leaves every byte as it was. Builds that do not fit are refused, and change nothing.
 */
import { mkdirSync, realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { ProjectKind } from './projects.ts';
import { change, runCommand } from './project-run.ts';
import { check, proveTrial, runTests } from './prove-trial.ts';
import type { Client, ProjectUnderTest, TrialProof } from './prove-trial.ts';

/** The results of one kind. */
export interface KindProof {
  readonly kind: ProjectKind;
  readonly typeCheck: string;
  readonly test?: string;
  readonly seconds?: number;
  /** One for each build, in the order of the ids. */
  readonly trials: readonly TrialProof[];
  readonly failures: readonly string[];
}

/**
 * @param builds all first-party builds
 * @param project a folder that does not exist yet
 * @param env for the commands of the project
 */
export async function proveKind(
  kind: ProjectKind,
  builds: readonly string[],
  project: string,
  env: NodeJS.ProcessEnv,
  client: Client,
): Promise<KindProof> {
  try {
    await create(kind, project, env);
  } catch (error) {
    return { kind, typeCheck: 'FAILED', trials: [], failures: [(error as Error).message] };
  }
  const at: ProjectUnderTest = { kind, project: realpathSync(project), env, client };
  const failures: string[] = [];
  const typeCheck = await check(at, kind.typeCheck, failures);
  const tests = await runTests(at, failures);
  const trials: TrialProof[] = [];
  const ofFirstParty = builds.map((build) => {
    return kind.trials.find((trial) => trial.build === build) ?? { build };
  });
  const others = kind.trials.filter(({ build }) => !builds.includes(build));
  for (const trial of [...ofFirstParty, ...others]) {
    const proof = await proveTrial(at, trial);
    trials.push(proof);
    if (kind.trials.includes(trial) && proof.refusal !== undefined) {
      failures.push(`${trial.build} was refused: ${proof.refusal.message}`);
    }
    failures.push(...proof.failures.map((failure) => `${trial.build}: ${failure}`));
  }
  return { kind, typeCheck, ...tests, trials, failures };
}

/** @throws {Error} when a command fails */
async function create(kind: ProjectKind, project: string, env: NodeJS.ProcessEnv): Promise<void> {
  const parent = dirname(project);
  mkdirSync(parent, { recursive: true });
  for (const command of kind.create) await run(command, parent);
  mkdirSync(project, { recursive: true });
  change(project, kind.files, kind.edits);
  for (const command of kind.install) await run(command, project);

  async function run(command: string, cwd: string): Promise<void> {
    const result = await runCommand(command, cwd, {
      ...env,
      NAME: basename(project),
      PROVE: import.meta.dirname,
    });
    if (result.isOk) return;
    throw new Error(`Cannot make "${kind.name}": "${command}" failed: ${result.output}`);
  }
}
