// Hands an event to the listener of the host.

import type { Request } from 'express';
import { logError } from './account-log.js';
import { clientAddress } from './client-address.js';
import type { AccountDependencies } from './dependencies.js';
import type { AccountEvent, AccountEventType } from './events.js';

/** Reports what happened to the account in `about`. Never fails: what the listener throws goes to the log. */
export function reportEvent(
  { onEvent, log, now }: AccountDependencies,
  req: Request,
  type: AccountEventType,
  about: Pick<AccountEvent, 'userId' | 'email'> = {},
): void {
  try {
    onEvent({ type, at: new Date(now()).toISOString(), address: clientAddress(req), ...about });
  } catch (error) {
    logError(log, `The listener of account events failed on "${type}"`, error);
  }
}
