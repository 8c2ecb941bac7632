// The interface of a database: the accounts, and counters of rate limits.

import type { UserStore } from '../../builds/stackyard/account/index.ts';
import type { CreateCounter } from '../limits/counter.ts';

/** An open database. Every method rejects with `ERR_STORE_UNAVAILABLE` while the database is unavailable. */
export interface AuthStore {
  readonly kind: 'sqlite' | 'postgres';
  readonly users: UserStore;
  /** Makes the counters of the rate limits that all processes share; `undefined` leaves them to each process. */
  readonly createCounter: CreateCounter | undefined;
  /**
   * Rejects unless the database has its tables and stores a row, always the same one; creates the tables that are missing.
   * Rejects with `ERR_STORE_SCHEMA` when retrying cannot help.
   */
  check(): Promise<void>;
  /** Closes all connections. */
  close(): Promise<void>;
}

/** Receives the errors that no request reports. */
export interface StoreLog {
  warn(message: string): void;
}
