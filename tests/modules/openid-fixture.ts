/** A real provider of OpenID Connect: the server of the package oidc-provider. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type OidcProvider from 'oidc-provider';

export const CLIENT = { id: 'shop', secret: 'a secret of the shop' };

/** A provider at which one person agrees to everything. */
export interface RealProvider {
  readonly issuer: string;
  /** Who is logged in there, with the address `<person>@example.com`. */
  person: string;
  /** Whether that address is verified there. */
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
    person: 'ann',
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
      void provider.interactionFinished(req, res, { login: { accountId: real.person } });
    } else void handle(req, res);
  });
  return real;
}
