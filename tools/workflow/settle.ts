/**
 * The second job of publish.yml, which may write: takes the verdict of the first, comments, labels, and
 * merges what the gate allows. It reads nothing of the pull request's content.
 */
import { readFileSync } from 'node:fs';
import { isAccountOf } from '../../format/registry/account.ts';
import { parseDocument } from '../../format/document/document.ts';
import { GateVerdict } from '../../format/registry/gate-verdict.ts';
import { loadConfig } from '../../generator/config.ts';
import { formatMarkdown } from '../../generator/gate/markdown.ts';
import { ObjectReader } from '../../generator/git/object-reader.ts';
import { openRepository } from '../../generator/git/repository.ts';
import { CodeHost } from './code-host.ts';
import { optional, required } from './environment.ts';
import type { Environment } from './environment.ts';
import {
  HOLD_LABEL,
  STATUS_CONTEXT,
  WAITING_LABEL,
  isDue,
  isSameStatus,
  statusOf,
} from './gate-status.ts';
import { land } from './land.ts';
import { runScript } from './run-script.ts';

const MARKER = '<!-- stackyard-gate -->';
const LABEL_PREFIX = 'gate: ';

await runScript(() => main(process.env, process.cwd()));

async function main(env: Environment, folder: string): Promise<number> {
  const number = Number(required(env, 'PULL_NUMBER'));
  const branch = required(env, 'BASE_BRANCH');
  const file = required(env, 'VERDICT_FILE');
  const verdict = parseDocument(GateVerdict, readFileSync(file), `"${file}"`);
  const host = new CodeHost(env);
  const { state, draft, head, user } = await host.pull(number);
  if (state !== 'open' || head.sha !== verdict.head || user.id !== verdict.author.id) {
    console.log(
      'The verdict is about another commit than the pull request has now: nothing is done',
    );
    return 0;
  }
  await host.comment(number, MARKER, formatMarkdown(verdict));
  await host.label(number, LABEL_PREFIX, labelOf(verdict));
  const isWaited = await hasWaited(host, number, verdict);
  const isLet = verdict.verdict === 'merge' || isWaited || (await isApproved(env, folder, verdict));
  if (!isLet || draft) {
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
 * Whether the registry merges it without an admin's answer and the waiting period is over. A changed verdict
 * or changed reasons set the status again, and the period starts again.
 */
async function hasWaited(host: CodeHost, number: number, verdict: GateVerdict): Promise<boolean> {
  const now = statusOf(verdict);
  const before = await host.status(verdict.head, STATUS_CONTEXT);
  if (before === undefined || !isSameStatus(before, now)) {
    await host.setStatus(verdict.head, STATUS_CONTEXT, now);
    return false;
  }
  if (verdict.verdict !== 'review' || !isDue(before, Date.now())) return false;
  return !(await host.labels(number)).includes(HOLD_LABEL);
}

/** Whether an admin of the base branch approved exactly this commit, and approval is possible. */
async function isApproved(
  env: Environment,
  folder: string,
  { verdict, base, head }: GateVerdict,
): Promise<boolean> {
  const login = optional(env, 'APPROVED_BY');
  const approved = optional(env, 'APPROVED_HEAD');
  if (verdict !== 'review' || login === undefined || approved === undefined) return false;
  if (approved !== head) return false;
  const repository = await openRepository(folder, base);
  const reader = new ObjectReader(folder);
  try {
    const { config } = await loadConfig(repository, reader);
    const person = { login, id: Number(required(env, 'APPROVED_BY_ID')) };
    return config.admins.some((admin) => isAccountOf(admin, person));
  } finally {
    reader.close();
  }
}
