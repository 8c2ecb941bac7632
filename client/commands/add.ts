/** `add`: installs builds of registries, folders and tarballs, and what they require; or carries out the steps of installed ones. */
import { z } from 'zod';
import type { Lock } from '../../format/project/lock.ts';
import { satisfies } from '../../format/version/semver-range.ts';
import { resumePackages } from '../apply/install-packages.ts';
import { openProject } from '../apply/open-project.ts';
import { answered } from '../change/answered.ts';
import { applyPlan, preparePlan } from '../change/apply.ts';
import { askFor, askToAdd, isInstalled, type ProjectAsk, isLocalSource } from '../change/ask.ts';
import { findChecks } from '../change/check.ts';
import { fetchChange } from '../change/fetch.ts';
import { fittingFacts, Misfit } from '../change/fit.ts';
import { planChange } from '../change/plan.ts';
import { viewProject } from '../change/view-project.ts';
import { settle } from '../change/settle.ts';
import { changesProject, isUnchanged } from '../change/unchanged.ts';
import { NO_CHOICES } from '../plan/make-plan.ts';
import { type Change, ChangeOutput } from '../plan/plan.ts';
import { questionsBefore } from '../plan/question.ts';
import { readLock } from '../project/project.ts';
import { withRegistry } from '../registry/open-registry.ts';
import type { Registries } from '../registry/registries.ts';
import { fullIds } from '../search/short-ids.ts';
import { parseRegistryRequest } from '../resolve/request.ts';
import { parseAge } from '../resolve/version-age.ts';
import { agreeToFixers } from '../style/decide-style.ts';
import {
  announce,
  plannedReport,
  questionsAfter,
  unchangedReport,
  unchangedWiring,
} from '../terminal/change-report.ts';
import type { GlobalOptions, Outcome } from '../terminal/command.ts';
import {
  allow,
  define,
  fileDecisions,
  flag,
  install,
  keep,
  minAge,
  onExists,
  PlanDecisions,
  prove,
  type RunContext,
  someBuilds,
  style,
} from '../terminal/options.ts';
import { span, type StyledText } from '../terminal/styled-text.ts';

const Input = z.object({
  builds: someBuilds(
    '[<registry>:]<owner>/<name>[@<range>], or what is not published yet: ./dates, ./dates-1.0.0.tgz',
    ['@registries'],
  ),
  dryRun: flag('print what would change, or why the builds do not fit, and write nothing'),
  install,
  prove,
  onExists,
  keep,
  to: PlanDecisions.shape.to,
  style,
  wire: flag(
    'carry out the steps of INTEGRATION.md that have one clear place, also of installed builds',
  ),
  minAge,
  allow,
  owner: z.string().max(100).optional().meta({
    description: 'the owner who will publish it',
    placeholder: 'login',
    group: 'Of a build that is not published yet',
  }),
});

type AddOptions = GlobalOptions & Omit<z.infer<typeof Input>, 'builds'>;

/** @throws {ClientError} with nothing written, except `ERR_PACKAGES`, which the outcome carries */
export async function add(
  texts: readonly string[],
  options: AddOptions,
  context: RunContext,
): Promise<Outcome> {
  const place = { ...options, isAnyFolder: true };
  const { project, close } = await openProject(place, context.terminal.warn);
  try {
    if (options.style === 'project') context.note(await agreeToFixers(project));
    const lock = readLock(project);
    const ask = await askOf(texts, { project, lock }, options, context);
    if (ask.command === 'add' && isInstalled(lock, ask)) {
      const text = ask.requests.map(
        ({ id }) => `${id} ${lock?.builds[id]?.version} is installed already`,
      );
      return unchangedReport(project, text, await resumePackages(project, options, context));
    }
    const isOptional = ask.local.size > 0;
    const fetch = (opened: Registries): Promise<Change> =>
      fetchChange(ask, { project, lock }, opened);
    let change = await withRegistry(options, lock, context, fetch, undefined, isOptional);
    if (isUnchanged(change)) {
      const text = [`${texts.join(', ')}: installed already, and unchanged since`];
      return { status: 'noop', data: {}, text };
    }
    let planned = await planChange(await viewProject(project, change, context.signal));
    while ('open' in planned) {
      change = await answered(project, change, await context.ask(planned.open));
      planned = await planChange(await viewProject(project, change, context.signal));
    }
    const { made } = planned;
    if (change.command === 'wire' && !changesProject(made)) return unchangedWiring(made.plan);
    const checks = await findChecks(project, made.plan, change.builds, options, context.canAsk);
    const prepared = await preparePlan(project, made, options.install, checks);
    announce(prepared, context);
    if (options.dryRun)
      return await fitting(project, change, plannedReport(prepared, options.verbose));
    context.approve?.({ plan: prepared.plan });
    const answers = await context.ask(questionsBefore(prepared.plan, checks.open?.question));
    const applied = await applyPlan(prepared, options.install, answers, context);
    const wishes = await context.ask(questionsAfter(applied, prepared.plan)).catch(() => []);
    return await settle(prepared, applied, wishes, options.verbose, context);
  } finally {
    await close();
  }
}

/** Of builds that are all there already `--wire` is about their steps. */
async function askOf(
  texts: readonly string[],
  place: { readonly project: string; readonly lock: Lock | undefined },
  options: AddOptions,
  { canAsk, from }: RunContext,
): Promise<ProjectAsk> {
  const { onExists, keep, allow, style, wire, dryRun, owner, to } = options;
  const isLocal = texts.some(isLocalSource);
  if (wire && !isLocal) {
    const requests = texts.map(parseRegistryRequest);
    const areThere = requests.every(({ id, range }) => {
      const build = place.lock?.builds[id];
      return build !== undefined && (range === undefined || satisfies(build.version, range));
    });
    if (areThere) return askFor('wire', requests, { ...NO_CHOICES, allow });
  }
  const asksToWire = canAsk && !dryRun;
  const choices = {
    ...NO_CHOICES,
    ...fileDecisions(onExists),
    allow,
    keep,
    style,
    wire: wire || (asksToWire ? undefined : false),
  };
  const ask = await askToAdd(texts, choices, { ...place, from, owner, to });
  return { ...ask, age: parseAge(options, Date.now()), explains: dryRun && !isLocal };
}

/** A dry run of builds of registries, with what the project has of what they require. */
async function fitting(project: string, change: Change, outcome: Outcome): Promise<Outcome> {
  if (change.command !== 'add' || change.builds.some(({ source }) => source !== undefined))
    return outcome;
  const stack = await fittingFacts(project, change);
  const lines = stack.map(({ tag, version, source }): StyledText => {
    return ['  ', tag, ' ', span('number', version ?? ''), '  from ', span('path', source)];
  });
  return {
    ...outcome,
    data: { ...outcome.data, fits: true, stack },
    text: [...outcome.text, ...(lines.length === 0 ? [] : ['The project has']), ...lines],
  };
}

function misfitOutcome(error: Misfit): Outcome {
  const { reasons, facts: stack } = error;
  return {
    status: 'error',
    data: { fits: false, reasons, stack },
    text: [
      [span('bad', 'It does not fit'), ', because'],
      ...reasons.map(({ text }) => `  ${text}`),
    ],
    error,
  };
}

export const command = define({
  description:
    'Installs builds and the builds that they require. With --dry-run the exit status is 4 when they do not fit, and --verbose prints step by step why',
  input: Input,
  output: ChangeOutput.extend({
    fits: z.boolean().optional().describe('Of a dry run.'),
    reasons: z
      .array(z.looseObject({ text: z.string() }))
      .optional()
      .describe('The smallest set of facts because of which the builds do not fit.'),
    stack: z
      .array(z.looseObject({ tag: z.string(), source: z.string() }))
      .optional()
      .describe('Of a dry run: what the project has of what the builds require.'),
  }),
  examples: [
    'add stackyard/sqlite@^1.0.0 -C my-app --dry-run',
    'add corp:acme/web  # from another registry of the project',
  ],
  run: async ({ builds: given, ...input }, shared, context) => {
    const options = { ...shared, ...input };
    const builds = await fullIds(given, 'module', options, context);
    return add(builds, options, context).catch((error: unknown) => {
      if (error instanceof Misfit) return misfitOutcome(error);
      throw error;
    });
  },
});
