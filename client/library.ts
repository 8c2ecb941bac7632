/**
 * The client as a library: `resolve` chooses versions from heads, `plan` computes everything that an
 * install would change, `apply` carries a plan out.
 */
import { checkConsent } from './plan/consent.ts';
import { chooseProject } from './project/choose-project.ts';
import { withRegistry } from './registry/open-registry.ts';
import { withProjectLock } from './apply/project-lock.ts';
import { recover } from './apply/recover.ts';
import { applyChanges } from './apply/transaction.ts';
import { planHash } from './plan/plan-hash.ts';
import type { FileChange, Plan } from './plan/plan.ts';
import { NO_CHOICES } from './plan/make-plan.ts';
import { checkedPlan } from './change/apply.ts';
import { askToAdd } from './change/ask.ts';
import { fetchChange } from './change/fetch.ts';
import { planUnasked } from './change/plan.ts';
import { viewProject } from './change/view-project.ts';
import { fileDecisions, type PlanDecisions } from './terminal/options.ts';
import { readLock } from './project/project.ts';
import { SILENT } from './terminal/command.ts';

export { StackyardError } from '../format/errors.ts';
export { resolve } from './resolve/resolver.ts';
export type { ResolveInput, Resolution } from './resolve/resolver.ts';

/** Those of `add`, and where the builds come from. */
export interface PlanOptions extends PlanDecisions {
  /** The address of a registry of the project in this run; default: STACKYARD_REGISTRY, otherwise those of the lock. */
  readonly registry?: string;
  /** Uses no network: only the cache of this user and folders. */
  readonly offline?: boolean;
  /** Aborts the downloads. */
  readonly signal?: AbortSignal;
}

/** An install that is ready to be applied. */
export interface PreparedInstall {
  /** Absolute path of the project. */
  readonly project: string;
  /** Everything that `apply` changes: plain data. */
  readonly plan: Plan;
  /** Digest of the plan: the same for the same project, registry and request. */
  readonly hash: string;
  /** The new content of each file, and the digest of what it replaces. */
  readonly changes: readonly FileChange[];
  /** The lock, written last. */
  readonly commit: FileChange;
  /** Folders to remove if they are empty after the changes. */
  readonly emptied: readonly string[];
}

/**
 * Plans the install of builds into a project: resolves, downloads, verifies. Writes nothing.
 * @param folder the project
 * @param builds `[<registry>:]<owner>/<name>[@<range>]`
 * @throws {StackyardError} with a stable `code`, such as `ERR_CONFLICT`, and a `hint`
 */
export async function plan(
  folder: string,
  builds: readonly string[],
  options: PlanOptions = {},
): Promise<PreparedInstall> {
  const project = chooseProject({ cwd: folder, isCwdGiven: true, workspace: undefined });
  const lock = readLock(project);
  const { onExists = [], keep = [], allow = [], to } = options;
  const choices = { ...NO_CHOICES, ...fileDecisions(onExists), keep, allow };
  const ask = await askToAdd(builds, choices, { project, lock, to });
  const signal = options.signal ?? new AbortController().signal;
  const place = {
    cwd: project,
    isCwdGiven: true,
    workspace: undefined,
    json: true,
    quiet: true,
    verbose: false,
    registry: options.registry,
    offline: options.offline ?? false,
  };
  const context = { signal, terminal: SILENT, note: SILENT.message };
  const change = await withRegistry(place, lock, context, (registries) =>
    fetchChange(ask, { project, lock }, registries),
  );
  const planned = await planUnasked(await viewProject(project, change, signal));
  const made = await checkedPlan(project, planned);
  const chosen = { onExists, keep, allow, to: options.to };
  const purpose = { action: 'add', project, requests: builds, options: chosen };
  const { changes, commit, emptied } = made;
  const hash = planHash(made.plan, purpose);
  return { project, plan: made.plan, hash, changes, commit, emptied };
}

/**
 * Carries out an install completely or not at all: when it throws, the project is unchanged. Installs no
 * packages.
 * @throws {StackyardError} `ERR_CONSENT` when `plan.consent` lists what you did not allow, `ERR_PROJECT_CHANGED` when the project changed since the plan was made,
 * `ERR_BUSY`, `ERR_WRITE`, `ERR_INTERRUPTED`
 */
export async function apply(
  prepared: PreparedInstall,
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  const { project, plan: made, changes, commit, emptied } = prepared;
  checkConsent(made);
  await withProjectLock(project, async () => {
    await recover(project);
    await applyChanges(project, changes, commit, { ...options, emptied });
  });
}
