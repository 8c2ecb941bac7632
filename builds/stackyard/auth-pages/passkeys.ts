// Passkeys by the browser's own JSON methods of WebAuthn. Browsers without them are shown no buttons.

import { ApiError } from '../api/client.js';
import { authClient, result } from './client.js';

export const hasPasskeys = () => 'parseRequestOptionsFromJSON' in (globalThis.PublicKeyCredential ?? {});

const { $fetch, $store } = authClient;
type Passkey = { readonly id: string; readonly name: string | null; readonly createdAt: Date };
const post = (path: string, body: object) => result($fetch(`/passkey/${path}`, { method: 'POST', body }));
export const listPasskeys = () => $fetch<Passkey[]>('/passkey/list-user-passkeys');
export const deletePasskey = (id: string) => post('delete-passkey', { id });

/** Logs in with a passkey that the visitor chooses. */
export async function logInByPasskey(): Promise<void> {
  const options = await result($fetch<PublicKeyCredentialRequestOptionsJSON>('/passkey/generate-authenticate-options'));
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  await send('verify-authentication', navigator.credentials.get({ publicKey }));
  $store.notify('$sessionSignal');
}

/** Adds a passkey of this device to the account. */
export async function addPasskey(): Promise<void> {
  const options = await result($fetch<PublicKeyCredentialCreationOptionsJSON>('/passkey/generate-register-options'));
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  await send('verify-registration', navigator.credentials.create({ publicKey }));
}

const MESSAGES: Readonly<Record<string, string>> = {
  // The visitor stopped, or has none here: browsers do not say which.
  NotAllowedError: 'No passkey was used.',
  InvalidStateError: 'This device has a passkey for the account.',
};

async function send(path: string, asked: Promise<Credential | null>): Promise<void> {
  const credential = await asked.catch(({ name }: Error) => {
    throw new ApiError(0, { error: { message: MESSAGES[name] ?? 'The passkey cannot be used here.' } });
  });
  await post(path, { response: (credential as PublicKeyCredential).toJSON() });
}
