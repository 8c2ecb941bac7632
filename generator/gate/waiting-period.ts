/** The period after which a pull request is merged without an admin's answer, if the registry configures one. */
import type { Reason } from '../../format/registry/gate-verdict.ts';
import type { RegistryConfig } from '../../format/registry/registry-config.ts';

/**
 * Hours, the longest of all reasons; `undefined` when one of them has no period: then an admin must look.
 * @param reasons of a verdict `review`
 */
export function waitingHours(
  reasons: readonly Reason[],
  config: RegistryConfig,
): number | undefined {
  const periods: Readonly<Record<string, number | undefined>> = config.waiting_hours;
  let longest: number | undefined;
  for (const { code } of reasons) {
    const hours = Object.hasOwn(periods, code) ? periods[code] : undefined;
    if (hours === undefined) return undefined;
    longest = Math.max(longest ?? 0, hours);
  }
  return longest;
}
