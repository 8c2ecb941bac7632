/** Downloads one file from any host, under the rules for registries: HTTPS or this machine, limits, secret headers. */
import { ClientError } from '../../errors.ts';
import { HttpSource } from './http-source.ts';
import { NETWORK_LIMITS } from './network-limits.ts';
import { parseRegistryAddress } from './registry-address.ts';
import type { RegistryHeaders } from './registry-headers.ts';

/** @throws {ClientError} `ERR_USAGE`, `ERR_INSECURE_URL`, `ERR_NETWORK`, `ERR_REGISTRY_ANSWER` */
export async function fetchFile(
  address: string,
  maxBytes: number,
  headers: RegistryHeaders,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const name = decoded(url?.pathname.split('/').at(-1) ?? '');
  if (url === undefined || name === '' || url.search !== '' || url.hash !== '') {
    throw new ClientError('ERR_USAGE', `"${address}" is not the address of a file`, {
      hint: 'give one such as https://host.example/dates-1.0.0.tgz, without "?" and "#"',
    });
  }
  const { base } = parseRegistryAddress(new URL('.', url).href);
  const source = new HttpSource(base, headers, NETWORK_LIMITS, signal);
  try {
    const answer = await source.get(name, { maxBytes, isDigested: true });
    if (answer.kind === 'bytes') return answer.bytes;
    if (answer.kind === 'failed') throw answer.error;
    throw new ClientError('ERR_REGISTRY_ANSWER', `There is no file ${address}`, {
      hint: 'check the address',
    });
  } finally {
    await source.close();
  }
}

/** Empty for what is not percent-encoded UTF-8. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
