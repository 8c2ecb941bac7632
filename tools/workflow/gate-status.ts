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
import type { GateVerdict } from '../../format/registry/gate-verdict.ts';

const CONTEXT_PREFIX = 'stackyard/gate/';
const RUNNING = /^Merged after (\d{1,4}) hours unless held \(/;

/** Instead of `gate: review` when the pull request is merged automatically after some time. */
export const WAITING_LABEL = 'gate: waiting';

/** Set by a person with rights on a pull request whose versions must not be merged automatically. */
export const HOLD_LABEL = 'hold';

/** Set by a person with rights on a closed pull request whose versions may be merged again. */
export const LIFTED_LABEL = 'lifted';

export interface StatusText {
  readonly state: 'success' | 'pending' | 'failure';
  /** At most 140 characters, the code host's limit. */
  readonly description: string;
}

/** A status that was set. */
export interface Status extends StatusText {
  readonly context: string;
  /** Milliseconds since 1970, by the code host's clock. */
  readonly time: number;
}

/** The context of the status of pull request `number`. */
export function statusContext(number: number): string {
  return `${CONTEXT_PREFIX}${number}`;
}

/** The pull request whose context it is; `undefined` for contexts of other programs. */
export function pullOfContext(context: string): number | undefined {
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
  return isRunning(status) && now - status.time >= Number(hours) * 3_600_000;
}

export function isSameStatus(a: StatusText | undefined, b: StatusText): boolean {
  return a?.state === b.state && a.description === b.description;
}
