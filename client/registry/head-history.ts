/** A head only grows: what it had at the same address before, or what is installed, must stay in it. Pure. */
import type { Head } from '../../format/index/record.ts';
import { ClientError } from '../errors.ts';

const SAME_ADDRESS =
  'a published version never changes: do not trust this address, and report it to the registry; if it serves another registry on purpose, run "stackyard cache clean"';
const INSTALLED_HINT =
  'a published version is never removed: do not trust this address, and report it to the registry; if you chose another registry on purpose, remove the build and add it again';

/** An installed version, whose digest no address may change. */
export interface Pin {
  readonly version: string;
  readonly integrity: string;
}

/** `ERR_INTEGRITY` or `ERR_ROLLBACK` when `head` contradicts the installed version. */
export function pinProblem(
  { id, versions }: Head,
  pin: Pin | undefined,
  url: string,
): ClientError | undefined {
  if (pin === undefined) return undefined;
  const found = versions.find(({ version }) => version === pin.version)?.integrity;
  if (found === pin.integrity) return undefined;
  if (found === undefined) {
    return new ClientError(
      'ERR_ROLLBACK',
      `Cannot use ${url}: "${id}" ${pin.version}, which is installed, is missing`,
      { hint: INSTALLED_HINT },
    );
  }
  return new ClientError(
    'ERR_INTEGRITY',
    `Cannot use ${url}: it gives ${found} for "${id}" ${pin.version}, which is installed with ${pin.integrity}`,
    {
      hint: 'a published version never changes: do not trust this address, and report it to the registry',
    },
  );
}

/** `ERR_INTEGRITY` or `ERR_ROLLBACK` when `head` misses or changes a version of `earlier`. */
export function historyProblem(head: Head, earlier: Head, url: string): ClientError | undefined {
  const found = new Map(head.versions.map(({ version, integrity }) => [version, integrity]));
  for (const { version, integrity } of earlier.versions) {
    const now = found.get(version);
    if (now === integrity) continue;
    const isMissing = now === undefined;
    const problem = isMissing ? 'is missing' : `is ${now}, and was ${integrity}`;
    return new ClientError(
      isMissing ? 'ERR_ROLLBACK' : 'ERR_INTEGRITY',
      `Cannot use ${url}: "${head.id}" ${version}, which it had before, ${problem}`,
      { hint: SAME_ADDRESS },
    );
  }
  return undefined;
}
