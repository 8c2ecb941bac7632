/** The steps "apply, prove, report" of `add`, `update` and `new`: whether a change is proved, in which copies, and what follows. */
import { join } from 'node:path';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import type { Expectation } from '../../format/wiring/expectations.ts';
import {
  installPlan,
  rememberPackages,
  writePlan,
  type ChangeOptions,
} from '../apply/apply-plan.ts';
import { recall, remember } from '../project/memory.ts';
import { ClientError } from '../errors.ts';
import type { FetchedBuild, MadePlan, Plan } from '../plan/plan.ts';
import type { ProofCommand } from '../prove/proof-commands.ts';
import type { Copy } from '../prove/copy-project.ts';
import type { Measured } from '../prove/measure-copy.ts';
import type { Proof } from '../prove/proof.ts';
import type { CommandContext, Outcome } from '../terminal/command.ts';
import { span, type StyledText } from '../terminal/styled-text.ts';

export interface ProveOptions {
  /** Whether to run the checks; `undefined` asks where someone can answer. */
  readonly prove?: boolean | undefined;
}

type Options = ChangeOptions & ProveOptions;

/**
 * Applies a plan and proves it: copies the project as it was, writes, measures the copy, installs packages, measures a copy of
 * the project as it is. A run without a proof loads nothing of it.
 * @param builds those of the change, with their guides
 * @throws {ClientError} as `applyPlan`, with nothing written
 */
export async function applyAndProve(
  project: string,
  made: MadePlan,
  builds: readonly FetchedBuild[],
  options: Options,
  context: CommandContext,
): Promise<Outcome> {
  const { plan } = made;
  const decision = await decideProof(project, plan, options, context);
  if (options.dryRun || decision.commands.length === 0) {
    const written = await writePlan(project, made, options, context);
    if ('outcome' in written) return withPlanned(written.outcome, decision, plan, builds);
    return installPlan(project, plan, written.commands, options, context);
  }
  const { makeCopyFolder, dropCopies } = await import('../prove/copy-folder.ts');
  const { copyWorkspace } = await import('../prove/copy-project.ts');
  const folder = await makeCopyFolder();
  const copyTo = (name: string): Promise<Copy> =>
    copyWorkspace(project, join(folder, name, 'project'), context.signal);
  try {
    const before = await copyTo('before');
    const written = await writePlan(project, made, options, context);
    if ('outcome' in written) return written.outcome;
    let outcome: Outcome | undefined;
    try {
      const old = await measure(before, decision.commands, plan, [], context);
      outcome = await installPlan(project, plan, written.commands, options, context);
      // Without its packages, or with marks of a conflict, nothing can work yet.
      const isOpen = written.commands.some(({ isRunnable }) => !isRunnable || !options.install);
      if (outcome.error !== undefined || isOpen) {
        const then = '"stackyard verify --guides" then sends the requests of the guides';
        context.terminal.message(`Not proved: finish what is left to do first; ${then}`);
        return outcome;
      }
      const after = await copyTo('after');
      const proof = await proofOf(plan, old, after, decision.commands, builds, context);
      return await withProof(project, plan, outcome, proof, options, context);
    } catch (error) {
      if (!context.signal.aborted) throw error;
      if (outcome === undefined && options.install) {
        await rememberPackages(
          project,
          written.commands.filter(({ isRunnable }) => isRunnable),
        );
      }
      const idle = { ...options, install: false };
      outcome ??= await installPlan(project, plan, written.commands, idle, context);
      return interruptedOutcome(outcome);
    }
  } finally {
    await dropCopies(folder);
  }
}

/**
 * Proves a project that is new: there is nothing to compare with. Of a dry run it states what would prove it.
 * @param outcome of its making
 */
export async function proveNew(
  project: string,
  plan: Plan,
  builds: readonly FetchedBuild[],
  outcome: Outcome,
  options: Options,
  context: CommandContext,
): Promise<Outcome> {
  if (outcome.error !== undefined || (!options.install && !options.dryRun)) return outcome;
  const decision = await decideProof(project, plan, options, context);
  if (options.dryRun) return withPlanned(outcome, decision, plan, builds);
  const { commands } = decision;
  if (commands.length === 0) return outcome;
  const { makeCopyFolder, dropCopies } = await import('../prove/copy-folder.ts');
  const { copyWorkspace } = await import('../prove/copy-project.ts');
  const folder = await makeCopyFolder();
  try {
    const after = await copyWorkspace(project, join(folder, 'project'), context.signal);
    const proof = await proofOf(plan, undefined, after, commands, builds, context);
    return reported(outcome, proof);
  } catch (error) {
    if (!context.signal.aborted) throw error;
    return interruptedOutcome(outcome);
  } finally {
    await dropCopies(folder);
  }
}

interface Decision {
  /** What to run; empty for nothing. */
  readonly commands: readonly ProofCommand[];
  /** What could run. */
  readonly offered: readonly string[];
}

/**
 * What runs: with `--prove` all; where the user agreed to the same commands in this project before, these; where someone can
 * answer, what the answer is. Otherwise nothing: the commands have the rights of the user.
 * @throws {ClientError} `ERR_INTERRUPTED`
 */
async function decideProof(
  project: string,
  { command }: Plan,
  { prove, dryRun }: Options,
  { choose, terminal }: CommandContext,
): Promise<Decision> {
  const none = { commands: [], offered: [] };
  const hasSay = prove === true || choose !== undefined || dryRun;
  const isNever = process.env['STACKYARD_PROVE'] === 'never';
  if (isNever && prove === true) terminal.warn('Not proved: STACKYARD_PROVE is "never"');
  if (prove === false || isNever) return none;
  const { prove: known } = await recall(project);
  if (prove !== true && (known?.answer === 'never' || (!hasSay && known === undefined)))
    return none;
  const { formatProofCommand, proofCommands } = await import('../prove/proof-commands.ts');
  const all = await proofCommands(project, true, command === 'new');
  const offered = all.map(formatProofCommand);
  if (prove === true && all.length === 0)
    terminal.warn('Not proved: the project has no type check, lint, tests or start that is known');
  if (prove === true || all.length === 0) return { commands: all, offered };
  const agreed = all.filter((one) => known?.commands.includes(formatProofCommand(one)));
  const others = all.filter((one) => !agreed.includes(one));
  // The tests may be left out; a command that has changed since needs another yes.
  if (known !== undefined && others.every(({ kind }) => kind === 'tests')) {
    return { commands: agreed, offered };
  }
  if (choose === undefined || dryRun) {
    if (known !== undefined && !dryRun)
      terminal.message('Not proved: the commands of the project have changed; --prove runs them');
    return { commands: [], offered };
  }
  const answer = await choose((ask) =>
    ask.choice(
      [
        'To prove the change, these run in copies of the project, with your rights:',
        ...offered.map((one) => `  ${one}`),
      ],
      [
        { key: 'yes', label: ' (remembered for this project)' },
        { key: 'without', label: ' the tests' },
        { key: 'skip', label: ' this time' },
        { key: 'never', label: '' },
      ],
    ),
  );
  if (answer === 'skip') return { commands: [], offered };
  const commands =
    answer === 'never' ? [] : all.filter(({ kind }) => answer === 'yes' || kind !== 'tests');
  const remembered = {
    answer: answer === 'never' ? ('never' as const) : ('agreed' as const),
    commands: commands.map(formatProofCommand),
  };
  await remember(project, { prove: remembered }).catch(() => {});
  return { commands, offered };
}

/** Of a dry run: what would prove the change. */
async function withPlanned(
  outcome: Outcome,
  { commands, offered }: Decision,
  plan: Plan,
  builds: readonly FetchedBuild[],
): Promise<Outcome> {
  if (outcome.status !== 'planned' || offered.length === 0) return outcome;
  const runs = commands.length > 0;
  const lines = offered.map((one) => `  ${one}`);
  const head = runs ? 'Would prove the change with:' : 'Could prove the change (--prove) with:';
  const requests = (await promisedBy(plan, builds)).requests.length;
  return {
    ...outcome,
    data: { ...outcome.data, prove: { commands: offered, runs, requests } },
    text: [...outcome.text.slice(0, -1), head, ...lines, ...outcome.text.slice(-1)],
  };
}

async function measure(
  copy: Copy,
  commands: readonly ProofCommand[],
  plan: Plan,
  requests: readonly Expectation[],
  { signal, terminal }: CommandContext,
): Promise<Measured> {
  const { measureCopy } = await import('../prove/measure-copy.ts');
  const paths = [...plan.files, ...plan.edits].map(({ path }) => path);
  const wired = plan.wiring?.map(({ file }) => file) ?? [];
  const note = (line: string): void => terminal.message(`In a copy: ${line}`);
  return measureCopy(copy, {
    commands,
    paths: [...new Set([...paths, ...wired])].sort(),
    requests,
    signal,
    note,
  });
}

async function proofOf(
  plan: Plan,
  before: Measured | undefined,
  after: Copy,
  commands: readonly ProofCommand[],
  builds: readonly FetchedBuild[],
  context: CommandContext,
): Promise<Proof> {
  const { compareCopies } = await import('../prove/proof.ts');
  const { requests, unread } = await promisedBy(plan, builds);
  const measured = await measure(after, commands, plan, requests, context);
  const proof = compareCopies(before, measured, plan);
  if (unread.length === 0) return proof;
  return { ...proof, is_good: false, facts: [...proof.facts, ...unread] };
}

/** The requests of the guides that the change carries out, and those of guides with a wrong line. */
async function promisedBy(
  { wiring = [] }: Plan,
  builds: readonly FetchedBuild[],
): Promise<{ readonly requests: readonly Expectation[]; readonly unread: readonly string[] }> {
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

/** Records a proof, and asks what becomes of a change that broke something. */
async function withProof(
  project: string,
  plan: Plan,
  outcome: Outcome,
  proof: Proof,
  options: Options,
  context: CommandContext,
): Promise<Outcome> {
  const { keepProof } = await import('../apply/keep-proof.ts');
  const done = reported(outcome, proof);
  if (proof.problems.length === 0 || context.choose === undefined) {
    await keepProof(project, plan, proof, context.signal);
    return done;
  }
  const wired = [
    ...new Set(plan.wiring?.flatMap(({ action, build }) => (action === 'added' ? [build] : []))),
  ];
  const choices = [
    { key: 'keep', label: ' the change' },
    { key: 'revert', label: ' it' },
    ...(wired.length === 0 ? [] : [{ key: 'without', label: ' wiring' } as const]),
  ] as const;
  const answer = await context
    .choose((ask) => ask.choice(problemLines(proof), choices))
    .catch(() => 'keep');
  if (answer === 'revert') {
    const { undoLast } = await import('./undo-last.ts');
    return undoLast(project, { dryRun: false, verbose: options.verbose }, context);
  }
  if (answer === 'without') {
    const { takeOutSteps } = await import('./take-out-steps.ts');
    return takeOutSteps(project, wired, options, context);
  }
  await keepProof(project, plan, proof, context.signal);
  return done;
}

function problemLines({ problems }: Proof): string[] {
  return [
    'The change broke something:',
    ...problems.map(({ text, cause }) => `  ${text}${cause === undefined ? '' : ` (${cause})`}`),
  ];
}

function reported(outcome: Outcome, proof: Proof): Outcome {
  const facts = proof.facts.map((fact): StyledText => [
    span(proof.is_good ? 'good' : 'changed', 'proof'),
    `  ${fact}`,
  ]);
  const isBroken = proof.problems.length > 0;
  const text = [...outcome.text, ...facts, ...(isBroken ? problemLines(proof) : [])];
  const data = { ...outcome.data, proof };
  if (!isBroken || outcome.error !== undefined) return { ...outcome, data, text };
  const error = new ClientError(
    'ERR_PROOF',
    'The change is in place, and something that worked before fails',
    { hint: 'correct what is listed, or "stackyard undo" takes the change back' },
  );
  return { ...outcome, data, text, error };
}

function interruptedOutcome(outcome: Outcome): Outcome {
  const error = new ClientError(
    'ERR_INTERRUPTED',
    `Interrupted during the proof: the change is in place, and ${LOCK_FILE} records it`,
    { hint: '"stackyard undo" takes it back' },
  );
  return { ...outcome, status: 'error', error };
}
