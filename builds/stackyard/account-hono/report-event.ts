// Passes an event to the listener of the host.

import { logError } from './account-log.js';
import type { AccountDependencies } from './dependencies.js';
import type { AccountEvent, AccountEventType } from './events.js';
import type { AccountRequest } from './request.js';

/** Reports what happened to the account in `about`. Never fails: what the listener throws is logged. */
export function reportEvent(
  { onEvent, log, now }: AccountDependencies,
  { address }: Pick<AccountRequest, 'address'>,
  type: AccountEventType,
  about: Pick<AccountEvent, 'userId' | 'email'> = {},
): void {
  try {
    onEvent({ type, at: new Date(now()).toISOString(), address, ...about });
  } catch (error) {
    logError(log, `The listener of account events failed on "${type}"`, error);
  }
}
