/// <reference types="node" />
// The public names of this folder. Import from here, and the tables from the schema of your database: the other files may be
// arranged differently in a later version. The line above finds the types of Node in projects that list other `types`.

import { type AccountStore, createAccountModule } from '../account-core/index.js';
import { createDrizzleStore, type DrizzleAccounts } from './store.js';

let store: AccountStore | undefined;

/** Lets the accounts be stored with this client. Call it before the start, where the client is made. */
export function useAccountClient(accounts: DrizzleAccounts): void {
  store = createDrizzleStore(accounts);
}

/** Accounts in the database of the project, below `/auth`. */
export const accountModule = createAccountModule({
  openStore() {
    if (store) return store;
    throw new Error('Cannot open the accounts: call useAccountClient({ db, tables }) before the start, where the client is made');
  },
});

/** Protects a route: middleware of Express and of Hono. */
export const requireAuth = accountModule.requireAuth;
/** Calls a listener after an account was deleted. Returns what ends that. */
export const onUserDeleted = accountModule.onUserDeleted;

export { type AuthUser, currentUser } from '../account-core/index.js';
export { createDrizzleStore, type DrizzleAccounts } from './store.js';
