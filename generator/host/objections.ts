/**
 * The verdict as a status of the judged commit:
 *
 *     stackyard/gate/17   pending   Merged after 24 hours unless held (0123456789abcdef)
 *
 * Only accounts with write access can set one, the code host records the time, and a further commit has none: so
 * it shows how long a pull request has waited for the same reasons. Each pull request has its own context, and the
 * digest covers the author's account: a second one from the same commit starts its own clock and changes no other.
 */
import { sha256Hex } from '../../format/archive/integrity.ts';
import { HOUR_MS } from '../../format/duration.ts';
import type { GateVerdict } from '../gate/gate-verdict.ts';
import type { GitHubHost, Label, PullRequest, Status, StatusText } from './github-host.ts';

const CONTEXT_PREFIX = 'stackyard/gate/';
const RUNNING = /^Merged after (\d{1,4}) hours unless held \(/;

/** Instead of `gate: review` when the pull request is merged automatically after some time. */
export const WAITING_LABEL = 'gate: waiting';

/** Set by a person with rights on a pull request whose versions must not be merged automatically. */
export const HOLD_LABEL = 'hold';

/** Set by a person with rights on a closed pull request whose versions may be merged again. */
const LIFTED_LABEL = 'lifted';

/** What people and forms can set only where the repository has it; the others come with their first use. */
export const REGISTRY_LABELS: readonly Label[] = [
  { name: 'report', color: '0e8a16', description: 'Whether a version worked' },
  { name: 'flag', color: 'd93f0b', description: 'An admin looks at a version' },
  { name: HOLD_LABEL, color: 'b60205', description: 'Its versions are not merged automatically' },
  { name: LIFTED_LABEL, color: 'c2e0c6', description: 'Its versions may be merged again' },
];

/** The context of the status of pull request `number`. */
export function statusContext(number: number): string {
  return `${CONTEXT_PREFIX}${number}`;
}

/** The pull request whose context it is; `undefined` for contexts of other programs. */
function pullOfContext(context: string): number | undefined {
  const number = context.startsWith(CONTEXT_PREFIX) ? context.slice(CONTEXT_PREFIX.length) : '';
  return /^[1-9]\d{0,8}$/.test(number) ? Number(number) : undefined;
}

/** @param isDraft the time does not run for a draft: its status is another one */
export function statusOf(verdict: GateVerdict, isDraft: boolean): StatusText {
  if (verdict.verdict === 'merge') {
    return { state: 'success', description: 'Everything is as it should be' };
  }
  if (verdict.verdict === 'refuse') {
    return { state: 'failure', description: 'Cannot be merged as it is: see the comment' };
  }
  const { author, reasons, waiting_hours: hours } = verdict;
  const texts = reasons.map(({ code, file, message }) => JSON.stringify([code, file, message]));
  // Another author or other reasons are another status, whose time starts again.
  const text = [author.id, ...texts.sort()].join('\n');
  const digest = sha256Hex(new TextEncoder().encode(text)).slice(0, 16);
  const time = isDraft
    ? `A draft: its ${hours} hours begin when it is ready`
    : `Merged after ${hours} hours unless held`;
  const what = hours === undefined ? 'An admin looks at it' : time;
  return { state: 'pending', description: `${what} (${digest})` };
}

/** Whether a period runs, or has run, by this status. */
export function isRunning({ state, description }: StatusText): boolean {
  return state === 'pending' && RUNNING.test(description);
}

/** Whether the period of a status is over. */
export function isDue(status: Status, now: number): boolean {
  const [, hours] = RUNNING.exec(status.description) ?? [];
  return isRunning(status) && now - status.time >= Number(hours) * HOUR_MS;
}

export function isSameStatus(a: StatusText | undefined, b: StatusText): boolean {
  return a?.state === b.state && a.description === b.description;
}

const VERSION_PREFIX = 'version: ';
/** The limit of the code host. */
const MAX_LABEL_CHARACTERS = 50;
/** That propose one of the versions, or have the commit; with more, an admin must answer. */
const MAX_PULLS = 50;
/** A pull request has at most 100 labels. */
const MAX_VERSIONS = 50;

/** The labels of the versions that a pull request proposes. */
export function versionLabels({ builds }: Pick<GateVerdict, 'builds'>): string[] {
  const labels = builds.flatMap(({ id, version }) => {
    // Build metadata makes no other version (SemVer 2.0.0 section 10).
    const [core = ''] = version.split('+');
    const label = `${VERSION_PREFIX}${id}@${core}`;
    if (core === '') return [];
    if (label.length <= MAX_LABEL_CHARACTERS) return [label];
    return [`${VERSION_PREFIX}${sha256Hex(new TextEncoder().encode(label)).slice(0, 32)}`];
  });
  return [...new Set(labels)];
}

/**
 * Puts the labels of its versions on a pull request. What the gate refuses binds nothing: a stranger can propose any version.
 * One that is held keeps those that it had; another one has those of its present commit.
 */
export async function labelVersions(
  host: GitHubHost,
  { number, labels: present }: PullRequest,
  verdict: GateVerdict,
): Promise<void> {
  const labels = versionLabels(verdict);
  if (verdict.verdict === 'refuse' || labels.length > MAX_VERSIONS) return;
  const prefix = present.includes(HOLD_LABEL) ? undefined : VERSION_PREFIX;
  await host.label(number, labels, prefix, present);
}

/** Of the labels of a pull request those of versions. */
export function versionsIn(labels: readonly string[]): string[] {
  return labels.filter((label) => label.startsWith(VERSION_PREFIX));
}

/**
 * The first objection found, as a phrase; `undefined` when there is none.
 * @param pull open, as the code host has it now
 * @param versions labels of `versionLabels`
 * @param statuses of its commit: their contexts name every pull request that the gate judged from it, also
 *   those that are closed or moved on, which the code host does not list any more
 */
export async function findObjection(
  host: GitHubHost,
  pull: PullRequest,
  versions: readonly string[],
  statuses: readonly Status[],
): Promise<string | undefined> {
  if (versions.length > MAX_VERSIONS) return `it has more than ${MAX_VERSIONS} versions`;
  if (pull.labels.includes(HOLD_LABEL)) return `#${pull.number} has the label "${HOLD_LABEL}"`;
  const judged = statuses.flatMap(({ context }) => pullOfContext(context) ?? []);
  const numbers = new Set([...judged, ...(await host.pullsOf(pull.head))]);
  for (const label of versions) {
    for (const { number } of await host.pullsWith(label, 'all')) numbers.add(number);
  }
  numbers.delete(pull.number);
  if (numbers.size >= MAX_PULLS) {
    return `more than ${MAX_PULLS} pull requests have its commit or its versions`;
  }
  for (const one of numbers) {
    const { isOpen, labels, author, closedBy } = await host.issue(one);
    if (labels.includes(HOLD_LABEL)) return `#${one} has the label "${HOLD_LABEL}"`;
    if (labels.includes(LIFTED_LABEL)) continue;
    // Strangers may close what they opened themselves: that is no objection to the work of others.
    if (!isOpen && (closedBy === undefined || closedBy !== author)) {
      return `#${one}, with the same commit or version, was closed by another account than its author's`;
    }
  }
  return undefined;
}
