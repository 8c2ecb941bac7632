/** What a deployment prints. */
import type { Deployment } from './deploy.ts';

/** How long files stay that are no part of the index any more. */
export const GRACE_HOURS = 24;
/** How old a kept state of the generator becomes before it is replaced. */
export const STATE_HOURS = 24;

/** The lines for a terminal: in a dry run every change, then the sums. */
export function formatDeployment(
  place: string,
  { plan, sent, repaired, isCurrent }: Deployment,
  isDryRun: boolean,
  seconds: number,
): string[] {
  const uploads = [...plan.stages.flat(), ...(plan.registry === undefined ? [] : [plan.registry])];
  const later = Object.keys(plan.removed).length;
  const time = `${seconds.toFixed(2)} s`;
  if (isDryRun) {
    const lines = [
      ...uploads.map(({ path }) => `upload  ${path}`),
      ...plan.expired.map((path) => `remove  ${path}`),
    ];
    const sums = `${uploads.length} to upload, ${plan.unchanged} unchanged, ${plan.expired.length} to remove`;
    return [...lines, `${place}: ${sums}; nothing was written`];
  }
  const altered = repaired.map((path) => `repaired  ${path}`);
  if (isCurrent) return [`${place}: nothing to do, ${plan.unchanged} unchanged; ${time}`];
  const size = `${(sent.bytes / 1000).toFixed(1)} KB`;
  const parts = [
    `${sent.files} uploaded (${size})`,
    `${plan.unchanged} unchanged`,
    `${plan.expired.length} removed`,
    ...(later === 0 ? [] : [`${later} to be removed later`]),
    ...(repaired.length === 0 ? [] : [`${repaired.length} repaired`]),
  ];
  return [...altered, `${place}: ${parts.join(', ')}; ${time}`];
}
