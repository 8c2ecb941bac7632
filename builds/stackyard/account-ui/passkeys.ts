// Passkeys, by the JSON methods of WebAuthn Level 3 that browsers have. Other browsers are shown no buttons.

import { AccountApiError, type LoginAnswer, send } from './api.js';

export interface PasskeyEntry {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
}

export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === 'function' && typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function';
}

/** Logs in with a passkey that the visitor chooses; `undefined` where they stopped. */
export async function logInByPasskey(): Promise<LoginAnswer | undefined> {
  const { options } = await send<{ readonly options: PublicKeyCredentialRequestOptionsJSON }>('POST', '/passkeys/login/options');
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await ask(() => navigator.credentials.get({ publicKey }));
  return credential && send<LoginAnswer>('POST', '/passkeys/login', { response: credential.toJSON() as object });
}

/** Adds a passkey of this device to the account. Returns whether there is one more. */
export async function addPasskey(): Promise<boolean> {
  const { options } = await send<{ readonly options: PublicKeyCredentialCreationOptionsJSON }>('POST', '/passkeys/options');
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await ask(() => navigator.credentials.create({ publicKey }));
  if (credential) await send('POST', '/passkeys', { response: credential.toJSON() as object });
  return credential !== undefined;
}

async function ask(open: () => Promise<Credential | null>): Promise<PublicKeyCredential | undefined> {
  try {
    return ((await open()) as PublicKeyCredential | null) ?? undefined;
  } catch (error) {
    const name = error instanceof DOMException ? error.name : '';
    if (name === 'NotAllowedError' || name === 'AbortError') return undefined;
    if (name === 'InvalidStateError') throw new AccountApiError(409, 'passkey_taken', 'This device has a passkey for the account already.');
    throw new AccountApiError(0, 'passkey_failed', 'The passkey cannot be used here.');
  }
}
