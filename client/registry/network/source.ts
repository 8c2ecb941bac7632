/** What reads a registry, whose answers are all untrusted: an address over HTTP, a folder, a git repository. */
import type { ClientError } from '../../errors.ts';

/** Time limits and retries of requests. */
export interface NetworkLimits {
  readonly connectMs: number;
  /** From the request to the first byte of the answer. */
  readonly firstByteMs: number;
  /** Between two parts of an answer. */
  readonly idleMs: number;
  /** Every transfer may take this long, plus the time for its bytes at `minBytesPerSecond`. */
  readonly graceMs: number;
  readonly minBytesPerSecond: number;
  /** Attempts for one document. */
  readonly tries: number;
  /** Before the second attempt; doubled before each further one, with random variation. */
  readonly backoffMs: number;
  /** Longer pauses that a registry demands are not waited for. */
  readonly maxRetryAfterMs: number;
  /** Parallel requests. */
  readonly parallel: number;
}

export const NETWORK_LIMITS: NetworkLimits = {
  connectMs: 10_000,
  firstByteMs: 30_000,
  idleMs: 30_000,
  graceMs: 30_000,
  minBytesPerSecond: 8192,
  tries: 3,
  backoffMs: 250,
  maxRetryAfterMs: 30_000,
  parallel: 8,
};

/** The validators of a document, to ask later whether it is still current. */
export interface Validators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

export interface SourceRequest {
  readonly maxBytes: number;
  /** Whether an encoded answer may be read unchanged: its known digest detects a wrong one. */
  readonly isDigested: boolean;
  /** The validators of the cached bytes. */
  readonly validators?: Validators | undefined;
  /** Called for every part that arrives. */
  readonly onBytes?: ((count: number) => void) | undefined;
}

export type Answer =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly validators: Validators }
  /** The cached bytes are still current. */
  | { readonly kind: 'same' }
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'failed';
      readonly error: ClientError;
      /** A retry would give the same answer. */
      readonly isFinal: boolean;
      readonly retryAfterMs?: number | undefined;
    };

export interface Source {
  /** The address, without `/` at the end. */
  readonly base: string;
  /** Whether its files are on this machine: the cache keeps none of them. */
  readonly isFolder: boolean;
  /** The secret header, by which cached documents are kept apart; empty without one. */
  readonly secret: string;
  /** The full address of a path, for messages. */
  readonly url: (path: string) => string;
  readonly get: (path: string, request: SourceRequest) => Promise<Answer>;
  readonly close: () => Promise<void>;
}
