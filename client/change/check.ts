/** Checks a project with its own type check, lint, tests and start, in place: before a change, and after it. */
import type { Expectation } from '../../format/wiring/expectations.ts';
import type { Watch } from '../apply/install-packages.ts';
import type { FetchedBuild, Plan } from '../plan/plan.ts';
import type { Answer, Question } from '../plan/question.ts';
import { recall, remember } from '../project/memory.ts';
import type { Measured } from '../prove/measure.ts';
import type { Proof } from '../prove/proof.ts';
import type { ProofCommand } from '../prove/proof-commands.ts';

/** What a change is checked with. */
export interface Checks {
  /** What runs; empty for nothing. */
  readonly commands: readonly ProofCommand[];
  /** What could run. */
  readonly offered: readonly string[];
  /** The requests of the guides that the change carries out. */
  readonly requests: readonly Expectation[];
  /** Builds whose guide has a wrong line. */
  readonly unread: readonly string[];
  /** Whether to run the others. */
  readonly open?: { readonly question: Question; readonly commands: readonly ProofCommand[] };
  /** Why nothing runs that was wanted. */
  readonly note?: string;
}

export const NO_CHECKS: Checks = { commands: [], offered: [], requests: [], unread: [] };

/**
 * What checks a change: with `--prove` all; where the user agreed to the same commands in this project before, these. The others
 * are a question: the commands have the rights of the user.
 * @param canAsk whether someone may answer it; a dry run prints it
 */
export async function findChecks(
  project: string,
  plan: Plan,
  builds: readonly FetchedBuild[],
  { prove, dryRun }: { readonly prove?: boolean | undefined; readonly dryRun: boolean },
  canAsk: boolean,
): Promise<Checks> {
  const isNever = process.env['STACKYARD_PROVE'] === 'never';
  if (isNever && prove === true) {
    return { ...NO_CHECKS, note: 'Not proved: STACKYARD_PROVE is "never"' };
  }
  if (prove === false || isNever) return NO_CHECKS;
  const { prove: known } = await recall(project);
  const isKnown = known !== undefined || canAsk || dryRun;
  if (prove !== true && (known?.answer === 'never' || !isKnown)) return NO_CHECKS;
  const { formatProofCommand, proofCommands } = await import('../prove/proof-commands.ts');
  const all = await proofCommands(project, plan.command === 'new');
  const offered = all.map(formatProofCommand);
  if (all.length === 0) {
    const note = 'Not proved: the project has no type check, lint, tests or start that is known';
    return prove === true ? { ...NO_CHECKS, note } : NO_CHECKS;
  }
  const checks = { ...NO_CHECKS, offered, ...(await promisedBy(plan, builds)) };
  if (prove === true) return { ...checks, commands: all };
  const agreed = all.filter((one) => known?.commands.includes(formatProofCommand(one)));
  const others = all.filter((one) => !agreed.includes(one));
  // The tests may be left out; a command that has changed since needs another yes.
  if (known !== undefined && others.every(({ kind }) => kind === 'tests')) {
    return { ...checks, commands: agreed };
  }
  if (dryRun) return checks;
  if (canAsk) {
    return { ...checks, open: { question: { about: 'proof', commands: offered }, commands: all } };
  }
  const note = 'Not proved: the commands of the project have changed; --prove runs them';
  return { ...checks, note };
}

/** `checks` with the answer of the user, which is remembered. */
export async function withAgreed(
  project: string,
  checks: Checks,
  answers: readonly Answer[],
): Promise<Checks> {
  const answer = answers.find(({ question }) => question.about === 'proof')?.text ?? 'skip';
  if (checks.open === undefined || answer === 'skip') return checks;
  const { formatProofCommand } = await import('../prove/proof-commands.ts');
  const commands =
    answer === 'never'
      ? []
      : checks.open.commands.filter(({ kind }) => answer === 'yes' || kind !== 'tests');
  const kept = answer === 'never' ? ('never' as const) : ('agreed' as const);
  const prove = { answer: kept, commands: commands.map(formatProofCommand) };
  await remember(project, { prove }).catch(() => {});
  return { ...checks, commands };
}

/**
 * What is true of a project now. Loads nothing without a check.
 * @param isChanged whether the change is made: then the requests of the guides are sent
 * @throws what the signal is aborted with
 */
export async function checkProject(
  project: string,
  { commands, requests }: Checks,
  isChanged: boolean,
  { signal, note }: Watch,
): Promise<Measured | undefined> {
  if (commands.length === 0) return undefined;
  const { measure } = await import('../prove/measure.ts');
  const when = isChanged ? 'after' : 'before';
  return measure(project, {
    commands,
    requests: isChanged ? requests : [],
    signal,
    note: (line) => note(`${line}, ${when} the change`),
  });
}

/** What a change that is made did to the project. @param before absent for a new project */
export async function proved(
  project: string,
  checks: Checks,
  plan: Plan,
  before: Measured | undefined,
  watch: Watch,
): Promise<{ readonly proof?: Proof; readonly isInterrupted?: boolean }> {
  try {
    const after = await checkProject(project, checks, true, watch);
    if (after === undefined) return {};
    const { compareFacts } = await import('../prove/proof.ts');
    const proof = compareFacts(before, after, plan);
    if (checks.unread.length === 0) return { proof };
    return { proof: { ...proof, is_good: false, facts: [...proof.facts, ...checks.unread] } };
  } catch (error) {
    if (!watch.signal.aborted) throw error;
    return { isInterrupted: true };
  }
}

/** The requests of the guides that the change carries out, and those of guides with a wrong line. */
async function promisedBy(
  { wiring = [] }: Plan,
  builds: readonly FetchedBuild[],
): Promise<Pick<Checks, 'requests' | 'unread'>> {
  const { parseExpectations } = await import('../../format/wiring/expectations.ts');
  const unread: string[] = [];
  // Where a step that has a place is left to the user, or all are prose, the routes are not there yet.
  const requests = builds.flatMap(({ id, manifest, expectedGuide }) => {
    const steps = wiring.filter(({ build }) => build === id);
    const isWired = steps.length > 0 && steps.every(({ action }) => action !== 'by_hand');
    const isThere = isWired || (steps.length === 0 && manifest.kind === 'foundation');
    if (expectedGuide === undefined || !isThere) return [];
    const { requests: promised, findings } = parseExpectations(expectedGuide);
    if (findings.length > 0) unread.push(`requests of ${id}: not sent, its guide has a wrong line`);
    return findings.length > 0 ? [] : promised;
  });
  return { requests, unread };
}
