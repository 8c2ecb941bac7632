// Slows down the guessing of passwords. memory-throttle.ts implements it for a single process; your own implementation
// can share the counts of several processes.

/** One attempt to log in, to register, to change a password, or to have a mail sent. */
export interface Attempt {
  /** Where it comes from, see `toNetwork`. */
  readonly address: string;
  /** The account that it is about, whether it exists or not. Absent for a registration. */
  readonly email?: string | undefined;
}

/**
 * An attempt counts as a failure from the moment it is admitted, so that many at once cannot slip through before the
 * first has failed. The result must not depend on whether the account exists.
 */
export interface Throttle {
  /** Counts the attempt and returns 0; or returns the seconds to wait, at least 1, and counts nothing. */
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
