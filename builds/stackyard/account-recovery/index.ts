/// <reference types="node" />
// The public names of this folder. Import from here: the other files may be arranged differently in a later version.

import { type AccountModule, createProtection } from '../account-core/index.js';
import { createRecovery, type Recovery, type RecoveryOptions } from './recovery.js';

/** Recovery as a `Module` of src/module.ts in a foundation, to stand behind that of the accounts. */
export interface RecoveryModule extends Recovery {
  readonly name: 'account-recovery';
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Adds recovery to the module of the accounts. Throws as `createRecovery` does, once the accounts are opened. */
export function createRecoveryModule(module: AccountModule, options: RecoveryOptions): RecoveryModule {
  let recovery: Recovery | undefined;
  module.onOpen((accounts) => (recovery = createRecovery(accounts, options)));
  const open = async (): Promise<Recovery> => {
    await module.accounts();
    if (!recovery) throw new Error('Cannot use recovery: the module of the accounts was replaced');
    return recovery;
  };
  const settled = async () => recovery?.settled();
  return {
    name: 'account-recovery',
    start: async () => void (await open()),
    stop: settled,
    requireVerified: createProtection(async (request) => (await open()).identifyVerified(request)),
    identifyVerified: async (request) => (await open()).identifyVerified(request),
    settled,
  };
}

export type { RecoveryLink, RecoveryMail } from './mail.js';
export { createRecovery, type Recovery, type RecoveryOptions, type SendMail } from './recovery.js';
