/**
 * The account service that takes reports of CI runs. A token for it is for its host alone, as npm derives `npm:<hostname>`:
 *
 *     https://reports.example        stackyard:reports.example
 *     https://example.org:8443/api   stackyard:example.org:8443
 */
import { z } from 'zod';

// People copy it into a shell, and the environment of a run gets it.
const FORM =
  /^https?:\/\/(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d{1,5})?(?:\/[A-Za-z0-9._~-]+)*$/;
const LOOPBACK = /^(?:127\.0\.0\.1|localhost)$/;

/** The address of a service, in its normal form and without "/" at the end. */
export const ReportAddress = z
  .string()
  .max(1000)
  .refine(isReportAddress, { error: 'not an https address in lower case without "/" at the end' });

/** What `registry.json` states about the service. */
export const ReportService = z.object({
  address: ReportAddress.describe(
    'Base address of the account service, https (on the same machine http), without "/" at the end. What the tokens of CI runs must have as "aud" follows from it: "stackyard:<host>".',
  ),
});

/** Whether tokens may go to an address: https, or http on the same machine for tests. */
export function isReportAddress(text: string): boolean {
  if (!FORM.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, origin, pathname } = new URL(text);
  if (`${origin}${pathname === '/' ? '' : pathname}` !== text) return false;
  return protocol === 'https:' || LOOPBACK.test(hostname);
}

/**
 * What a token for the service at `address` has as `aud` (RFC 7519 section 4.1.3): never what anybody else names.
 * @throws {TypeError} for what `isReportAddress` refuses
 */
export function ciAudience(address: string): string {
  if (!isReportAddress(address)) throw new TypeError('not the address of a service for reports');
  return `stackyard:${new URL(address).host}`;
}
