/// <reference types="node" />
// The public names of this folder. Import from here: the other files may be arranged differently in a later version.
// The line above finds the types of Node in projects whose tsconfig.json lists other `types`.

import { type AccountStore, createAccountModule } from '../account-core/index.js';
import type { PrismaAccountClient } from './client.js';
import { createPrismaStore } from './store.js';

let store: AccountStore | undefined;

/** Lets the accounts be stored with this client. Call it before the start, where the client is made. */
export function useAccountClient(client: PrismaAccountClient): void {
  store = createPrismaStore(client);
}

/** Accounts in the database of the project, below `/auth`. */
export const accountModule = createAccountModule({
  openStore() {
    if (store) return store;
    throw new Error('Cannot open the accounts: call useAccountClient(prisma) before the start, where the client is made');
  },
});

/** Protects a route: middleware of Express and of Hono. */
export const requireAuth = accountModule.requireAuth;
/** Calls a listener after an account was deleted. Returns what ends that. */
export const onUserDeleted = accountModule.onUserDeleted;

export { type AuthUser, currentUser } from '../account-core/index.js';
export type { PrismaAccountClient, PrismaModels } from './client.js';
export { createPrismaStore } from './store.js';
