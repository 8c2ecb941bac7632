/** What a failed request means. In our own words: messages of a store can contain the id of a key or what was signed. */
import { GeneratorError } from '../errors.ts';

/** Codes of disks and connections, and names and statuses of responses. */
const FULL = /^(?:ENOSPC|EDQUOT|EFBIG|QuotaExceeded|XMinioStorageFull)\b|^507 /;
const DENIED = /^(?:EACCES|EPERM|EROFS|CredentialsProviderError)\b|^40[13] |Token$/;
const PASSING =
  /^(?:EAI_AGAIN|ECONN|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EPIPE|ETIMEDOUT|TimeoutError)|^(?:429|50[02-6]|5[1-9]\d) |OperationAborted|ConditionalRequestConflict|RequestTimeout$/;

const HINTS = {
  ERR_STORE_FULL: 'make room, or remove old files with "deploy --grace 0"',
  ERR_STORE_ACCESS: 'check the clock, and that this account may list, read, write and remove',
  ERR_STORE: 'check folder, bucket, region and endpoint: a store must obey If-Match, If-None-Match',
} as const;

/** Whether the same request may succeed later. */
export function isPassing(error: unknown): boolean {
  const name = nameOf(error);
  // The SDK has taken over the time of the response: the next request is signed with it.
  const isCorrected = metadataOf(error).clockSkewCorrected === true;
  return isCorrected || (PASSING.test(name) && !FULL.test(name));
}

/** The status of the response; 0 where there was none. */
export function statusOf(error: unknown): number {
  return metadataOf(error).httpStatusCode ?? 0;
}

/** The error that a user sees. @param action what failed, such as `read "registry.json"` */
export function storeError(error: unknown, place: string, action: string): GeneratorError {
  const name = nameOf(error);
  const other = DENIED.test(name) ? 'ERR_STORE_ACCESS' : 'ERR_STORE';
  const code = FULL.test(name) ? 'ERR_STORE_FULL' : other;
  const hint = `${HINTS[code]}; then run again`;
  return new GeneratorError(code, `Cannot ${action} at ${place}: ${name}`, { hint });
}

/** `503 SlowDown`, `ENOSPC`. A name comes from the response: only what can be one is shown. */
function nameOf(error: unknown): string {
  const { name, code } = error as Partial<NodeJS.ErrnoException>;
  const shown = [code, name].find((one = '') => /^[A-Za-z][\w.]{0,60}$/.test(one)) ?? 'Error';
  return statusOf(error) === 0 ? shown : `${statusOf(error)} ${shown}`;
}

function metadataOf(error: unknown): { httpStatusCode?: number; clockSkewCorrected?: boolean } {
  return (error as { $metadata?: ReturnType<typeof metadataOf> }).$metadata ?? {};
}
