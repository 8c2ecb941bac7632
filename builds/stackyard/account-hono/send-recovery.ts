// Sends the mail with a new recovery token, after the answer: neither the answer nor its time depends on whether there is
// such an account, and on the mailer.

import { logError } from './account-log.js';
import type { RecoveryPurpose } from './recoveries.js';
import type { RecoveryDependencies } from './recovery-dependencies.js';
import { type RecoveryMail, writeMail } from './recovery-mail.js';
import { createRecoveryToken, hashRecoveryToken } from './recovery-token.js';
import type { StoredUser } from './users.js';

/** Open tokens of an account and purpose. More than one, so that a stranger's request does not void the owner's at once. */
const MAX_OPEN = 3;

/**
 * Returns the work that sends a token to the account that `find` finds, if any. It begins when it is called, and never
 * rejects: what fails is logged.
 */
export function prepareRecovery(
  deps: RecoveryDependencies,
  purpose: RecoveryPurpose,
  find: () => Promise<StoredUser | undefined>,
): () => Promise<void> {
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  // Rejects only when the log of the host throws, which must not end the process.
  const work = begun.then(() => sendRecovery(deps, purpose, find)).catch(() => {});
  deps.pending.add(work);
  return async () => {
    begin();
    await work;
    deps.pending.delete(work);
  };
}

async function sendRecovery(
  deps: RecoveryDependencies,
  purpose: RecoveryPurpose,
  find: () => Promise<StoredUser | undefined>,
): Promise<void> {
  let about = '';
  try {
    const user = await find();
    if (!user) return;
    about = ` to account ${user.id}`;
    await deliver(deps, await openRecovery(deps, purpose, user));
  } catch (error) {
    logError(deps.log, `Cannot send the mail of purpose "${purpose}"${about}`, error);
  }
}

async function openRecovery(
  deps: RecoveryDependencies,
  purpose: RecoveryPurpose,
  { id, email }: StoredUser,
): Promise<RecoveryMail> {
  const token = createRecoveryToken();
  const link = deps.makeLink(purpose, token);
  const ttlSeconds = deps.ttlSeconds[purpose];
  const createdAt = Math.floor(deps.now() / 1000);
  const expiresAt = createdAt + ttlSeconds;
  const tokenHash = hashRecoveryToken(purpose, token) ?? '';
  await deps.recoveries.open({ tokenHash, purpose, userId: id, email, createdAt, expiresAt }, MAX_OPEN, createdAt);
  return writeMail({ to: email, purpose, token, link, ttlSeconds, expiresAt: new Date(expiresAt * 1000).toISOString() });
}

async function deliver({ sendMail, mailTimeoutMs }: RecoveryDependencies, mail: RecoveryMail): Promise<void> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      controller.abort();
      reject(new Error(`"sendMail" has not finished within ${mailTimeoutMs} ms`));
    }, mailTimeoutMs);
  });
  try {
    await Promise.race([sendMail(mail, controller.signal), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
