/**
 * Whether a person with rights objects to merging a commit without an answer. An objection to one pull request
 * counts for every other from the same commit, so that nobody passes it by opening a second one.
 */
import type { CodeHost } from './code-host.ts';
import { HOLD_LABEL, pullOfContext } from './gate-status.ts';
import type { Status } from './gate-status.ts';

/** From one commit; with more, an admin must answer. */
const MAX_PULLS = 50;

/**
 * The first objection found, as a phrase; `undefined` when there is none.
 * @param statuses of the commit `sha`: their contexts name every pull request that the gate judged from it, also
 *   those that are closed or moved on, which the code host does not list any more
 */
export async function findObjection(
  host: CodeHost,
  number: number,
  sha: string,
  statuses: readonly Status[],
): Promise<string | undefined> {
  const judged = statuses.flatMap(({ context }) => pullOfContext(context) ?? []);
  const numbers = new Set([number, ...judged, ...(await host.pullsOf(sha))]);
  if (numbers.size > MAX_PULLS) return `more than ${MAX_PULLS} pull requests have its commit`;
  for (const one of numbers) {
    const { state, labels, user, closed_by: closer } = await host.issue(one);
    if (labels.some(({ name }) => name === HOLD_LABEL)) return `#${one} has the label "hold"`;
    // Strangers may close what they opened themselves: that is no objection to the work of others.
    if (state === 'closed' && (closer === null || closer?.id !== user?.id)) {
      return `#${one}, from the same commit, was closed by another account than its author's`;
    }
  }
  return undefined;
}
