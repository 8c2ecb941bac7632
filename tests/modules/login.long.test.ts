/** Second factors, passkeys and social login on PostgreSQL, with a real provider of OpenID Connect, and in Chromium. */
import { stripTypeScriptTypes } from 'node:module';
import { readFileSync } from 'node:fs';
import type { Browser as Chromium, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createPasskeysModule } from '../../builds/stackyard/passkeys/index.ts';
import { createSocialLoginModule } from '../../builds/stackyard/social-login/index.ts';
import { findFreePort } from '../../tools/free-port.ts';
import { type PostgresServer, startPostgres } from '../auth/postgres-fixture.ts';
import { openChromium } from '../site/open-chromium.ts';
import { FRAMEWORKS, type HostOptions, type LoginHost, startLoginHost } from './login-fixture.ts';
import { Browser, CLIENT, type RealProvider, startProvider } from './openid-fixture.ts';
import { describePasskeys } from './passkeys.contract.ts';
import { describeSocialLogin } from './social-login.contract.ts';
import { describeTotp } from './totp.contract.ts';

let postgres: PostgresServer;
let count = 0;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.remove());

const createDatabase = (): Promise<string> => postgres.createDatabase(`login_${++count}`);

for (const framework of FRAMEWORKS) {
  describeTotp(framework, createDatabase);
  describePasskeys(framework, createDatabase);
  describeSocialLogin(framework, createDatabase);
}

async function start(options: HostOptions): Promise<LoginHost> {
  const closers: (() => unknown)[] = [];
  onTestFinished(async () => {
    for (const close of closers.toReversed()) await close();
  });
  return startLoginHost(options, closers);
}

describe.each(FRAMEWORKS)('social login on %s with oidc-provider', (framework) => {
  let provider: RealProvider;
  let issuer: string;
  let port: number;
  beforeAll(async () => {
    port = await findFreePort();
    provider = await startProvider(`http://localhost:${port}/auth/social/callback/acme`);
    issuer = provider.issuer;
  });
  afterAll(() => provider.close());

  const open = (secret = CLIENT.secret): Promise<LoginHost> =>
    start({
      framework,
      port,
      env: {
        APP_URL: `http://localhost:${port}`,
        SOCIAL_ACME_ISSUER: issuer,
        SOCIAL_ACME_CLIENT_ID: CLIENT.id,
        SOCIAL_ACME_CLIENT_SECRET: secret,
      },
      create: (parts) => [createSocialLoginModule(parts)],
    });

  /** Follows redirects to the callback, which it does not visit. */
  async function goToProvider(browser: Browser, url: string): Promise<string> {
    let next = await browser.follow(url);
    while (next.startsWith('/') || next.startsWith(issuer))
      next = await browser.follow(new URL(next, issuer).href);
    return next;
  }

  test('logs in, and refuses a code and a state that were used', async () => {
    const host = await open();
    const browser = new Browser();
    const callback = await goToProvider(
      browser,
      `${host.url}/auth/social/start/acme?return_to=/home`,
    );
    // The provider names itself (RFC 9207).
    expect(new URL(callback).searchParams.get('iss')).toBe(issuer);
    expect(await browser.follow(callback)).toBe(`${host.url}/home?social=login`);
    const { body } = await browser.ask(`${host.url}/auth/social/token`, { method: 'POST' });
    expect(body.user.email).toBe('ann@example.com');
    expect(await browser.follow(callback)).toBe(`${host.url}/login?social_error=attempt_unknown`);
    const next = new URL(await goToProvider(browser, `${host.url}/auth/social/start/acme`));
    next.searchParams.set('code', new URL(callback).searchParams.get('code') ?? '');
    expect(await browser.follow(next.href)).toBe(`${host.url}/?social_error=provider_refused`);
    const mixed = new URL(await goToProvider(browser, `${host.url}/auth/social/start/acme`));
    mixed.searchParams.set('iss', 'https://evil.example.com');
    expect(await browser.follow(mixed.href)).toBe(`${host.url}/?social_error=provider_refused`);
  });

  test('refuses an address that is not verified', async () => {
    const host = await open();
    const browser = new Browser();
    provider.isVerified = false;
    const callback = await goToProvider(browser, `${host.url}/auth/social/start/acme`);
    expect(await browser.follow(callback)).toBe(`${host.url}/?social_error=email_not_verified`);
    provider.isVerified = true;
  });

  test('is refused with the secret of someone else', async () => {
    const host = await open('another secret');
    const browser = new Browser();
    const callback = await goToProvider(browser, `${host.url}/auth/social/start/acme`);
    expect(await browser.follow(callback)).toBe(`${host.url}/?social_error=provider_refused`);
  });
});

describe('passkeys in Chromium', () => {
  let chromium: Chromium;
  beforeAll(async () => {
    chromium = await openChromium();
  });
  afterAll(() => chromium.close());

  /** A page of the application with the client for pages, and a virtual authenticator. */
  async function visit(host: LoginHost): Promise<{ page: Page; count: () => Promise<number> }> {
    const context = await chromium.newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const client = stripTypeScriptTypes(
      readFileSync(new URL('../../builds/stackyard/passkeys/browser.ts', import.meta.url), 'utf8'),
    );
    await page.route('**/client.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: client }),
    );
    await page.route('**/page', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Page</title>' }),
    );
    const cdp = await context.newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        defaultBackupEligibility: true,
        defaultBackupState: true,
      },
    });
    await page.goto(`${host.url}/page`);
    return {
      page,
      count: async () =>
        (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    };
  }

  test.each(FRAMEWORKS)(
    'adds one and logs in with it, by a token and by a cookie, on %s',
    async (framework) => {
      const port = await findFreePort();
      const host = await start({
        framework,
        port,
        env: { APP_URL: `http://localhost:${port}` },
        create: (parts) => [createPasskeysModule({ ...parts, rpName: 'Shop' })],
      });
      const token = await host.register('a@example.com');
      const { page, count: countKeys } = await visit(host);
      const run = <T>(code: string): Promise<T> =>
        page.evaluate(`import('/client.js').then(async (client) => { ${code} })`);
      expect(await run('return client.hasPasskeys()')).toBe(true);
      const authorized = `{ headers: { Authorization: 'Bearer ${token}' } }`;
      const added = await run<{ name: string; backed_up: boolean; synced: boolean }>(
        `return client.addPasskey('Chromium', ${authorized})`,
      );
      expect(added).toMatchObject({ name: 'Chromium', synced: true, backed_up: true });
      expect(await countKeys()).toBe(1);
      expect(
        await run(`return client.addPasskey('Again', ${authorized}).catch((error) => error.name)`),
      ).toBe('InvalidStateError');
      expect(await run(`return client.addPasskey('No session').catch((error) => error.code)`)).toBe(
        'missing_token',
      );
      expect(await run('return client.logInWithPasskey()')).toMatchObject({
        user: { email: 'a@example.com' },
        token: expect.any(String),
      });
      const byCookie = await run(
        `return client.logInWithPasskey({ headers: { 'X-Session': 'cookie' } })`,
      );
      expect(byCookie).toEqual({ user: expect.objectContaining({ email: 'a@example.com' }) });
      expect(await run(`return (await fetch('/auth/me')).status`)).toBe(200);
      // The cookie is enough for the settings of the account.
      const [{ id }] = await run<[{ id: string }]>(
        `return (await (await fetch('/auth/passkeys')).json()).passkeys`,
      );
      expect(
        await run(`return (await fetch('/auth/passkeys/${id}', { method: 'DELETE' })).status`),
      ).toBe(204);
      expect(await run('return client.logInWithPasskey().catch((error) => error.code)')).toBe(
        'passkey_refused',
      );
    },
  );
});
