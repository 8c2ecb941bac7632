// What the service needs of a database beside the accounts.

import type { AccountStore } from '../../builds/stackyard/account/store.ts';

/** An open database. Every method rejects with an error of `isUnavailable` while the database is unavailable. */
export interface ServiceStore extends AccountStore {
  /** Runs SQL in PostgreSQL, for the counts of the throttle; `undefined` leaves them to the process. */
  readonly run?: Run;
  /** Rejects while accounts cannot be read, or where the tables are not those of the service. */
  check(): Promise<void>;
  /** Closes all connections. */
  close(): Promise<void>;
}

/** Runs one statement, and gives its rows. */
export type Run = <Row extends object>(
  text: string,
  values?: readonly unknown[],
) => Promise<readonly Row[]>;
