/**
 * Proposes a change to a registry: a commit on a branch of its repository or of a fork, and a pull request.
 * The same proposal again updates the same branch; nothing is ever force-pushed.
 */
import { resolve } from 'node:path';
import { CONFIG_FILE, layoutIn } from '../../format/registry/repository-layout.ts';
import { ClientError } from '../errors.ts';
import { withRegistry } from '../registry/open-registry.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';
import { oneLine } from '../terminal/printable.ts';
import { Clone, type ProposedFile } from './clone.ts';
import { type Account, CodeHost } from './code-host.ts';
import { type Credentials, credentialsFor } from './host-token.ts';
import type { RegistryChoice } from './named-registry.ts';
import type { Proposal, ProposalBase, ProposalOptions } from './proposal.ts';
import { isSameName, pushTarget, type PushTarget } from './push-target.ts';
import { parseRepositoryAddress, type RepositoryAddress } from './repository-address.ts';

/** This line of a commit message marks a branch as created by this command. */
const TRAILER = 'Stackyard-Proposal';

interface Pushed {
  readonly commit: string;
  readonly state: 'pushed' | 'updated' | 'unchanged';
}

/**
 * @param make called with the newest state of the registry's repository
 * @throws {ClientError} with nothing pushed; what fails after the push is in the outcome
 */
export async function propose(
  options: GlobalOptions & ProposalOptions & RegistryChoice,
  context: CommandContext,
  make: (base: ProposalBase) => Promise<Proposal>,
): Promise<Outcome> {
  const { signal, note } = context;
  const upstream = await chooseRepository(options, context);
  if (options.offline && upstream.origin !== undefined) {
    throw new ClientError('ERR_NETWORK', `Cannot reach ${upstream.url} with --offline`, {
      hint: 'leave out --offline',
    });
  }
  const credentials = credentialsFor(upstream, process.env);
  const api = credentials === undefined ? undefined : new CodeHost(credentials, signal);
  let clone: Clone | undefined;
  try {
    const user = await api?.user();
    clone = await Clone.open(upstream.url, credentials?.git, signal);
    note(`Reading ${upstream.url}`);
    const base = await clone.fetchBase();
    const accountOf = async (login: string): Promise<number | undefined> =>
      isSameName(user?.login, login) ? user?.id : (await api?.account(login))?.id;
    const layout = layoutIn((await clone.read(base.commit, CONFIG_FILE)) ?? '');
    const proposal = await make({ commit: base.commit, clone, layout, user, accountOf });
    const files = await changedFiles(clone, base.commit, proposal);
    const { branch, title, body, warnings = [] } = proposal;
    const common = { repository: upstream.url, branch, base: base.branch, files, ...proposal.data };
    const lines = [title, ...files.map(({ path, change }) => `  ${change.padEnd(8)} ${path}`)];
    if (options.dryRun) {
      const text = [...lines, `Branch ${branch}; nothing was sent`];
      return { status: 'planned', data: common, warnings, text };
    }
    const host = api === undefined || user === undefined ? undefined : { api, user };
    const target = await pushTarget(upstream, host, signal);
    const author = noreply(user, upstream);
    const { commit, state } = await push(clone, target, base.commit, proposal, author);
    const head = `${target.owner}:${branch}`;
    const compare = compareUrl(upstream, base.branch, head);
    const done = {
      ...common,
      pushed_to: target.url,
      commit,
      state,
      ...(compare === '' ? {} : { compare }),
    };
    const deed = state === 'unchanged' ? 'Already in' : 'Pushed to';
    lines.push(`${deed} ${target.url}, branch ${branch}`);
    if (api === undefined) {
      const outcome = withoutPull(done, lines, compare, state, credentials);
      return { ...outcome, warnings: [...warnings, ...(outcome.warnings ?? [])] };
    }
    try {
      const pull = { title, body, head, base: base.branch };
      const { url, isNew } = await api.propose(upstream.owner, upstream.name, pull);
      lines.push(`Pull request ${isNew ? 'opened' : 'updated'}: ${url}`);
      const status = state === 'unchanged' && !isNew ? 'noop' : 'done';
      return { status, data: { ...done, pull_request: url }, warnings, text: lines };
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      if (compare !== '') lines.push(`Open the pull request yourself: ${compare}`);
      return { status: 'error', data: done, warnings, text: lines, error };
    }
  } finally {
    clone?.close();
  }
}

/** Commits the edits: on the newest commit of our branch if it exists, otherwise on the base. */
async function push(
  clone: Clone,
  target: PushTarget,
  base: string,
  { branch, title, edits }: Proposal,
  fallbackAuthor: { name: string; email: string } | undefined,
): Promise<Pushed> {
  const trailer = `${TRAILER}: ${branch}`;
  const tip = await clone.fetchBranch(target.url, branch);
  if (tip !== undefined && !(await clone.messageOf(tip)).split('\n').includes(trailer)) {
    throw new ClientError(
      'ERR_CONFLICT',
      `The branch "${branch}" of ${target.url} has commits that this command did not create`,
      { hint: 'check the branch; rename or delete it there, then run again' },
    );
  }
  const parent = tip ?? base;
  const tree = await clone.writeTree(parent, edits);
  if (tip !== undefined && tree === (await clone.treeOf(tip)))
    return { commit: tip, state: 'unchanged' };
  const message = `${title}\n\n${trailer}\n`;
  const commit = await clone.commit({ tree, parent, message, fallbackAuthor });
  await clone.push(target.url, commit, branch);
  return { commit, state: tip === undefined ? 'pushed' : 'updated' };
}

async function changedFiles(
  clone: Clone,
  base: string,
  { edits, title }: Proposal,
): Promise<ProposedFile[]> {
  const tree = await clone.writeTree(base, edits);
  const files = await clone.difference(await clone.treeOf(base), tree);
  if (files.length > 0) return files;
  throw new ClientError('ERR_CONFLICT', `There is nothing to propose: ${oneLine(title)}`, {
    hint: 'the registry already has exactly that',
  });
}

function withoutPull(
  data: object,
  lines: readonly string[],
  compare: string,
  state: Pushed['state'],
  credentials: Credentials | undefined,
): Outcome {
  const hasOther = credentials === undefined && (process.env['GITHUB_TOKEN'] ?? '') !== '';
  const why = hasOther
    ? 'GITHUB_TOKEN is for another host (see GITHUB_SERVER_URL) and was not used'
    : 'without GITHUB_TOKEN no pull request is opened';
  const next = `Open the pull request${compare === '' ? ' at the code host' : `: ${compare}`}`;
  return {
    status: state === 'unchanged' ? 'noop' : 'done',
    data,
    text: [...lines, next],
    warnings: [{ code: 'no-pull-request', message: why, path: '' }],
  };
}

/** The page of the code host that opens a pull request; empty for a folder. */
function compareUrl(
  { origin, owner, name }: RepositoryAddress,
  base: string,
  head: string,
): string {
  if (origin === undefined) return '';
  const range = [base, head].map((part) => part.split('/').map(encodeURIComponent).join('/'));
  return `${origin}/${owner}/${name}/compare/${range.join('...')}?expand=1`;
}

/** The author when git has none configured: the private address that the code host gives its users. */
function noreply(
  user: Account | undefined,
  { origin }: RepositoryAddress,
): { name: string; email: string } | undefined {
  if (user === undefined) return undefined;
  const host = origin === undefined ? 'localhost' : new URL(origin).hostname;
  const login = user.login.replaceAll(/[^\w-]/g, '');
  return { name: login, email: `${user.id}+${login}@users.noreply.${host}` };
}

/** @throws {ClientError} `ERR_NEEDS_ANSWER` when none of these names it */
async function chooseRepository(
  options: GlobalOptions & RegistryChoice,
  context: CommandContext,
): Promise<RepositoryAddress> {
  const named = process.env['STACKYARD_REPOSITORY'] ?? '';
  if (named !== '' && options.isNamed !== true) return parseRepositoryAddress(named, resolve('.'));
  const published = await withRegistry(options, undefined, context, async (registry) => {
    try {
      const { repository } = await registry.defaultRegistry.info();
      return { repository, isLocal: registry.defaultRegistry.isLocal };
    } catch (error) {
      if (error instanceof ClientError && error.code !== 'ERR_LOG') return undefined;
      throw error;
    }
  });
  const { repository, isLocal = false } = published ?? {};
  // A path is on this machine, so that only a registry on this machine may choose it.
  const isUsable = repository !== undefined && (isLocal || /^(?:https|ssh):\/\//.test(repository));
  if (isUsable) return parseRepositoryAddress(repository, resolve('.'));
  throw new ClientError('ERR_NEEDS_ANSWER', 'The repository of the registry is unknown', {
    hint: 'give its address in STACKYARD_REPOSITORY',
  });
}
