/**
 * A place that holds a deployed index: objects by path, written under conditions. A failed request is stated in our
 * own words: messages of a store can contain the id of a key or what was signed.
 */
import { GeneratorError } from '../errors.ts';

/** Sent with an object to its readers. */
export interface ObjectHeaders {
  readonly cacheControl: string;
  readonly contentType: string;
}

/** An object with its tag, which is another one after every change of its bytes. */
export interface StoredObject {
  readonly bytes: Uint8Array;
  readonly tag: string;
}

/** What a store knows of an object without sending it. */
export interface ObjectFacts {
  readonly size: number;
  readonly tag: string;
  /** In hexadecimal; absent where the store keeps none. */
  readonly sha256?: string | undefined;
  /** Absent where the store keeps none, such as a folder. */
  readonly headers?: ObjectHeaders | undefined;
}

/** An object of a listing. */
export interface ListedObject {
  readonly path: string;
  readonly size: number;
  /** The MD5 in hexadecimal, where the store has it; on some it is another text of the same form. */
  readonly md5: string;
}

/** `absent`: write only where no object is; a tag: only over the object with this tag. */
export type Condition = 'absent' | { readonly tag: string };

/** `refused`: the condition does not hold. */
export type WriteResult =
  | { readonly kind: 'written'; readonly tag: string }
  | { readonly kind: 'refused' };

/** Paths are relative to the target, as in the index. */
export interface Store {
  /** The target as the user gave it, for messages. */
  readonly place: string;
  readonly read: (path: string) => Promise<StoredObject | undefined>;
  readonly inspect: (path: string) => Promise<ObjectFacts | undefined>;
  readonly write: (
    path: string,
    bytes: Uint8Array,
    headers: ObjectHeaders,
    condition?: Condition,
  ) => Promise<WriteResult>;
  /** Removes an object; one that is not there is no error. */
  readonly remove: (path: string) => Promise<void>;
  readonly list: () => AsyncIterable<ListedObject>;
  /** The same store; `check` runs before every attempt to write or remove, and prevents it by throwing. */
  readonly guardedBy: (check: () => Promise<void>) => Store;
  /** Makes durable what was written. */
  readonly settle: () => Promise<void>;
  /** The clock of the store: milliseconds since 1970. */
  readonly now: () => number;
  /** By how many milliseconds the clock of this machine is ahead of that of the store. */
  readonly clockAheadMs: () => number;
}

/** Names of errors of S3 and of Node.js to which the next attempt may have another answer. */
const PASSING = new Set([
  'ConditionalRequestConflict',
  'InternalError',
  'OperationAborted',
  'RequestTimeout',
  'ServiceUnavailable',
  'SlowDown',
  'Throttling',
  'ThrottlingException',
  'TimeoutError',
  'AbortError',
]);

const CONNECTION = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

const CLOCK = new Set(['RequestTimeTooSkewed', 'RequestExpired', 'RequestInTheFuture']);

interface Failure {
  readonly name: string;
  readonly status: number | undefined;
  /** Of a connection that failed. */
  readonly connection: string | undefined;
}

/** Whether the same request may succeed later. */
export function isPassingFailure(error: unknown): boolean {
  const { name, status, connection } = failureOf(error);
  if (PASSING.has(name) || connection !== undefined) return true;
  return status !== undefined && (status === 429 || (status >= 500 && status !== 501));
}

/** Whether the store refuses the time of the request: once corrected by its clock, it may accept it. */
export function isClockFailure(error: unknown): boolean {
  return CLOCK.has(failureOf(error).name);
}

/** The status of the response, where there was one. */
export function statusOf(error: unknown): number | undefined {
  return failureOf(error).status;
}

/**
 * The error that a user sees.
 * @param action what failed, such as `read "registry.json"`
 * @param aheadMs by how much the clock of this machine is ahead of the store's
 */
export function storeError(
  error: unknown,
  place: string,
  action: string,
  aheadMs = 0,
): GeneratorError {
  const { name, status, connection } = failureOf(error);
  const failed = `Cannot ${action} at ${place}`;
  const because = (
    code: ConstructorParameters<typeof GeneratorError>[0],
    why: string,
    hint: string,
  ): GeneratorError => new GeneratorError(code, `${failed}: ${why}`, { hint });
  if (CLOCK.has(name)) {
    const minutes = Math.round(Math.abs(aheadMs) / 60_000);
    const side = aheadMs < 0 ? 'behind' : 'ahead of';
    const off = minutes === 0 ? 'not that of the store' : `${minutes} minutes ${side} the store`;
    return because(
      'ERR_STORE_CLOCK',
      `the clock of this machine is ${off}`,
      'set the clock, such as with NTP, and run again',
    );
  }
  if (name === 'CredentialsProviderError') {
    return because(
      'ERR_STORE_ACCESS',
      'there are no credentials',
      'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE',
    );
  }
  if (name === 'NoSuchBucket') {
    return because(
      'ERR_STORE',
      'there is no such bucket',
      'make the bucket first, and check its name and the endpoint',
    );
  }
  if (name === 'PermanentRedirect' || name === 'AuthorizationHeaderMalformed' || status === 301) {
    return because('ERR_STORE', 'the bucket is in another region', 'give the region as AWS_REGION');
  }
  if (status === 401 || status === 403 || name === 'ExpiredToken' || name === 'InvalidToken') {
    return because(
      'ERR_STORE_ACCESS',
      `the store refuses the credentials or this action (${name})`,
      'check the key, and that it may list the bucket and get, put and delete objects',
    );
  }
  if (status === 501) {
    return because(
      'ERR_STORE',
      'the store does not support conditional writes',
      'use one that obeys If-Match and If-None-Match',
    );
  }
  if (connection !== undefined || status === undefined) {
    return because(
      'ERR_STORE_UNREACHABLE',
      `the store does not respond (${connection ?? name})`,
      'check the network and the endpoint; run again to complete the deployment',
    );
  }
  return because(
    'ERR_STORE',
    `the store answers ${status} (${name})`,
    'run again to complete the deployment',
  );
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof Error))
    return { name: 'UnknownError', status: undefined, connection: undefined };
  const { name, code, $metadata } = error as Error & {
    code?: unknown;
    $metadata?: { httpStatusCode?: number };
  };
  // A name comes from the response: only what can be one is shown.
  const shown = /^[A-Za-z][A-Za-z0-9.]{0,60}$/.test(name) ? name : 'UnknownError';
  const connection = typeof code === 'string' && CONNECTION.has(code) ? code : undefined;
  return { name: shown, status: $metadata?.httpStatusCode, connection };
}
