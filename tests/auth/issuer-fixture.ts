// An issuer of OpenID Connect tokens for CI runs: a local server with its own keys, which rotate, and with faults.

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';

/** How the server answers for its documents. */
export type Fault = 'none' | 'down' | 'slow' | 'huge' | 'redirect' | 'other-issuer';

export interface Issuer {
  readonly url: string;
  /** How many documents were fetched. */
  readonly fetches: () => number;
  /** What runs have requested tokens for. */
  readonly audiences: string[];
  setFault(fault: Fault): void;
  /** Publishes a new key and no longer the old one. */
  rotate(): Promise<void>;
  /** The published key, for an attack with HS256. */
  publicKey(): Promise<JWK>;
  /** A token of GitHub's form for repository 42; `undefined` leaves a claim out. */
  token(claims?: Readonly<Record<string, unknown>>): Promise<string>;
  /** What a run of GitHub Actions with the permission `id-token: write` has in its environment. */
  readonly variables: Readonly<Record<string, string>>;
  close(): void;
}

interface Key {
  readonly kid: string;
  readonly secret: CryptoKey;
  readonly jwk: JWK;
}

const REQUEST_TOKEN = 'request-token';

/** What the issuer's tokens are for: the service at `REPORTS_ADDRESS`. */
export const AUDIENCE = 'stackyard:reports.example';
export const REPORTS_ADDRESS = 'https://reports.example';

/** Starts an issuer on the loopback interface. */
export async function startIssuer(): Promise<Issuer> {
  let key = await makeKey();
  let fault: Fault = 'none';
  let fetches = 0;
  let tokens = 0;
  let url = '';
  const audiences: string[] = [];

  const documents: Readonly<Record<string, () => object>> = {
    '/.well-known/openid-configuration': () => ({
      issuer: fault === 'other-issuer' ? 'https://issuer.example' : url,
      jwks_uri: `${url}/keys`,
    }),
    '/keys': () => ({ keys: [key.jwk] }),
  };
  const server = createServer((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '', url);
    if (pathname === '/run-token') {
      const isRun = req.headers.authorization === `Bearer ${REQUEST_TOKEN}`;
      if (!isRun) return void res.writeHead(401).end();
      audiences.push(searchParams.get('audience') ?? '');
      return void makeToken({ aud: searchParams.get('audience') }).then((value) => {
        res.end(JSON.stringify({ value }));
      });
    }
    fetches += 1;
    const document = documents[req.url ?? ''];
    if (document === undefined) return void res.writeHead(404).end();
    answer(res, fault, JSON.stringify(document()));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function makeToken(claims: Readonly<Record<string, unknown>>): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const all: Record<string, unknown> = {
      iss: url,
      aud: AUDIENCE,
      sub: 'repo:made/project:ref:refs/heads/main',
      jti: `token-${++tokens}`,
      iat: now,
      nbf: now - 300,
      exp: now + 300,
      repository_id: '42',
      repository_owner_id: '4200',
      actor_id: '4201',
      ...claims,
    };
    return new SignJWT(all)
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid: key.kid })
      .sign(key.secret);
  }

  return {
    url,
    variables: {
      ACTIONS_ID_TOKEN_REQUEST_URL: `${url}/run-token?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: REQUEST_TOKEN,
    },
    fetches: () => fetches,
    audiences,
    setFault: (next) => void (fault = next),
    rotate: async () => void (key = await makeKey()),
    publicKey: async () => key.jwk,
    token: (claims = {}) => makeToken(claims),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

let keys = 0;

async function makeKey(): Promise<Key> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const kid = `key-${++keys}`;
  return { kid, secret: privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256' } };
}

function answer(res: ServerResponse, fault: Fault, text: string): void {
  if (fault === 'down') return void res.writeHead(502).end();
  if (fault === 'redirect') return void res.writeHead(302, { location: '/keys?again' }).end();
  res.writeHead(200, { 'content-type': 'application/json' });
  // Never complete: only a limit of time ends it.
  if (fault === 'slow') return void res.write('{');
  if (fault === 'huge')
    return void res.end(`{"padding":"${'x'.repeat(1_000_000)}",${text.slice(1)}`);
  res.end(text);
}
