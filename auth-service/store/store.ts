// What the service asks of a database beside the accounts themselves.

import type { UserStore } from '../../builds/stackyard/account/index.ts';
import type { CreateCounter } from '../limits/counter.ts';
import type { StatementStore } from '../reports/statement-store.ts';

/** An open database. Whatever a method does, a database that is away rejects with `ERR_STORE_UNAVAILABLE`. */
export interface AuthStore {
  readonly kind: 'sqlite' | 'postgres';
  readonly users: UserStore;
  /** Reports and flags; `undefined` unless the store was opened with them. */
  readonly statements: StatementStore | undefined;
  /** Makes the counters of the rate limits that all processes share; `undefined` leaves them to each process. */
  readonly createCounter: CreateCounter | undefined;
  /**
   * Rejects unless the database answers and has its tables; creates those that are missing. Rejects with
   * `ERR_STORE_SCHEMA` when waiting will not mend it.
   */
  check(): Promise<void>;
  /** Closes all connections. */
  close(): Promise<void>;
}

/** Where a store says what no request is answered with. */
export interface StoreLog {
  warn(message: string): void;
}
