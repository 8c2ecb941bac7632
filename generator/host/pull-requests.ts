/** The jobs of publish.yml and waiting.yml. One judges and may not write; one writes and reads nothing of the pull request's content. */
import { appendFileSync } from 'node:fs';
import { accountIdCommand, isAccountOf, isBareLoginOf } from '../../format/registry/account.ts';
import { GateVerdict } from '../gate/gate-verdict.ts';
import { loadConfig } from '../config.ts';
import { escapeCommandData, formatAnnotations, formatMarkdown } from '../gate/verdict-text.ts';
import { ObjectReader } from '../git/object-reader.ts';
import { openRepository } from '../git/repository.ts';
import {
  type Environment,
  handOver,
  openCodeHost,
  optional,
  required,
  startDeployment,
  takeOver,
} from './code-host.ts';
import type { GitHubHost, PullRequest, Status, StatusText } from './github-host.ts';
import {
  findObjection,
  HOLD_LABEL,
  isDue,
  isRunning,
  isSameStatus,
  labelVersions,
  statusContext,
  statusOf,
  versionLabels,
  versionsIn,
  WAITING_LABEL,
} from './objections.ts';
import { fetchSides, land, PushError } from './push.ts';

const MARKER = '<!-- stackyard-gate -->';
const LABEL_PREFIX = 'gate: ';
/** On a pull request whose merge the code host did not take: waiting.yml tries again. */
const UNPUSHED_LABEL = 'gate: unpushed';
const LANDED_STATUS: StatusText = { state: 'success', description: 'Merged by the gate' };
const UNPUSHED_STATUS: StatusText = {
  state: 'failure',
  description: 'The code host refused the push of the merge: see the comment',
};
/** Of those that waited; the others follow an hour later. */
const MAX_WOKEN = 50;

/**
 * The first job of publish.yml: judges a pull request with the base branch's code and a token that may only
 * read, and leaves the verdict in a file. It neither checks out nor runs anything of the pull request.
 */
export async function judge(env: Environment, folder: string): Promise<number> {
  const number = Number(required(env, 'PULL_NUMBER'));
  const host = openCodeHost(env);
  const { author, head, base } = await host.pull(number);
  if (base !== required(env, 'BASE_BRANCH')) {
    console.log(`::error::Pull request ${number} goes into another branch: nothing was judged`);
    return 1;
  }
  const sides = fetchSides(env, folder, host.pullRef(number));
  if (sides.head !== head) {
    console.log('::error::The pull request moved while it was fetched: its new run judges it');
    return 1;
  }
  const { isOfRegistry, judgePullRequest } = await import('../gate/judge-pull-request.ts');
  if (!(await isOfRegistry({ repo: folder, ...sides }))) {
    console.log('It changes nothing of the registry: not judged');
    return 0;
  }
  const now = new Date().toISOString();
  const verdict = await judgePullRequest({ repo: folder, ...sides, author, now });
  handOver(env, 'verdict', verdict);
  const summary = env['GITHUB_STEP_SUMMARY'];
  if (summary !== undefined && summary !== '') appendFileSync(summary, formatMarkdown(verdict));
  for (const line of formatAnnotations(verdict)) console.log(line);
  console.log(`verdict: ${verdict.verdict}`);
  return verdict.verdict === 'refuse' ? 1 : 0;
}

/**
 * The second job of publish.yml, which may write: takes the verdict of the first, comments, labels, and
 * merges what the gate allows. It reads nothing of the pull request's content.
 */
export async function settle(env: Environment, folder: string): Promise<number> {
  const number = Number(required(env, 'PULL_NUMBER'));
  const verdict = takeOver(env, 'verdict', GateVerdict);
  const host = openCodeHost(env);
  const pull = await host.pull(number);
  if (pull.head !== verdict.head || pull.author.id !== verdict.author.id) {
    console.log(
      'The verdict is about another commit than the pull request has now: nothing is done',
    );
    return 0;
  }
  const [context, status] = [statusContext(number), statusOf(verdict, pull.isDraft)];
  if (!pull.isOpen) {
    // They record that this pull request had the commit and the versions, for `objections.ts`.
    await labelVersions(host, pull, verdict);
    await host.setStatus(pull.head, context, status);
    console.log('The pull request is closed: nothing is merged');
    return 0;
  }
  const statuses = await host.statuses(pull.head);
  const before = statuses.find((one) => one.context === context);
  const isSame = before !== undefined && isSameStatus(before, status);
  // The status of a merge follows the push; others state what is so already, and their time begins.
  if (!isSame && verdict.verdict !== 'merge') await host.setStatus(pull.head, context, status);
  const hasWaited = verdict.verdict === 'review' && isSame && isDue(before, Date.now());
  const isReady = verdict.verdict === 'merge' || hasWaited;
  const isLet =
    (await isApproved(env, folder, verdict)) ||
    (isReady && !(await isRejected(host, pull, verdict, statuses)));
  if (isLet && !pull.isDraft) return merge(env, folder, host, pull, verdict);
  if (!isSame && verdict.verdict === 'merge') await host.setStatus(pull.head, context, status);
  const held = verdict.verdict === 'merge' ? (pull.isDraft ? 'draft' : 'held') : undefined;
  await answer(host, pull, formatMarkdown(verdict, held), labelOf(verdict));
  await labelVersions(host, pull, verdict);
  console.log(
    `verdict: ${verdict.verdict}${pull.isDraft ? ', and the pull request is a draft' : ''}`,
  );
  return 0;
}

/** Pushes the merge, and reports what became of it: no comment announces a merge that did not happen. */
async function merge(
  env: Environment,
  folder: string,
  host: GitHubHost,
  pull: PullRequest,
  verdict: GateVerdict,
): Promise<number> {
  const { number, head } = pull;
  const context = statusContext(number);
  let commit: string | undefined;
  try {
    commit = await land(env, folder, verdict, host.pullRef(number));
  } catch (error) {
    if (!(error instanceof PushError)) throw error;
    // The time of one that waits goes on: its status stays.
    if (verdict.verdict === 'merge') await host.setStatus(head, context, UNPUSHED_STATUS);
    await answer(host, pull, formatMarkdown(verdict, 'unpushed', error.stated), UNPUSHED_LABEL);
    await labelVersions(host, pull, verdict);
    throw error;
  }
  if (commit === undefined) {
    console.log('stale');
    // An approval does not carry over: the admin saw what merging gave then.
    await host.dispatch('publish', required(env, 'BASE_BRANCH'), { pull: String(number) });
    return 0;
  }
  console.log('landed');
  await startDeployment(env, host);
  await host.landed(number, commit);
  await answer(host, pull, formatMarkdown(verdict, 'landed'));
  await host.setStatus(head, context, LANDED_STATUS);
  return 0;
}

/** @param label of the gate, instead of the one that the pull request has */
async function answer(
  host: GitHubHost,
  { number, labels }: PullRequest,
  text: string,
  label?: string,
): Promise<void> {
  await host.comment(number, MARKER, text);
  await host.label(number, label === undefined ? [] : [label], LABEL_PREFIX, labels);
}

function labelOf({ verdict, waiting_hours: hours }: GateVerdict): string {
  return hours === undefined ? `${LABEL_PREFIX}${verdict}` : WAITING_LABEL;
}

/** Whether a person with rights objects to one of the versions or to the commit. */
async function isRejected(
  host: GitHubHost,
  pull: PullRequest,
  verdict: GateVerdict,
  statuses: readonly Status[],
): Promise<boolean> {
  const objection = await findObjection(host, pull, versionLabels(verdict), statuses);
  if (objection !== undefined) console.log(`waits for an admin: ${objection}`);
  return objection !== undefined;
}

/**
 * Whether an admin of the base branch approved exactly this commit, and approval is possible.
 * @throws {Error} for an approval in a run that another account started again, and for one by a bare login
 */
async function isApproved(
  env: Environment,
  folder: string,
  { verdict, base, head }: GateVerdict,
): Promise<boolean> {
  const login = optional(env, 'APPROVED_BY');
  const approved = optional(env, 'APPROVED_HEAD');
  if (verdict === 'refuse' || login === undefined || approved === undefined) return false;
  if (approved !== head) return false;
  // The code host keeps the first actor when others run the workflow again.
  const starter = optional(env, 'TRIGGERED_BY');
  if ((starter ?? '').toLowerCase() !== login.toLowerCase()) {
    const problem = `this run was started by "${starter ?? 'nobody known'}"`;
    throw new Error(`The approval of "${login}" does not count: ${problem}`);
  }
  const repository = await openRepository(folder, base);
  const reader = new ObjectReader(folder);
  try {
    const { config } = await loadConfig(repository, reader);
    const person = { login, id: Number(required(env, 'APPROVED_BY_ID')) };
    if (config.admins.some((admin) => isAccountOf(admin, person))) return true;
    if (!config.admins.some((admin) => isBareLoginOf(admin, person))) return false;
    const problem = '"registry.config.json" names this admin without "account_id"';
    const way = `look it up with "${accountIdCommand(login)}"`;
    throw new Error(`The approval of "${login}" does not count: ${problem}: ${way}`);
  } finally {
    reader.close();
  }
}

/**
 * The script of waiting.yml: starts a new judgement of pull requests whose waiting period is over. It merges
 * nothing; publish.yml does, if the gate still allows it and no one holds it.
 */
export async function wakeWaiting(env: Environment): Promise<number> {
  const branch = required(env, 'BASE_BRANCH');
  const host = openCodeHost(env);
  let [woken, failed] = [0, 0];
  const due = [
    ...(await host.pullsWith(WAITING_LABEL, 'open')),
    ...(await host.pullsWith(UNPUSHED_LABEL, 'open')),
  ];
  for (const { number, labels } of due) {
    if (woken >= MAX_WOKEN) break;
    if (labels.includes(HOLD_LABEL)) continue;
    try {
      const pull = await host.pull(number);
      if (!pull.isOpen || pull.base !== branch) continue;
      const statuses = await host.statuses(pull.head);
      const status = statuses.find(({ context }) => context === statusContext(number));
      const isUnpushed = labels.includes(UNPUSHED_LABEL) && !pull.isDraft;
      // A draft whose time runs is judged as well: that stops the time.
      const isTime =
        status !== undefined && (pull.isDraft ? isRunning(status) : isDue(status, Date.now()));
      if (!isUnpushed && !isTime) continue;
      const versions = versionsIn(labels);
      const objection = pull.isDraft
        ? undefined
        : await findObjection(host, pull, versions, statuses);
      if (objection !== undefined) {
        console.log(`#${number} waits for an admin: ${objection}`);
        continue;
      }
      await host.dispatch('publish', branch, { pull: String(number) });
      console.log(`judged again: #${number}`);
      woken += 1;
    } catch (error) {
      // One that cannot be read does not delay the others.
      const message = error instanceof Error ? error.message : String(error);
      console.log(`::error::${escapeCommandData(`#${number}: ${message}`)}`);
      failed += 1;
    }
  }
  console.log(`${woken} judged again, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
