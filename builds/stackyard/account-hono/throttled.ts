// Runs one attempt between the two ends of the throttle.

import { AccountError } from './account-error.js';
import type { AccountDependencies } from './dependencies.js';
import { reportEvent } from './report-event.js';
import type { AccountRequest } from './request.js';
import type { Attempt, Throttle } from './throttle.js';

/** Counts an attempt. Throws `AccountError`, code `rate_limited`, when `throttle` does not admit it. */
export async function admit(
  deps: AccountDependencies,
  throttle: Throttle,
  request: AccountRequest,
  email: string | undefined,
): Promise<Attempt> {
  const attempt = { address: request.address, email };
  const seconds = await throttle.admit(attempt);
  if (!(seconds > 0)) return attempt;
  reportEvent(deps, request, 'throttled', email === undefined ? {} : { email });
  throw new AccountError('rate_limited', { headers: { 'Retry-After': String(seconds) } });
}

/**
 * Runs `work` if the throttle of the logins admits it, and reports to the throttle how it ended. Throws `AccountError`,
 * code `rate_limited`, when it does not admit it.
 */
export async function throttled<T>(
  deps: AccountDependencies,
  request: AccountRequest,
  email: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const { throttle } = deps;
  const attempt = await admit(deps, throttle, request, email);
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

// Any other error, such as that of a failing database, does not show that the password was wrong.
function isRefusal(error: unknown): boolean {
  return error instanceof AccountError && error.status < 500;
}
