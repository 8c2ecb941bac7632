/** What a command that changes a project reports: a dry run, what was done and is left to do, what the change broke. */
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import type { Installed } from '../apply/install-packages.ts';
import { formatCommand } from '../apply/package-command.ts';
import type { Applied, Prepared } from '../change/apply.ts';
import { ClientError } from '../errors.ts';
import { consentLines } from '../plan/consent.ts';
import type { Plan, PlannedBuild } from '../plan/plan.ts';
import type { Question } from '../plan/question.ts';
import type { Proof } from '../prove/proof.ts';
import { planClosing } from './closing-sentence.ts';
import { type CommandContext, nextLine, type Outcome, printWarnings } from './command.ts';
import type { NextStep } from './envelope.ts';
import { describePlan, describeWiring, integrationOrder } from './plan-text.ts';
import { span, type StyledText } from './styled-text.ts';

/** Of more builds that were asked for, one stands for all. */
const MAX_GUIDES = 3;

/** What the user should know before a plan is carried out. */
export function announce({ plan, notes, checks }: Prepared, context: CommandContext): void {
  printWarnings(plan, context);
  for (const note of notes) context.terminal.message(note);
  if (checks.note !== undefined) context.terminal.warn(checks.note);
}

/** The outcome of a dry run. */
export function plannedReport(
  {
    plan,
    commands,
    checks: { commands: checked, offered, requests },
  }: Omit<Prepared, 'made' | 'locks' | 'project' | 'notes'>,
  isVerbose: boolean,
): Outcome {
  const runs = checked.length > 0;
  const head = runs ? 'Would prove the change with:' : 'Could prove the change (--prove) with:';
  const isOffered = offered.length > 0;
  const prove = { commands: offered, runs, requests: requests.length };
  return {
    status: 'planned',
    data: { plan, commands: commands.map(formatCommand), ...(isOffered ? { prove } : {}) },
    warnings: plan.warnings,
    isAnnounced: true,
    text: [
      ...describePlan(plan, isVerbose),
      ...consentLines(plan),
      ...(plan.by_hand ?? []).map(nextLine),
      ...(isOffered ? [head, ...offered.map((one) => `  ${one}`)] : []),
      'Nothing was written: this was a dry run',
    ],
  };
}

/** What was done, and what is left to do. */
export function changedReport(
  project: string,
  plan: Plan,
  { next: left, error, proof, isInterrupted }: Applied,
  isVerbose: boolean,
): Outcome {
  const conflicts = plan.files.flatMap(({ action, path }) => (action === 'conflict' ? path : []));
  const all = [...left, ...(plan.by_hand ?? []), ...guideSteps(plan)];
  // Both parts of a new project may have the same.
  const steps = [...new Map(all.map((step) => [step.command, step])).values()];
  const isConflict = conflicts.length > 0 && error === undefined;
  const merging = conflicts.map((path) => {
    return { command: `stackyard resolve ${path}`, why: 'when you have merged both sides' };
  });
  const problem =
    error ??
    (isConflict ? conflictError(conflicts) : undefined) ??
    (isInterrupted === true ? INTERRUPTED : undefined) ??
    (proof !== undefined && proof.problems.length > 0 ? BROKEN : undefined);
  const isFailed = error !== undefined || isInterrupted === true;
  return {
    status: isConflict ? 'conflicts' : isFailed ? 'error' : 'done',
    data: { plan, project, ...(proof === undefined ? {} : { proof }) },
    warnings: plan.warnings,
    isAnnounced: true,
    next: [...(isConflict ? merging : []), ...steps],
    closing: planClosing(plan),
    text: [...describePlan(plan, isVerbose), ...steps.map(nextLine), ...proofLines(proof)],
    ...(problem === undefined ? {} : { error: problem }),
  };
}

/** The outcome of a command that has nothing to change. @param text why @param resumed of an interrupted run */
export function unchangedReport(
  project: string,
  text: readonly string[],
  resumed: Installed | undefined,
): Outcome {
  if (resumed === undefined) return { status: 'noop', data: {}, text };
  const { next, error } = resumed;
  return {
    status: error === undefined ? 'done' : 'error',
    data: { project },
    next,
    text: [...text, ...next.map(nextLine)],
    ...(error === undefined ? {} : { error }),
  };
}

/** The outcome of a plan of wiring that changes nothing. */
export function unchangedWiring(plan: Plan): Outcome {
  const text = [...describeWiring(plan.wiring ?? []), 'Nothing changes'];
  return { status: 'noop', data: { plan }, warnings: plan.warnings, text };
}

/** What becomes of a change that broke something. */
export function questionsAfter({ proof }: Applied, plan: Plan): Question[] {
  if (proof === undefined || proof.problems.length === 0) return [];
  const isWired = plan.wiring?.some(({ action }) => action === 'added') === true;
  return [{ about: 'broken', problems: problemLines(proof), isWired }];
}

/** The guides of what was asked for; where builds that it requires have some, the first one says so. */
function guideSteps({ builds, choices, command }: Plan): NextStep[] {
  const guides = integrationOrder(builds).filter((build) => build.has_integration === true);
  const isAsked = ({ id, required_by }: PlannedBuild): boolean =>
    required_by.length === 0 || Object.hasOwn(choices.requested, id);
  const asked = guides.filter(isAsked);
  const named = (asked.length > MAX_GUIDES ? asked.slice(0, 1) : asked).map(({ id }) => id);
  const others = guides.flatMap(({ id }) => (named.includes(id) ? [] : id));
  const have = others.length === 1 ? 'has its' : 'have their';
  const who = others.length > 2 ? `the other ${others.length} builds` : others.join(' and ');
  const why = command === 'update' ? 'its setup steps changed' : 'setup steps';
  return named.map((id, at) => ({
    command: `stackyard info ${id} --integration`,
    why: at > 0 || who === '' ? why : `${why}; ${who} ${have} own`,
  }));
}

function proofLines(proof: Proof | undefined): StyledText[] {
  if (proof === undefined) return [];
  const { is_good, facts, output = [], problems } = proof;
  const role = is_good ? 'good' : 'changed';
  const lines = problemLines(proof).map((line) => `  ${line}`);
  return [
    ...facts.map((fact): StyledText => [span(role, 'proof'), `  ${fact}`]),
    ...output.map((line) => `       | ${line}`),
    ...(problems.length > 0 ? ['The change broke something:', ...lines] : []),
  ];
}

function problemLines({ problems }: Proof): string[] {
  return problems.flatMap(({ text, cause, output = [] }) => [
    `${text}${cause === undefined ? '' : ` (${cause})`}`,
    ...output.map((line) => `  | ${line}`),
  ]);
}

const BROKEN = new ClientError(
  'ERR_PROOF',
  'The change is in place, and something that worked before fails',
  { hint: 'correct what is listed, or "stackyard undo" takes the change back' },
);

const INTERRUPTED = new ClientError(
  'ERR_INTERRUPTED',
  `Interrupted during the proof: the change is in place, and ${LOCK_FILE} records it`,
  { hint: '"stackyard undo" takes it back' },
);

function conflictError(conflicts: readonly string[]): ClientError {
  const paths = conflicts.join(', ');
  return new ClientError('ERR_CONFLICT', `Both sides are between markers in ${paths}`, {
    hint: 'merge them by hand, then "stackyard resolve <file>"; "stackyard undo" undoes it all',
  });
}
