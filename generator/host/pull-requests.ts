/** The jobs of publish.yml and waiting.yml. One judges and may not write; one writes and reads nothing of the pull request's content. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { parseDocument } from '../../format/document/document.ts';
import { accountIdCommand, isAccountOf, isBareLoginOf } from '../../format/registry/account.ts';
import { GateVerdict } from '../../format/registry/gate-verdict.ts';
import { lowerCase } from '../../format/unicode.ts';
import { loadConfig } from '../config.ts';
import { formatAnnotations, formatMarkdown } from '../gate/verdict-text.ts';
import { escapeCommandData } from '../gate/escape.ts';
import { ObjectReader } from '../git/object-reader.ts';
import { openRepository } from '../git/repository.ts';
import { CodeHost, optional, required, type StatusText, type Environment } from './code-host.ts';
import {
  HOLD_LABEL,
  WAITING_LABEL,
  findObjection,
  isDue,
  isRunning,
  isSameStatus,
  labelVersions,
  statusContext,
  statusOf,
  versionLabels,
  versionsIn,
} from './objections.ts';
import { fetchSides, land } from './push.ts';

const MARKER = '<!-- stackyard-gate -->';
const LABEL_PREFIX = 'gate: ';
/** Of those that waited; the others follow an hour later. */
const MAX_WOKEN = 50;

/**
 * The first job of publish.yml: judges a pull request with the base branch's code and a token that may only
 * read, and leaves the verdict in a file. It neither checks out nor runs anything of the pull request.
 */
export async function judge(env: Environment, folder: string): Promise<number> {
  const number = Number(required(env, 'PULL_NUMBER'));
  const file = required(env, 'VERDICT_FILE');
  const { user, head, base } = await new CodeHost(env).pull(number);
  if (base.ref !== required(env, 'BASE_BRANCH')) {
    console.log(`::error::Pull request ${number} goes into another branch: nothing was judged`);
    return 1;
  }
  const sides = fetchSides(env, folder);
  if (sides.head !== head.sha) {
    console.log('::error::The pull request moved while it was fetched: its new run judges it');
    return 1;
  }
  const { judgePullRequest } = await import('../gate/judge-pull-request.ts');
  const now = new Date().toISOString();
  const verdict = await judgePullRequest({ repo: folder, ...sides, author: user, now });
  writeFileSync(file, `${JSON.stringify(verdict, null, 2)}\n`);
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
  const branch = required(env, 'BASE_BRANCH');
  const file = required(env, 'VERDICT_FILE');
  const verdict = parseDocument(GateVerdict, readFileSync(file), `"${file}"`);
  const host = new CodeHost(env);
  const { state, draft, head, user } = await host.pull(number);
  if (head.sha !== verdict.head || user.id !== verdict.author.id) {
    console.log(
      'The verdict is about another commit than the pull request has now: nothing is done',
    );
    return 0;
  }
  const status = statusOf(verdict, draft);
  if (state !== 'open') {
    // They record that this pull request had the commit and the versions, for `objections.ts`.
    await labelVersions(host, number, verdict);
    await host.setStatus(head.sha, statusContext(number), status);
    console.log('The pull request is closed: nothing is merged');
    return 0;
  }
  await host.comment(number, MARKER, formatMarkdown(verdict));
  await host.label(number, [labelOf(verdict)], LABEL_PREFIX);
  const isReady = await hasWaited(host, number, verdict, status);
  const isLet =
    (await isApproved(env, folder, verdict)) ||
    (isReady && !(await isRejected(host, number, verdict)));
  if (!isLet || draft) {
    await labelVersions(host, number, verdict);
    console.log(`verdict: ${verdict.verdict}${draft ? ', and the pull request is a draft' : ''}`);
    return 0;
  }
  const landing = await land(env, folder, verdict);
  console.log(landing);
  if (landing === 'landed') await host.dispatch('deploy.yml', branch);
  // An approval does not carry over: the admin saw what merging gave then.
  else await host.dispatch('publish.yml', branch, { pull: String(number) });
  return 0;
}

function labelOf({ verdict, waiting_hours: hours }: GateVerdict): string {
  return hours === undefined ? `${LABEL_PREFIX}${verdict}` : WAITING_LABEL;
}

/**
 * Whether the registry merges it without an admin's answer: at once, or because the waiting period is over. A changed verdict
 * or changed reasons set the status again, and the period starts again.
 */
async function hasWaited(
  host: CodeHost,
  number: number,
  { verdict, head }: GateVerdict,
  now: StatusText,
): Promise<boolean> {
  const context = statusContext(number);
  const before = (await host.statuses(head)).find((status) => status.context === context);
  const isSame = before !== undefined && isSameStatus(before, now);
  if (!isSame) await host.setStatus(head, context, now);
  if (verdict === 'merge') return true;
  return verdict === 'review' && isSame && isDue(before, Date.now());
}

/** Whether a person with rights objects to one of the versions or to the commit. */
async function isRejected(host: CodeHost, number: number, verdict: GateVerdict): Promise<boolean> {
  const { head: sha } = verdict;
  const proposed = { versions: versionLabels(verdict), sha };
  const objection = await findObjection(host, number, proposed, await host.statuses(sha));
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
  if (lowerCase(starter ?? '') !== lowerCase(login)) {
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
  const host = new CodeHost(env);
  let [woken, failed] = [0, 0];
  for (const { number, labels } of await host.pullsWith(WAITING_LABEL, 'open')) {
    if (woken >= MAX_WOKEN) break;
    if (labels.includes(HOLD_LABEL)) continue;
    try {
      const { draft, state, head, base } = await host.pull(number);
      if (state !== 'open' || base.ref !== branch) continue;
      const statuses = await host.statuses(head.sha);
      const status = statuses.find(({ context }) => context === statusContext(number));
      // A draft whose time runs is judged as well: that stops the time.
      if (status === undefined || !(draft ? isRunning(status) : isDue(status, Date.now())))
        continue;
      const proposed = { versions: versionsIn(labels), sha: head.sha };
      const objection = draft ? undefined : await findObjection(host, number, proposed, statuses);
      if (objection !== undefined) {
        console.log(`#${number} waits for an admin: ${objection}`);
        continue;
      }
      await host.dispatch('publish.yml', branch, { pull: String(number) });
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
