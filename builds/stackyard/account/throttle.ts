// Slows down guessing. The interface lets several processes share their counts through a store of your own; the one
// for a single process is memory-throttle.ts.

/** One try to log in, to register or to change a password. */
export interface Attempt {
  /** Where it comes from, see `clientAddress`. */
  readonly address: string;
  /** The account that it is about, registered or not. Absent for a registration. */
  readonly email?: string | undefined;
}

/**
 * An attempt counts as a failure from the moment it is admitted, so that many at once cannot slip through before the
 * first has failed. It must not matter whether the account exists.
 */
export interface Throttle {
  /** Counts the attempt and gives 0, or gives the seconds to wait, at least 1, and counts nothing. */
  admit(attempt: Attempt): Promise<number>;
  /** The attempt succeeded: forget the failures. */
  succeed(attempt: Attempt): Promise<void>;
  /**
   * The attempt was neither right nor wrong, as when the server was overloaded: take back its count and its wait, and no
   * other attempt's. It is the object that `admit` was given.
   */
  withdraw(attempt: Attempt): Promise<void>;
}

/** Admits everything. */
export const noThrottle: Throttle = {
  admit: async () => 0,
  succeed: async () => {},
  withdraw: async () => {},
};
