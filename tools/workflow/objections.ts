/**
 * Whether a person with rights has rejected what a pull request proposes: with the label `hold`, or by closing a pull request of
 * another account. A rejection binds to the versions, by a label such as
 *
 *     version: alice/web@1.0.0
 *
 * which the gate puts on what does not land at once, and to the commit. So nobody passes it by amending the commit or by a
 * second pull request.
 */
import { sha256Hex } from '../../format/archive/integrity.ts';
import type { GateVerdict } from '../../format/registry/gate-verdict.ts';
import type { CodeHost } from './code-host.ts';
import { HOLD_LABEL, LIFTED_LABEL, pullOfContext } from './gate-status.ts';
import type { Status } from './gate-status.ts';

const LABEL_PREFIX = 'version: ';
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
    const label = `${LABEL_PREFIX}${id}@${core}`;
    if (core === '') return [];
    if (label.length <= MAX_LABEL_CHARACTERS) return [label];
    return [`${LABEL_PREFIX}${sha256Hex(new TextEncoder().encode(label)).slice(0, 32)}`];
  });
  return [...new Set(labels)];
}

/**
 * Puts the labels of its versions on a pull request. What the gate refuses binds nothing: a stranger can propose any version.
 * One that is held keeps those that it had; another one has those of its present commit.
 */
export async function labelVersions(
  host: CodeHost,
  number: number,
  verdict: GateVerdict,
): Promise<void> {
  const labels = versionLabels(verdict);
  if (verdict.verdict === 'refuse' || labels.length > MAX_VERSIONS) return;
  const isHeld = (await host.labels(number)).includes(HOLD_LABEL);
  await host.label(number, labels, isHeld ? undefined : LABEL_PREFIX);
}

/** Of the labels of a pull request those of versions. */
export function versionsIn(labels: readonly string[]): string[] {
  return labels.filter((label) => label.startsWith(LABEL_PREFIX));
}

/**
 * The first objection found, as a phrase; `undefined` when there is none.
 * @param versions labels of `versionLabels`
 * @param statuses of the commit `sha`: their contexts name every pull request that the gate judged from it, also
 *   those that are closed or moved on, which the code host does not list any more
 */
export async function findObjection(
  host: CodeHost,
  number: number,
  { versions, sha }: { readonly versions: readonly string[]; readonly sha: string },
  statuses: readonly Status[],
): Promise<string | undefined> {
  if (versions.length > MAX_VERSIONS) return `it has more than ${MAX_VERSIONS} versions`;
  const judged = statuses.flatMap(({ context }) => pullOfContext(context) ?? []);
  const numbers = new Set([number, ...judged, ...(await host.pullsOf(sha))]);
  for (const label of versions) {
    for (const pull of await host.pullsWith(label, 'all')) numbers.add(pull.number);
  }
  if (numbers.size > MAX_PULLS) {
    return `more than ${MAX_PULLS} pull requests have its commit or its versions`;
  }
  for (const one of numbers) {
    const { state, labels, user, closed_by: closer } = await host.issue(one);
    const has = (wanted: string): boolean => labels.some(({ name }) => name === wanted);
    if (has(HOLD_LABEL)) return `#${one} has the label "${HOLD_LABEL}"`;
    if (has(LIFTED_LABEL)) continue;
    // Strangers may close what they opened themselves: that is no objection to the work of others.
    if (state === 'closed' && (closer === null || closer?.id !== user?.id)) {
      return `#${one}, with the same commit or version, was closed by another account than its author's`;
    }
  }
  return undefined;
}
