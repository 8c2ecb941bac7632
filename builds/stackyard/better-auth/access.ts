// Ends the ways into an account that a stranger may have added: whoever registers the address of somebody else must not
// keep a passkey, a provider or a session when the owner arrives by mail (Sudhodanan and Paverd, USENIX Security 2022).

import { openAuth } from './instance.js';

type Owner = { readonly id: string; readonly emailVerified: boolean };

/**
 * For `onPasswordReset`: ends sessions, passkeys and links to providers. The second factor stays where the address was
 * verified before, so that a mailbox alone does not open the account.
 */
export async function endOtherAccess({ user }: { readonly user: Owner }): Promise<void> {
  await endAccess(user, user.emailVerified);
}

/**
 * For `beforeEmailVerification`: ends all but the password. In a browser that is logged in as this user nothing ends,
 * because that person owns the address.
 */
export async function endUnprovenAccess(user: Owner, request?: Request): Promise<void> {
  const { api } = await openAuth();
  const session = request && (await api.getSession({ headers: request.headers, query: { disableRefresh: true } }));
  if (session?.user.id !== user.id) await endAccess(user, false);
}

async function endAccess({ id }: Owner, keepsSecondFactor: boolean): Promise<void> {
  const { adapter, internalAdapter, hasPlugin } = await (await openAuth()).$context;
  const where = [{ field: 'userId', value: id }];
  // Nothing new is begun then, and nothing that was begun, such as a link to a provider, is completed.
  await internalAdapter.deleteUserSessions(id);
  await adapter.deleteMany({ model: 'verification', where: [{ field: 'value', operator: 'contains', value: id }] });
  for (const account of await internalAdapter.findAccounts(id)) {
    if (account.providerId !== 'credential') await internalAdapter.deleteAccount(account.id);
  }
  if (hasPlugin('passkey')) await adapter.deleteMany({ model: 'passkey', where });
  if (hasPlugin('two-factor') && !keepsSecondFactor) {
    await adapter.deleteMany({ model: 'twoFactor', where });
    await internalAdapter.updateUser(id, { twoFactorEnabled: false });
  }
  // A login that was under way with one of these has a session now.
  await internalAdapter.deleteUserSessions(id);
}
