/**
 * `update --pull-request`: one pull request per build or group, made by `update` itself in the checkout, which is as it was
 * afterwards. It opens, refreshes and closes its own requests; a branch that a person changed is left alone.
 *
 *     stackyard.updates.json   { "groups": { "accounts": ["stackyard/account*"] }, "limit": 3, "days": ["monday"] }
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { z } from 'zod';
import { parseDocument } from '../../format/document/document.ts';
import { FormatError } from '../../format/errors.ts';
import type { Lock } from '../../format/project/lock.ts';
import { ClientError } from '../errors.ts';
import type { Plan } from '../plan/plan.ts';
import { chooseProject } from '../project/choose-project.ts';
import { requireLock } from '../project/project.ts';
import { BRANCHES, Checkout, type KnownBranch } from '../publish/update-branch.ts';
import { openProjectHost, type UpdateRequests } from '../publish/update-host.ts';
import { installedHeads } from '../registry/installed-notes.ts';
import { withRegistry } from '../registry/open-registry.ts';
import type { Registries } from '../registry/registries.ts';
import { installedAdvisories } from '../../format/advisory/found-advisories.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';
import { span, type StyledText } from '../terminal/styled-text.ts';
import { markerOf, notesOn, requestBody } from './update-text.ts';

const UPDATES_FILE = 'stackyard.updates.json';

const CLOSED = 'The base branch has these versions, or they are not wanted any more.';
const DAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');

const Patterns = z.array(z.string().min(1).max(200)).max(200);
/** The page docs/fleet.md states what each is. */
const Settings = z.strictObject({
  groups: z.record(z.string().regex(/^[a-z0-9][a-z0-9-]{0,48}$/), Patterns).default({}),
  ignore: Patterns.default([]),
  limit: z.int().min(0).max(100).default(5),
  days: z.array(z.enum(DAYS)).min(1).default(DAYS),
  labels: z.array(z.string().min(1).max(50)).max(20).default(['dependencies']),
  securityLabel: z.string().min(1).max(50).default('security'),
});
type Settings = z.infer<typeof Settings>;

export interface UpdateRun extends GlobalOptions {
  readonly dryRun: boolean;
  readonly latest: boolean;
}

/** `update` for some builds, in place, or what it would do. No question is put: where one is open, no request can be made. */
type Run = (ids: readonly string[], dryRun: boolean) => Promise<Outcome>;

/** What became of one build or group. */
interface Result {
  readonly name: string;
  /** opened, refreshed, unchanged, closed, edited, declined, waiting, planned or stuck. */
  readonly state: string;
  readonly builds?: readonly string[];
  readonly branch?: string;
  readonly url?: string | undefined;
  readonly why?: string;
}

interface Group {
  readonly name: string;
  readonly ids: readonly string[];
  readonly isSecurity: boolean;
}

/**
 * @throws {ClientError} before anything was changed; what stops one group is in the outcome
 */
export async function updateRequests(
  ids: readonly string[],
  options: UpdateRun,
  context: CommandContext,
  run: Run,
): Promise<Outcome> {
  const project = chooseProject(options);
  const lock = requireLock(project);
  const settings = readSettings(project);
  const { env } = process;
  let requests: UpdateRequests | undefined;
  const checkout = await Checkout.open(
    project,
    (remote) => {
      const host = openProjectHost(remote, project, env, context.signal);
      requests = host.requests;
      return host;
    },
    context.signal,
  );
  if (requests === undefined && !options.dryRun) {
    const what = 'There is no token for the code host of the project';
    throw new ClientError('ERR_NEEDS_ANSWER', what, {
      hint: 'set GITHUB_TOKEN (at GitLab GITLAB_TOKEN); with GITHUB_SERVER_URL and GITHUB_API_URL where the host is not github.com',
    });
  }
  // Checks of the project run in this process's environment with --prove: they get no token that can push.
  for (const name of ['GITHUB_TOKEN', 'GITLAB_TOKEN']) delete env[name];
  const base = await checkout.baseBranch(env['CI_COMMIT_BRANCH'] || env['GITHUB_REF_NAME']);
  const folder = relative(checkout.root, project).split(sep).join('/');
  const prefix = `${BRANCHES}${folder === '' ? '' : `${slug(folder)}/`}`;
  const known = await checkout.branches(prefix);
  const groups = await groupsOf(lock, settings, ids, options, context);
  const results: Result[] = [];
  const given = { checkout, base, prefix, known, settings, lock, options, context, run };
  let open = known.size;
  for (const group of groups) {
    context.signal.throwIfAborted();
    const isNew = !known.has(`${prefix}${group.name}`);
    const isWaiting = isNew && !group.isSecurity && (open >= settings.limit || !isToday(settings));
    const result = await updateGroup(group, { ...given, requests, project, isWaiting });
    if (result === undefined) continue;
    if (result.state === 'opened') open += 1;
    results.push(result);
  }
  if (ids.length === 0) results.push(...(await closeOthers(groups, { ...given, requests })));
  const data = { base, requests: results };
  const text = results.map(resultLine);
  const stuck = results.filter(({ state }) => state === 'stuck');
  const isNoop = results.every(({ state }) => ['unchanged', 'edited', 'declined'].includes(state));
  if (text.length === 0) text.push('All builds are up to date');
  if (stuck.length > 0) {
    const names = stuck.map(({ name }) => name).join(', ');
    const error = new ClientError('ERR_CONFLICT', `No pull request could be made for ${names}`, {
      hint: 'each line states why; run "stackyard update <build>" to decide it yourself',
    });
    return { status: 'error', data, text, error };
  }
  return { status: options.dryRun ? 'planned' : isNoop ? 'noop' : 'done', data, text };
}

/** @throws {ClientError} `ERR_PROJECT_FILE` */
function readSettings(project: string): Settings {
  const file = join(project, UPDATES_FILE);
  if (!existsSync(file)) return Settings.parse({});
  try {
    return parseDocument(Settings, readFileSync(file), `"${UPDATES_FILE}"`);
  } catch (cause) {
    if (!(cause instanceof FormatError)) throw cause;
    const hint = 'it has "groups", "ignore", "limit", "days", "labels" and "securityLabel"';
    throw new ClientError('ERR_PROJECT_FILE', cause.message, { cause, hint });
  }
}

function isToday({ days }: Settings): boolean {
  return days.includes(DAYS[new Date().getUTCDay()]!);
}

/** In a name of a branch. */
function slug(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_-]+/g, '-').replaceAll(/^-+|-+$/g, '');
}

/** Those with advisories first. */
async function groupsOf(
  lock: Lock,
  { groups, ignore }: Settings,
  only: readonly string[],
  options: UpdateRun,
  context: CommandContext,
): Promise<Group[]> {
  const matches = (patterns: readonly string[], id: string): boolean =>
    patterns.some((pattern) => idPattern(pattern).test(id));
  const look = (registry: Registries) => installedHeads(registry, lock);
  const heads = await withRegistry(options, lock, context, look);
  const counted = installedAdvisories(lock, heads).filter(({ ignored }) => ignored === undefined);
  const advised = new Set(counted.map(({ build }) => build));
  const found = new Map<string, string[]>();
  for (const id of Object.keys(lock.builds).sort()) {
    if (matches(ignore, id) || (only.length > 0 && !only.includes(id))) continue;
    const name = Object.keys(groups).find((one) => matches(groups[one]!, id)) ?? slug(id);
    found.set(name, [...(found.get(name) ?? []), id]);
  }
  const all = [...found].map(([name, ids]) => {
    return { name, ids, isSecurity: ids.some((id) => advised.has(id)) };
  });
  return [...all.filter((one) => one.isSecurity), ...all.filter((one) => !one.isSecurity)];
}

function idPattern(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[^\w/-]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}

interface Given {
  readonly checkout: Checkout;
  readonly base: string;
  readonly prefix: string;
  readonly known: ReadonlyMap<string, KnownBranch>;
  readonly settings: Settings;
  readonly lock: Lock;
  readonly requests: UpdateRequests | undefined;
  readonly options: UpdateRun;
  readonly context: CommandContext;
  readonly run: Run;
}

/** `undefined` where there is nothing to update, and no request. */
async function updateGroup(
  { name, ids, isSecurity }: Group,
  given: Given & { readonly project: string; readonly isWaiting: boolean },
): Promise<Result | undefined> {
  const { checkout, base, prefix, known, settings, requests, options, context } = given;
  const branch = `${prefix}${name}`;
  const there = known.get(branch);
  try {
    const planned = await given.run(ids, true);
    const { plan } = planned.data as { readonly plan?: Plan };
    if (plan === undefined) return await closeGroup(name, branch, given);
    const list = plan.builds.map(
      (one) => `${one.id}@${one.action === 'remove' ? 'none' : one.version}`,
    );
    const builds = list.join(' ');
    const about = { name, branch, builds: list };
    if (options.dryRun || requests === undefined) return { ...about, state: 'planned' };
    if (there !== undefined && there.own === undefined) {
      return { ...about, state: 'edited', why: 'another person committed to the branch' };
    }
    const [last, ...others] = await requests.of(branch);
    if (last !== undefined && last.state === 'closed' && last.body.includes(markerOf(builds))) {
      const why = 'it was closed for these versions';
      return { ...about, state: 'declined', url: last.url, why };
    }
    const open = [last, ...others].find((one) => one?.state === 'open');
    const isSame = there?.own?.base === checkout.head && there.own.builds === builds;
    if (isSame && open !== undefined) return { ...about, state: 'unchanged', url: open.url };
    if (given.isWaiting && open === undefined) {
      return { ...about, state: 'waiting', why: 'the limit of open requests, or not today' };
    }
    const outcome = await given.run(ids, false);
    const made = outcome.data as {
      readonly plan: Plan;
      readonly proof?: { readonly facts: readonly string[] };
    };
    const tree = await checkout.writeTree();
    const look = (registry: Registries) => notesOn(made.plan, registry);
    const notes = await withRegistry(options, given.lock, context, look);
    const hasConflict = made.plan.files.some(({ action }) => action === 'conflict');
    const title = titleOf(name, ids, made.plan);
    const problem = hasConflict ? undefined : outcome.error?.message;
    const [before, after] = [given.lock.proof?.facts ?? [], made.proof?.facts];
    const fixes = isSecurity && notes.some(({ fixed }) => fixed.length > 0);
    const text = {
      title,
      isDraft: hasConflict,
      labels: [...settings.labels, ...(fixes ? [settings.securityLabel] : [])],
      body: requestBody(made.plan, notes, before, after, problem, builds),
    };
    if (there?.own?.tree !== tree || there.own.base !== checkout.head) {
      await checkout.push(branch, tree, builds, title, there);
    }
    if (open === undefined) {
      const { url } = await requests.open(branch, base, text);
      return { ...about, state: 'opened', url };
    }
    await requests.update(open, text);
    return { ...about, state: 'refreshed', url: open.url };
  } catch (error) {
    if (!(error instanceof ClientError) || error.code === 'ERR_INTERRUPTED') throw error;
    return { name, branch, state: 'stuck', why: error.message };
  } finally {
    if (!options.dryRun) await checkout.restore();
  }
}

/** Of a build without an update: its request has no purpose any more. */
async function closeGroup(
  name: string,
  branch: string,
  { known, requests, checkout, options }: Given,
): Promise<Result | undefined> {
  const there = known.get(branch);
  if (there === undefined) return undefined;
  if (there.own === undefined) {
    return { name, branch, state: 'edited', why: 'another person committed to the branch' };
  }
  if (options.dryRun || requests === undefined)
    return { name, branch, state: 'planned', why: 'closes' };
  const open = (await requests.of(branch)).find(({ state }) => state === 'open');
  if (open !== undefined) await requests.close(open, CLOSED);
  await checkout.drop(branch, there);
  return { name, branch, state: 'closed', url: open?.url };
}

/** Branches of groups and builds that the project does not have any more. */
async function closeOthers(groups: readonly Group[], given: Given): Promise<Result[]> {
  const wanted = new Set(groups.map(({ name }) => `${given.prefix}${name}`));
  const results: Result[] = [];
  for (const branch of given.known.keys()) {
    const name = branch.slice(given.prefix.length);
    // Others are of a project in a folder of the repository.
    if (wanted.has(branch) || name.includes('/')) continue;
    const result = await closeGroup(name, branch, given);
    if (result !== undefined) results.push(result);
  }
  return results;
}

function titleOf(group: string, ids: readonly string[], { builds }: Plan): string {
  const own = builds.filter(({ id }) => ids.includes(id));
  const [first = builds[0]!] = own;
  if (own.length > 1) return `Update ${group}: ${own.map(({ id }) => id).join(', ')}`.slice(0, 200);
  const more = builds.length > 1 ? `, and what it requires` : '';
  return first.action === 'remove'
    ? `Remove ${first.id}`
    : `Update ${first.id} to ${first.version}${more}`;
}

function resultLine({ name, state, url, why, builds = [] }: Result): StyledText {
  const role = state === 'stuck' ? 'bad' : state === 'opened' ? 'added' : 'strong';
  const what = builds.length === 0 ? '' : `  ${builds.join(', ')}`;
  return [
    span(role, state),
    `  ${name}${what}${url === undefined ? '' : `  ${url}`}${why === undefined ? '' : `  (${why})`}`,
  ];
}
