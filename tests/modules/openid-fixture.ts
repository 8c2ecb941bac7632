/** A provider of OpenID Connect and of the API of GitHub, which lies on request, and a browser that follows redirects. */
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import type OidcProvider from 'oidc-provider';
import { type Answer, readAnswer } from './login-fixture.ts';

export const CLIENT = { id: 'shop', secret: 'a secret of the shop' };

/** What the provider answers; a test changes it. */
export interface Lies {
  /** Who is logged in there. */
  person: { sub: string; email?: string; email_verified?: boolean | string; hd?: string };
  /** Whether the address is in the ID token, or at the userinfo endpoint only. */
  inIdToken: boolean;
  /** Changes the claims of the ID token before it is signed. */
  change: (claims: JWTPayload) => JWTPayload;
  /** Signs with a key that is not published. */
  otherKey: boolean;
  /** The issuer in the discovery document. */
  issuer: string | undefined;
  /** The subject of the userinfo endpoint. */
  otherSubject: boolean;
  /** Answers with this status, or never, at a path. */
  fail: Record<string, number | 'never'>;
  /** What GitHub knows of the addresses. */
  emails: readonly { email: string; primary: boolean; verified: boolean }[];
}

export interface FakeProvider {
  readonly url: string;
  readonly lies: Lies;
  /** Forgets the lies. */
  reset(): void;
  /** The requests of the application, as `GET /path`. */
  readonly log: string[];
  close(): void;
}

export async function startFakeProvider(): Promise<FakeProvider> {
  const [key, other] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const jwk = { ...(await exportJWK(key.publicKey)), kid: 'a', alg: 'RS256', use: 'sig' };
  const honest = (): Lies => ({
    person: { sub: 'sub-1', email: 'Ann@Example.com', email_verified: true },
    inIdToken: true,
    change: (claims) => claims,
    otherKey: false,
    issuer: undefined,
    otherSubject: false,
    fail: {},
    emails: [
      { email: 'other@example.com', primary: false, verified: true },
      { email: 'ann@example.com', primary: true, verified: true },
    ],
  });
  const lies = honest();
  const log: string[] = [];
  const codes = new Map<string, URLSearchParams>();
  let base = '';

  async function token(form: URLSearchParams): Promise<[number, object]> {
    const asked = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight =
      asked?.get('code_challenge') === challenge &&
      asked.get('code_challenge_method') === 'S256' &&
      asked.get('redirect_uri') === form.get('redirect_uri') &&
      form.get('client_secret') === CLIENT.secret;
    if (!isRight) return [400, { error: 'invalid_grant' }];
    const answer = { access_token: 'access', token_type: 'bearer' };
    if (asked.get('nonce') === null) return [200, answer];
    const now = Math.floor(Date.now() / 1000);
    const { sub, ...about } = lies.person;
    const claims: JWTPayload = lies.change({
      iss: base,
      aud: CLIENT.id,
      sub,
      iat: now,
      exp: now + 60,
      nonce: asked.get('nonce')!,
      ...(lies.inIdToken && about),
    });
    const signing = new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'a' });
    return [
      200,
      { ...answer, id_token: await signing.sign((lies.otherKey ? other : key).privateKey) },
    ];
  }

  async function answer(path: string, url: URL, body: string): Promise<[number, object] | URL> {
    switch (path) {
      case '/.well-known/openid-configuration':
        return [
          200,
          {
            issuer: lies.issuer ?? base,
            authorization_endpoint: `${base}/login/oauth/authorize`,
            token_endpoint: `${base}/login/oauth/access_token`,
            jwks_uri: `${base}/jwks`,
            userinfo_endpoint: `${base}/userinfo`,
            response_types_supported: ['code'],
            id_token_signing_alg_values_supported: ['RS256'],
            subject_types_supported: ['public'],
          },
        ];
      case '/jwks':
        return [200, { keys: [jwk] }];
      case '/login/oauth/authorize': {
        const code = randomUUID();
        codes.set(code, url.searchParams);
        const back = new URL(url.searchParams.get('redirect_uri') ?? '');
        back.search = new URLSearchParams({
          code,
          state: url.searchParams.get('state') ?? '',
        }).toString();
        return back;
      }
      case '/login/oauth/access_token':
        return token(new URLSearchParams(body));
      case '/userinfo':
        return [200, { ...lies.person, ...(lies.otherSubject && { sub: 'someone else' }) }];
      case '/api/v3/user':
        return [200, { id: 42, login: 'ann' }];
      case '/api/v3/user/emails':
        return [200, lies.emails];
      default:
        return [404, {}];
    }
  }

  const server = createServer(async (req: IncomingMessage, res: ServerResponse) => {
    const url = new URL(req.url ?? '/', base);
    let body = '';
    for await (const chunk of req) body += String(chunk);
    log.push(`${req.method} ${url.pathname}`);
    const fail = lies.fail[url.pathname];
    if (fail === 'never') return;
    const result =
      fail === undefined
        ? await answer(url.pathname, url, body)
        : ([fail, { error: 'server_error' }] as const);
    if (result instanceof URL) res.writeHead(302, { Location: result.href }).end();
    else
      res
        .writeHead(result[0], { 'Content-Type': 'application/json' })
        .end(JSON.stringify(result[1]));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: base, lies, log, reset: () => void Object.assign(lies, honest()), close };
}

/** Cookies by host and name, and requests that send and take them. */
export class Browser {
  readonly #cookies = new Map<string, string>();

  cookie(url: string, name: string): string | undefined {
    return this.#cookies.get(`${new URL(url).hostname} ${name}`);
  }

  async ask(url: string, init: RequestInit = {}): Promise<Answer> {
    const { hostname } = new URL(url);
    const own = [...this.#cookies].filter(([key]) => key.startsWith(`${hostname} `));
    const headers = new Headers(init.headers);
    headers.set('Cookie', own.map(([key, value]) => `${key.split(' ')[1]}=${value}`).join('; '));
    // The next test may have another server on the port.
    headers.set('Connection', 'close');
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0\b/i.test(line)) this.#cookies.delete(`${hostname} ${name}`);
      else this.#cookies.set(`${hostname} ${name}`, value);
    }
    return readAnswer(answer);
  }

  /** Where a redirect goes. */
  async follow(url: string): Promise<string> {
    const { status, headers } = await this.ask(url);
    const location = headers.get('location');
    if (location === null) throw new Error(`${url} answered ${status} without a place to go`);
    return location;
  }

  /** Goes to the provider and back to the application, and gives the address of the callback, which it does not visit. */
  async goToProvider(start: string): Promise<string> {
    return this.follow(await this.follow(start));
  }
}

/** The server of the package oidc-provider, at which "ann" agrees to everything. */
export interface RealProvider {
  readonly issuer: string;
  /** Whether the address of ann is verified there. */
  isVerified: boolean;
  close(): void;
}

/** Starts one that knows the application whose callback is `redirectUri`. */
export async function startProvider(redirectUri: string): Promise<RealProvider> {
  const { default: Provider } = await import('oidc-provider');
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const real: RealProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isVerified: true,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  const client = { client_id: CLIENT.id, client_secret: CLIENT.secret };
  const provider: OidcProvider = new Provider(real.issuer, {
    clients: [{ ...client, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    pkce: { required: () => true },
    cookies: { keys: ['a key of the test'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: () => ({ sub, email: `${sub}@example.com`, email_verified: real.isVerified }),
    }),
    async loadExistingGrant({ oidc: { client: asking, session } }) {
      const grant = new provider.Grant({
        clientId: asking?.clientId,
        accountId: session?.accountId,
      });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
  const handle = provider.callback();
  server.on('request', (req, res) => {
    // The page of the provider, where someone logs in and agrees.
    if (req.url?.startsWith('/interaction/')) {
      void provider.interactionFinished(req, res, { login: { accountId: 'ann' } });
    } else void handle(req, res);
  });
  return real;
}
