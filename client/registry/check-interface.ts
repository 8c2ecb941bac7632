/** Refuses a registry whose index has an interface that this client does not know. */
import { INTERFACE_VERSION } from '../../format/index/registry-info.ts';
import { badAnswer } from './network/fetcher.ts';

/**
 * Checks the bytes of `registry.json` before the schema does: another interface may have another form.
 * @throws {ClientError} `ERR_REGISTRY_ANSWER`
 */
export function checkInterface(bytes: Uint8Array, url: string): void {
  let found: unknown;
  try {
    found = (JSON.parse(Buffer.from(bytes).toString()) as { readonly interface?: unknown } | null)
      ?.interface;
  } catch {
    return;
  }
  if (typeof found !== 'number' || found === INTERFACE_VERSION) return;
  throw badAnswer(
    url,
    `it has interface ${found}, and this client reads interface ${INTERFACE_VERSION}`,
    found > INTERFACE_VERSION
      ? 'use a newer stackyard'
      : 'the registry must be generated again with a newer stackyard',
  );
}
