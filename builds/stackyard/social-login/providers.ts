// Asks a provider who somebody is: OpenID Connect (code flow with PKCE, state and nonce, the signature of the ID token verified),
// and OAuth 2 with the API of GitHub. Whatever a provider answers is checked: it may be down, slow or wrong.

import * as client from 'openid-client';
import { z } from 'zod';
import type { ProviderSettings } from './settings.js';

/** What of an attempt to log in is remembered until the provider answers. */
export interface Proof {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Somebody, as a provider knows them. */
export interface Profile {
  readonly issuer: string;
  /** Never given to anybody else by this issuer; an address may be. */
  readonly subject: string;
  readonly email: string | undefined;
  /** Whether the provider states that the address is theirs. */
  readonly emailVerified: boolean;
  /** Whether the provider also decides whose the address is now, not only once. */
  readonly isAuthority: boolean;
}

export interface Provider extends Pick<ProviderSettings, 'name' | 'label'> {
  /** Where to send the browser. Throws `ProviderError`, code `provider_unavailable`. */
  begin(proof: Proof, redirectUri: string): Promise<URL>;
  /** Who came back to `url`. Throws `ProviderError`. */
  finish(proof: Proof, url: URL): Promise<Profile>;
}

export type ProviderFault = 'denied' | 'provider_unavailable' | 'provider_refused';

export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly code: ProviderFault;

  constructor(code: ProviderFault, message: string) {
    super(message);
    this.code = code;
  }
}

export function createProof(): Proof {
  return { state: client.randomState(), nonce: client.randomNonce(), verifier: client.randomPKCECodeVerifier() };
}

/** A provider whose every answer may take `timeoutSeconds`. */
export function createProvider(settings: ProviderSettings, timeoutSeconds: number): Provider {
  const isGitHub = settings.kind === 'github';
  let opening: Promise<client.Configuration> | undefined;
  const open = (): Promise<client.Configuration> => {
    // A provider that is down now is asked again by the next visitor.
    opening ??= (isGitHub ? openGitHub(settings, timeoutSeconds) : discover(settings, timeoutSeconds)).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    name: settings.name,
    label: settings.label,
    begin: (proof, redirectUri) =>
      explained(async () =>
        client.buildAuthorizationUrl(await open(), {
          redirect_uri: redirectUri,
          scope: isGitHub ? 'read:user user:email' : 'openid email',
          state: proof.state,
          ...(!isGitHub && { nonce: proof.nonce }),
          code_challenge: await client.calculatePKCECodeChallenge(proof.verifier),
          code_challenge_method: 'S256',
        }),
      ),
    finish: (proof, url) =>
      explained(async () => {
        const config = await open();
        const checks = { expectedState: proof.state, pkceCodeVerifier: proof.verifier };
        if (isGitHub) return readGitHub(config, settings, await client.authorizationCodeGrant(config, url, checks));
        return readOpenId(config, await client.authorizationCodeGrant(config, url, { ...checks, expectedNonce: proof.nonce }));
      }),
  };
}

type Tokens = Awaited<ReturnType<typeof client.authorizationCodeGrant>>;

// The library accepts ID tokens from the token endpoint by its TLS alone, as the standard allows; here the signature counts too.
function discover({ issuer, clientId, clientSecret }: ProviderSettings, timeout: number): Promise<client.Configuration> {
  const execute = [client.enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : [])];
  return client.discovery(new URL(issuer), clientId, clientSecret, undefined, { execute, timeout });
}

async function openGitHub({ issuer, clientId, clientSecret }: ProviderSettings, timeout: number): Promise<client.Configuration> {
  const server = { issuer, authorization_endpoint: `${issuer}/login/oauth/authorize`, token_endpoint: `${issuer}/login/oauth/access_token` };
  const config = new client.Configuration(server, clientId, clientSecret);
  config.timeout = timeout;
  if (issuer.startsWith('http:')) client.allowInsecureRequests(config);
  return config;
}

const OpenIdClaims = z.object({
  email: z.string().optional(),
  // Some send text.
  email_verified: z.union([z.boolean(), z.string()]).optional(),
  /** The organisation of a Google account. */
  hd: z.string().optional(),
});

async function readOpenId(config: client.Configuration, tokens: Tokens): Promise<Profile> {
  const idToken = tokens.claims();
  if (!idToken) throw new ProviderError('provider_refused', 'The answer has no ID token');
  const { userinfo_endpoint: userInfo } = config.serverMetadata();
  // Many have the address only there. The library refuses another subject.
  const found = idToken['email'] === undefined && userInfo !== undefined ? await client.fetchUserInfo(config, tokens.access_token, idToken.sub) : idToken;
  const { email, email_verified: verified, hd } = OpenIdClaims.parse(found);
  const isGoogle = idToken.iss === 'https://accounts.google.com';
  return {
    issuer: idToken.iss,
    subject: idToken.sub,
    email,
    emailVerified: verified === true || verified === 'true',
    // Google verified other addresses once, when the account was made ("Authenticate with a backend server", its documentation).
    isAuthority: !isGoogle || hd !== undefined || (email?.toLowerCase().endsWith('@gmail.com') ?? false),
  };
}

const GitHubUser = z.object({ id: z.number().int().positive() });
const GitHubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

async function readGitHub(config: client.Configuration, { issuer }: ProviderSettings, tokens: Tokens): Promise<Profile> {
  const api = issuer === 'https://github.com' ? 'https://api.github.com' : `${issuer}/api/v3`;
  const read = async (path: string): Promise<unknown> => {
    const headers = new Headers({ Accept: 'application/vnd.github+json', 'User-Agent': 'stackyard-social-login' });
    const answer = await client.fetchProtectedResource(config, tokens.access_token, new URL(api + path), 'GET', undefined, headers);
    if (answer.ok) return answer.json();
    await answer.body?.cancel();
    throw new ProviderError(answer.status >= 500 ? 'provider_unavailable' : 'provider_refused', `The API answered ${answer.status} on ${path}`);
  };
  const { id } = GitHubUser.parse(await read('/user'));
  const primary = GitHubEmails.parse(await read('/user/emails')).find((address) => address.primary);
  return { issuer, subject: String(id), email: primary?.email, emailVerified: primary?.verified ?? false, isAuthority: true };
}

// Every error of the library, the network and the parsers as one of ours. The text is for the log: it has no token or code.
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    if (error instanceof client.AuthorizationResponseError) {
      throw new ProviderError(error.error === 'access_denied' ? 'denied' : 'provider_refused', `The provider answered "${error.error}"`);
    }
    if (error instanceof client.ResponseBodyError) throw new ProviderError('provider_refused', `The provider answered "${error.error}"`);
    const { message, cause } = error instanceof Error ? error : new Error(String(error));
    // By its form: hosts such as the server of Hono replace `Response`.
    const { status = 0 } = (typeof cause === 'object' && cause !== null ? cause : {}) as { readonly status?: number };
    const isServerError = status >= 500;
    const isTimeout = error instanceof client.ClientError ? error.code === 'OAUTH_TIMEOUT' : error instanceof DOMException && error.name === 'TimeoutError';
    const isNetwork = error instanceof TypeError && message === 'fetch failed';
    throw new ProviderError(isServerError || isTimeout || isNetwork ? 'provider_unavailable' : 'provider_refused', `${message}${cause instanceof Error ? `: ${cause.message}` : ''}`.replace(/\s+/g, ' ').slice(0, 300));
  }
}
