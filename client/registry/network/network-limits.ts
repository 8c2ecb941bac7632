/** Time limits and retries of requests; every answer of a registry is untrusted. */
export interface NetworkLimits {
  readonly connectMs: number;
  /** From the request to the first byte of the answer. */
  readonly firstByteMs: number;
  /** Between two parts of an answer. */
  readonly idleMs: number;
  /** Every transfer may take this long, plus the time for its bytes at `minBytesPerSecond`. */
  readonly graceMs: number;
  readonly minBytesPerSecond: number;
  /** Rounds over the addresses of the registry. */
  readonly tries: number;
  /** Before the second round; doubled before each further one, with random variation. */
  readonly backoffMs: number;
  /** Longer pauses that a registry demands are not waited for. */
  readonly maxRetryAfterMs: number;
  /** Parallel requests. */
  readonly parallel: number;
  /** Before the third reading of what contradicts the log: a deployment may be in progress. */
  readonly deploymentMs: number;
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
  deploymentMs: 1000,
};
