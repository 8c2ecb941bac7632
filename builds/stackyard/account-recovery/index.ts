/// <reference types="node" />
// The public names of this folder. Import from here: the other files may be arranged differently in a later version.

import { type AccountModule, createProtection } from '../account-core/index.js';
import { linkBelow, type RecoveryLink } from './mail.js';
import { createRecovery, type Recovery, type RecoveryOptions } from './recovery.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** As `RecoveryOptions`. Without `link` the pages are those of the application at APP_URL. */
export interface RecoveryModuleOptions extends Omit<RecoveryOptions, 'link'> {
  readonly link?: RecoveryOptions['link'];
}

/** Recovery as a `Module` of src/module.ts in a foundation, to stand behind that of the accounts. */
export interface RecoveryModule extends Recovery {
  readonly name: 'account-recovery';
  checkSettings(env: Environment): readonly { readonly name: string; readonly message: string }[];
  start(host?: { readonly env: Environment }): Promise<void>;
  stop(): Promise<void>;
}

/** Adds recovery to the module of the accounts. Throws as `createRecovery` does, once the accounts are opened. */
export function createRecoveryModule(module: AccountModule, options: RecoveryModuleOptions): RecoveryModule {
  let recovery: Recovery | undefined;
  let env: Environment = process.env;
  // Read for each mail: the accounts may be opened before the start of this module.
  const link: RecoveryLink = (purpose, token) => linkBelow(readAppUrl(env))(purpose, token);
  module.onOpen((accounts) => (recovery = createRecovery(accounts, { ...options, link: options.link ?? link })));
  const open = async (): Promise<Recovery> => {
    await module.accounts();
    if (!recovery) throw new Error('Cannot use recovery: the module of the accounts was replaced');
    return recovery;
  };
  const settled = async () => recovery?.settled();
  return {
    name: 'account-recovery',
    checkSettings: (given) => (options.link === undefined ? checkAppUrl(given) : []),
    async start(host) {
      env = host?.env ?? process.env;
      await open();
    },
    stop: settled,
    requireVerified: createProtection(async (request) => (await open()).identifyVerified(request)),
    identifyVerified: async (request) => (await open()).identifyVerified(request),
    settled,
  };
}

// Exactly these modes have a default: elsewhere a link in a mail must not lead to another machine.
function readAppUrl({ APP_URL: url = '', NODE_ENV: mode, PORT: port = '3000' }: Environment): string {
  return url === '' && (mode === 'development' || mode === 'test') ? `http://localhost:${port}` : url;
}

function checkAppUrl(env: Environment): { readonly name: string; readonly message: string }[] {
  try {
    linkBelow(readAppUrl(env));
    return [];
  } catch {
    return [{ name: 'APP_URL', message: 'Expected the URL of the application whose pages are "reset-password" and "verify-email", such as https://app.example.com' }];
  }
}

export type { RecoveryLink, RecoveryMail } from './mail.js';
export { createRecovery, type Recovery, type RecoveryOptions, type SendMail } from './recovery.js';
