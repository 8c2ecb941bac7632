// For pages: adds a passkey and logs in with one, by the JSON methods of WebAuthn Level 3 that browsers have (Chrome 129, Firefox
// 119, Safari 18.4 and newer). It imports nothing, so that it can be copied to where a front end has its files. The types of the
// browser are written here, since the project of a server does not have them.

interface Credential {
  toJSON(): object;
}

interface WebAuthn {
  readonly PublicKeyCredential?: {
    parseCreationOptionsFromJSON?(options: object): object;
    parseRequestOptionsFromJSON?(options: object): object;
    isConditionalMediationAvailable?(): Promise<boolean>;
  };
  readonly navigator: {
    readonly credentials: {
      create(options: { publicKey: object; signal?: AbortSignal }): Promise<Credential | null>;
      get(options: { publicKey: object; signal?: AbortSignal; mediation?: 'conditional' }): Promise<Credential | null>;
    };
  };
}

export interface PasskeyClientOptions {
  /** Where the accounts are. Default: `/auth`. */
  readonly prefix?: string;
  /** Sent with each request, such as `Authorization`, or `X-Session: cookie` for a session in a cookie. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the wait for the person. */
  readonly signal?: AbortSignal;
  /** Offers passkeys among the suggestions of an input with `autocomplete="username webauthn"`, in place of a dialog. */
  readonly conditional?: boolean;
}

/** A request was refused: `code` is that of the answer. */
export class PasskeyError extends Error {
  override readonly name = 'PasskeyError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const browser = globalThis as unknown as WebAuthn;

/** Whether this browser can do it. */
export function hasPasskeys(): boolean {
  return typeof browser.PublicKeyCredential?.parseCreationOptionsFromJSON === 'function';
}

/** Whether `conditional` works here. */
export async function canSuggestPasskeys(): Promise<boolean> {
  return hasPasskeys() && ((await browser.PublicKeyCredential?.isConditionalMediationAvailable?.()) ?? false);
}

/**
 * Adds a passkey to the account that is logged in. Rejects with `PasskeyError`, or with the `DOMException` of the browser:
 * `NotAllowedError` where the person stopped, `InvalidStateError` where the device has one already.
 */
export async function addPasskey(name?: string, options: PasskeyClientOptions = {}): Promise<{ id: string; name: string }> {
  const { options: json } = await post<{ options: object }>('/passkeys/options', {}, options);
  const publicKey = browser.PublicKeyCredential!.parseCreationOptionsFromJSON!(json);
  const credential = await browser.navigator.credentials.create({ publicKey, ...signalOf(options) });
  const response = credential?.toJSON();
  const { passkey } = await post<{ passkey: { id: string; name: string } }>('/passkeys', { response, ...(name !== undefined && { name }) }, options);
  return passkey;
}

/** Logs in with a passkey of this device, as the answer of `POST /auth/login`. Rejects as `addPasskey` does. */
export async function logInWithPasskey(options: PasskeyClientOptions = {}): Promise<{ user: { id: number; email: string }; token?: string }> {
  const { options: json } = await post<{ options: object }>('/passkeys/login/options', {}, options);
  const publicKey = browser.PublicKeyCredential!.parseRequestOptionsFromJSON!(json);
  const mediation = options.conditional ? ({ mediation: 'conditional' } as const) : {};
  const credential = await browser.navigator.credentials.get({ publicKey, ...mediation, ...signalOf(options) });
  return post('/passkeys/login', { response: credential?.toJSON() }, options);
}

function signalOf({ signal }: PasskeyClientOptions): { signal?: AbortSignal } {
  return signal ? { signal } : {};
}

async function post<T>(path: string, body: object, { prefix = '/auth', headers }: PasskeyClientOptions): Promise<T> {
  const answer = await fetch(prefix + path, {
    method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body), credentials: 'same-origin',
  });
  const result = (await answer.json()) as T & { error?: { code: string; message: string } };
  if (answer.ok) return result;
  throw new PasskeyError(result.error?.code ?? 'unknown', result.error?.message ?? `The server answered ${answer.status}`);
}
