/** How long and how often a registry is asked; every answer of a registry is untrusted. */
export interface NetworkLimits {
  readonly connectMs: number;
  /** From the request to the first byte of the answer. */
  readonly firstByteMs: number;
  /** Between two pieces of an answer. */
  readonly idleMs: number;
  /** A transfer may take this, and the time that its bytes take at `minBytesPerSecond`. */
  readonly graceMs: number;
  readonly minBytesPerSecond: number;
  /** Rounds over the addresses of the registry. */
  readonly tries: number;
  /** Before the second round; doubled before each further one, and varied by chance. */
  readonly backoffMs: number;
  /** A registry that asks for a longer pause is not waited for. */
  readonly maxRetryAfterMs: number;
  /** Requests side by side. */
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
