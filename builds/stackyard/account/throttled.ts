// Runs one attempt between the two ends of the throttle.

import type { Request } from 'express';
import { AccountError } from './account-error.js';
import { clientAddress } from './client-address.js';
import type { AccountDependencies } from './dependencies.js';
import { reportEvent } from './report-event.js';

/**
 * Runs `work` if the throttle admits it, and tells the throttle how it ended. Throws `AccountError`, code
 * `rate_limited`, when it does not admit it.
 */
export async function throttled<T>(
  deps: AccountDependencies,
  req: Request,
  email: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const { throttle } = deps;
  const attempt = { address: clientAddress(req), email };
  const seconds = await throttle.admit(attempt);
  if (seconds > 0) {
    reportEvent(deps, req, 'throttled', email === undefined ? {} : { email });
    throw new AccountError('rate_limited', { headers: { 'Retry-After': String(seconds) } });
  }
  let result: T;
  try {
    result = await work();
  } catch (error) {
    if (!isRefusal(error)) await throttle.withdraw(attempt);
    throw error;
  }
  await throttle.succeed(attempt);
  return result;
}

// Anything else, such as a failing database, says nothing about the password.
function isRefusal(error: unknown): boolean {
  return error instanceof AccountError && error.status < 500;
}
