/**
 * The client as a library: `resolve` chooses versions from heads, `plan` computes everything that an
 * install would change, `apply` carries a plan out.
 */
import { checkConsent } from './plan/consent.ts';
import { chooseProject } from './project/choose-project.ts';
import { withRegistry } from './operation/open-registry.ts';
import { withProjectLock } from './install/project-lock.ts';
import { recover } from './install/recover.ts';
import { applyChanges } from './install/transaction.ts';
import { fileDecisions } from './operation/file-decisions.ts';
import { checkInstalledPlaces, parsePlacement } from './operation/placement-folder.ts';
import { placingOf } from './operation/placing-wish.ts';
import { planHash } from './operation/plan-hash.ts';
import { planInstall } from './operation/plan-install.ts';
import { readLock } from './project/project.ts';
import { parseRegistryRequest } from './resolve/request.ts';
import { SILENT } from './terminal/terminal.ts';
import type { PlanDecisions } from './commands/add.ts';
import type { FileChange, Plan } from './plan/plan.ts';

export { StackyardError } from '../format/errors.ts';
export { resolve } from './resolve/resolver.ts';
export type { ResolveInput, Resolution } from './resolve/resolver.ts';

/** Those of `add`, and where the builds come from. */
export interface PlanOptions extends PlanDecisions {
  /** Addresses of a registry of the project and its mirrors in this run; default: STACKYARD_REGISTRY, otherwise those of the lock. */
  readonly registry?: string | readonly string[];
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
  const requests = builds.map(parseRegistryRequest);
  const project = chooseProject({ cwd: folder, isCwdGiven: true, workspace: undefined });
  const lock = readLock(project);
  const { onExists = [], keep = [], allow = [], imports } = options;
  const to = Object.fromEntries(parsePlacement(requests, options.to));
  checkInstalledPlaces(lock, to);
  const placing = await placingOf(project, lock, { to, imports });
  const signal = options.signal ?? new AbortController().signal;
  const context = { signal, terminal: SILENT, approve: async () => {}, ask: async () => {} };
  const place = {
    cwd: project,
    isCwdGiven: true,
    workspace: undefined,
    json: true,
    quiet: true,
    verbose: false,
    registry: options.registry === undefined ? undefined : [options.registry].flat(),
    offline: options.offline ?? false,
    preferOffline: false,
  };
  return withRegistry(place, lock, context, async (registry) => {
    const common = { project, registry, requests, lock };
    const choices = { ...fileDecisions(onExists), keep, allow, placing };
    const made = await planInstall({ ...common, ...choices });
    const chosen = { onExists, keep, allow, to: options.to, imports };
    const purpose = { action: 'add', project, requests: builds, options: chosen };
    const { changes, commit, emptied } = made;
    return {
      project,
      plan: made.plan,
      hash: planHash(made.plan, purpose),
      changes,
      commit,
      emptied,
    };
  });
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
