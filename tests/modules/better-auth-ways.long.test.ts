/**
 * Other ways into the accounts of stackyard/better-auth: a provider of OpenID Connect and passkeys, on two hosts, and what a
 * stranger who has registered somebody else's address keeps of them: nothing.
 */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../tools/free-port.ts';
import { Authenticator } from './authenticator-fixture.ts';
import { Browser } from './better-auth-browser.ts';
import {
  type Edit,
  PACKAGES,
  type Project,
  type RunningHost,
  startProject,
} from './better-auth-hosts.ts';
import { codeOf } from './better-auth-mailbox.ts';
import { useServices } from './better-auth-services.ts';
import { enter, newAddress, PASSWORD, reset } from './better-auth.contract.ts';
import { CLIENT, type RealProvider, startProvider } from './openid-fixture.ts';

/** The newest versions of the library and its passkeys that fit together. */
const WITH_PASSKEYS = [
  'better-auth@1.7.6',
  '@better-auth/core@1.7.6',
  '@better-auth/passkey@1.7.6',
  '@zxcvbn-ts/language-common@4',
  ...PACKAGES.filter((one) => !/^(?:better-auth|next|react|@nestjs|fastify)/.test(one)),
];

const ACME = `genericOAuth({
        config: [{
          providerId: 'acme',
          discoveryUrl: process.env['ISSUER'] + '/.well-known/openid-configuration',
          clientId: '${CLIENT.id}',
          clientSecret: '${CLIENT.secret}',
          scopes: ['openid', 'email'],
          mapProfileToUser: ({ email }) => ({ name: String(email) }),
        }],
      }),`;

const ALL_WAYS: readonly Edit[] = [
  ['// import { passkey }', 'import { passkey }'],
  ['// import { organization, twoFactor }', 'import { genericOAuth, twoFactor }'],
  ['// twoFactor(),', 'twoFactor(),'],
  ['// passkey(),', `passkey(),\n      ${ACME}`],
];

/** Somebody may be logged in before the address is verified. */
const OPEN: Edit = [
  'requireEmailVerification: sendMail !== undefined',
  'requireEmailVerification: false',
];

/** The lines of the guide that refuse common passwords. */
const [, HEAD = '', HOOKS = ''] =
  /```ts\n(import \{ dictionary \}[^]*?)\/\/ An option of betterAuth\(\):\n([^]*?)```/.exec(
    readFileSync(
      join(import.meta.dirname, '../../builds/stackyard/better-auth/INTEGRATION.md'),
      'utf8',
    ),
  ) ?? [];
const REFUSING: readonly Edit[] = [
  [
    "import { betterAuth } from 'better-auth';",
    `import { betterAuth } from 'better-auth';\n${HEAD}`,
  ],
  ['plugins: [', `${HOOKS}    plugins: [`],
];

const services = useServices(WITH_PASSKEYS);

const CASES = [
  { name: 'hono on postgres', host: 'hono', database: 'postgres', isOpen: false },
  { name: 'express, open before verification', host: 'express', database: 'sqlite', isOpen: true },
] as const;

describe.each(CASES)('$name', ({ host: framework, database, isOpen }) => {
  let project: Project;
  let env: Record<string, string>;
  let host: RunningHost;
  let provider: RealProvider;
  beforeAll(async () => {
    const edits = [...ALL_WAYS, ...REFUSING, ...(isOpen ? [OPEN] : [])];
    project = await services.projects.make(`${framework}-${isOpen}`, framework, database, edits);
    const port = await findFreePort();
    provider = await startProvider(`http://localhost:${port}/api/auth/callback/acme`);
    const stored =
      database === 'sqlite'
        ? { SQLITE_PATH: join(project.folder, 'app.db') }
        : { DATABASE_URL: await services.postgres.createDatabase(`ways_${framework}`) };
    env = { ...stored, SMTP_URL: services.mails.url, ISSUER: provider.issuer };
    host = await startProject(project, env, port);
  });
  afterAll(async () => {
    await host?.stop();
    provider?.close();
  });

  /** Logs in at the provider as this person, and comes back to the application. */
  async function comeFromProvider(browser: Browser, email: string, isVerified = true) {
    Object.assign(provider, { person: email.split('@')[0], isVerified });
    const { body } = await browser.post('/sign-in/social', {
      provider: 'acme',
      callbackURL: '/done',
      errorCallbackURL: '/failed',
    });
    return browser.follow(body.url);
  }

  async function addPasskey(browser: Browser): Promise<Authenticator | number> {
    const { status, body } = await browser.ask('GET /api/auth/passkey/generate-register-options');
    if (status !== 200) return status;
    const authenticator = new Authenticator(host.origin);
    const added = await browser.post('/passkey/verify-registration', {
      response: authenticator.create(body),
    });
    return added.status === 200 ? authenticator : added.status;
  }

  async function comeByPasskey(browser: Browser, authenticator: Authenticator): Promise<number> {
    const { body } = await browser.ask('GET /api/auth/passkey/generate-authenticate-options');
    const response = authenticator.get(body);
    return (await browser.post('/passkey/verify-authentication', { response })).status;
  }

  /** Nothing of what the stranger has lets anybody in. */
  async function expectOut(email: string, browser: Browser, passkey?: Authenticator | number) {
    expect(await browser.user()).toBeUndefined();
    expect((await browser.ask('GET /private')).status).toBe(401);
    const again = new Browser(host.origin);
    expect((await again.post('/sign-in/email', { email, password: PASSWORD })).status).toBe(401);
    if (passkey instanceof Authenticator) {
      expect(await comeByPasskey(again, passkey)).not.toBe(200);
      expect(await again.user()).toBeUndefined();
    }
    await comeFromProvider(again, email, false);
    expect((await again.user())?.email).not.toBe(email);
  }

  /** The owner logs in with the new password, where it is needed after the address was verified. */
  async function expectIn(owner: Browser, email: string, password: string) {
    let login = await owner.post('/sign-in/email', { email, password });
    if (login.body.code === 'EMAIL_NOT_VERIFIED') {
      await owner.follow(await services.mails.link(email, 'Confirm your address'));
      login = await owner.post('/sign-in/email', { email, password });
    }
    expect([login.status, login.body.twoFactorRedirect]).toEqual([200, undefined]);
    expect((await owner.user())?.email).toBe(email);
  }

  test('logs in by a provider, and links it where both sides have verified the address', async () => {
    const browser = new Browser(host.origin);
    const email = newAddress();
    expect(await comeFromProvider(browser, email)).toBe(`${host.origin}/done`);
    const user = await browser.user();
    expect(user?.email).toBe(email);
    const known = await enter(host, services.mails);
    const other = new Browser(host.origin);
    await comeFromProvider(other, known.email);
    expect((await other.user())?.id).toBe((await known.browser.user())?.id);
  });

  test('does not link a provider to an address that only one side has verified', async () => {
    const { email } = await enter(host, services.mails);
    const stranger = new Browser(host.origin);
    expect(await comeFromProvider(stranger, email, false)).toContain('/failed?error=');
    expect(await stranger.user()).toBeUndefined();
    const unverified = newAddress();
    const json = { name: 'Ann', email: unverified, password: PASSWORD };
    await new Browser(host.origin).post('/sign-up/email', json);
    const other = new Browser(host.origin);
    expect(await comeFromProvider(other, unverified)).toContain('/failed?error=');
  });

  test('adds a passkey to a session, and logs in by it', async () => {
    const { browser, email } = await enter(host, services.mails);
    const passkey = await addPasskey(browser);
    const other = new Browser(host.origin);
    expect(await comeByPasskey(other, passkey as Authenticator)).toBe(200);
    expect((await other.user())?.email).toBe(email);
    expect(await addPasskey(new Browser(host.origin))).toBe(401);
  });

  test('a stranger who has registered the address is out after a reset', async () => {
    const email = newAddress();
    const stranger = new Browser(host.origin);
    await stranger.post('/sign-up/email', { name: 'Eve', email, password: PASSWORD });
    await stranger.post('/sign-in/email', { email, password: PASSWORD });
    const passkey = await addPasskey(stranger);
    const factor = await stranger.post('/two-factor/enable', { password: PASSWORD });
    if (isOpen) {
      expect(passkey).toBeInstanceOf(Authenticator);
      await stranger.post('/two-factor/verify-totp', { code: codeOf(factor.body.totpURI) });
      Object.assign(provider, { person: email.split('@')[0], isVerified: true });
      const link = { provider: 'acme', callbackURL: '/done', errorCallbackURL: '/failed' };
      const { body } = await stranger.post('/link-social', link);
      expect(await stranger.follow(body.url)).toContain('/done');
    } else {
      expect([passkey, factor.status]).toEqual([401, 401]);
    }
    const owner = await reset(host, services.mails, email, 'a new horse');
    await expectOut(email, stranger, passkey);
    await expectIn(owner, email, 'a new horse');
  });

  test.each(['verifies the address', 'resets the password'])(
    'a stranger who came by a provider with an unverified address is out when the owner %s',
    async (what) => {
      const email = newAddress();
      const stranger = new Browser(host.origin);
      await comeFromProvider(stranger, email, false);
      expect((await stranger.user())?.email).toBe(email);
      const passkey = await addPasskey(stranger);
      expect(passkey).toBeInstanceOf(Authenticator);
      if (what === 'resets the password') {
        const owner = await reset(host, services.mails, email, 'a new horse');
        await expectOut(email, stranger, passkey);
        await expectIn(owner, email, 'a new horse');
      } else {
        const owner = new Browser(host.origin);
        await owner.follow(await services.mails.link(email, 'Confirm your address'));
        await expectOut(email, stranger, passkey);
      }
    },
  );

  test('keeps what was added in the browser that opens the link', async () => {
    const email = newAddress();
    const browser = new Browser(host.origin);
    await comeFromProvider(browser, email, false);
    const passkey = await addPasskey(browser);
    await browser.follow(await services.mails.link(email, 'Confirm your address'));
    expect((await browser.user())?.email).toBe(email);
    expect(await comeByPasskey(new Browser(host.origin), passkey as Authenticator)).toBe(200);
  });

  test('a stranger whose link the owner has opened by mistake is out after a reset', async () => {
    const email = newAddress();
    const stranger = new Browser(host.origin);
    await stranger.post('/sign-up/email', { name: 'Eve', email, password: PASSWORD });
    await new Browser(host.origin).follow(await services.mails.link(email, 'Confirm your address'));
    await stranger.post('/sign-in/email', { email, password: PASSWORD });
    const passkey = await addPasskey(stranger);
    expect(passkey).toBeInstanceOf(Authenticator);
    // Held back: a link to a provider that was begun before the reset, and is completed after it.
    Object.assign(provider, { person: email.split('@')[0], isVerified: true });
    const held = await stranger.post('/link-social', { provider: 'acme', callbackURL: '/done' });
    const owner = await reset(host, services.mails, email, 'a new horse');
    await stranger.follow(held.body.url);
    await expectOut(email, stranger, passkey);
    await expectIn(owner, email, 'a new horse');
    const accounts = await owner.ask('GET /api/auth/list-accounts');
    expect(accounts.body.map((one: { providerId: string }) => one.providerId)).toEqual([
      'credential',
    ]);
  });

  test('a second factor of a verified address survives a reset', async () => {
    const { browser, email } = await enter(host, services.mails);
    const { body } = await browser.post('/two-factor/enable', { password: PASSWORD });
    await browser.post('/two-factor/verify-totp', { code: codeOf(body.totpURI) });
    const owner = await reset(host, services.mails, email, 'a new horse');
    const login = await owner.post('/sign-in/email', { email, password: 'a new horse' });
    expect(login.body.twoFactorRedirect).toBe(true);
  });

  test('refuses a common password, at the registration and at a change', async () => {
    const { browser } = await enter(host, services.mails);
    const json = { name: 'Ann', email: newAddress(), password: 'Password123' };
    const registered = await browser.post('/sign-up/email', json);
    expect([registered.status, registered.body.code]).toEqual([400, 'PASSWORD_TOO_COMMON']);
    const body = { newPassword: 'Password123', currentPassword: PASSWORD };
    expect((await browser.post('/change-password', body)).body.code).toBe('PASSWORD_TOO_COMMON');
  });

  if (isOpen) return;
  describe('with services that fail', () => {
    test('answers while the provider is down', async () => {
      const browser = new Browser(host.origin);
      provider.person = 'nobody';
      const { body } = await browser.post('/sign-in/social', {
        provider: 'acme',
        callbackURL: '/done',
        errorCallbackURL: '/failed',
      });
      const callback = new URL(`${host.origin}/api/auth/callback/acme?code=x`);
      callback.searchParams.set('state', new URL(body.url).searchParams.get('state') ?? '');
      provider.close();
      expect(await browser.follow(callback.href)).toContain('/failed?error=');
      expect(await browser.user()).toBeUndefined();
    });

    test('answers in time while the provider is silent, and registers while mails cannot be sent', async () => {
      const silent = await listen();
      const port = await findFreePort();
      const issuer = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
      const smtp = `smtp://127.0.0.1:${await findFreePort()}`;
      const slow = startProject(project, { ...env, ISSUER: issuer, SMTP_URL: smtp }, port);
      const begun = Date.now();
      const waiting = await slow;
      onTestFinished(() => waiting.stop());
      expect(Date.now() - begun).toBeLessThan(120_000);
      silent.closeAllConnections();
      silent.close();
      const browser = new Browser(waiting.origin);
      const json = { name: 'Ann', email: newAddress(), password: PASSWORD };
      await expect
        .poll(async () => (await browser.post('/sign-up/email', json)).status, { interval: 500 })
        .toBe(200);
    });

    test('answers 5xx while the database is down, and goes on afterwards', async () => {
      const { browser, email } = await enter(host, services.mails);
      services.postgres.stop('fast');
      const answer = await browser.ask('GET /private');
      const login = await new Browser(host.origin).post('/sign-in/email', {
        email,
        password: PASSWORD,
      });
      services.postgres.start();
      expect([answer.status, login.status].every((status) => status >= 500)).toBe(true);
      await expect.poll(() => browser.user()).toMatchObject({ email });
    });
  });
});

/** A server that takes requests and never answers. */
async function listen(): Promise<Server> {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const WRONG: readonly [what: string, edits: readonly Edit[], message: RegExp][] = [
  [
    'a provider without a secret',
    [
      ['// socialProviders: {', 'socialProviders: {'],
      ['//   github: {', '  github: {'],
      ['// },\n    // user:', '},\n    // user:'],
    ],
    /in src\/auth\.ts "socialProviders\.github" has no clientId and clientSecret/,
  ],
  [
    'verification without mail',
    [
      [
        '...(sendMail && { sendVerificationEmail',
        "...(Boolean(process.env['NONE']) && { sendVerificationEmail",
      ],
    ],
    /"requireEmailVerification" is true, and there is no "sendVerificationEmail"/,
  ],
  [
    'an origin without a scheme',
    [['...settings,', "...settings,\n      trustedOrigins: ['app.example.com'],"]],
    /"trustedOrigins" has "app\.example\.com", which is no origin/,
  ],
];

test.each(WRONG)(
  '%s in src/auth.ts ends the start with a clear message',
  async (what, edits, message) => {
    const name = `wrong-${what.replaceAll(' ', '-')}`;
    const project = await services.projects.make(name, 'express', 'sqlite', edits);
    const env = { SQLITE_PATH: ':memory:', SMTP_URL: services.mails.url };
    await expect(startProject(project, env)).rejects.toThrow(message);
    await expect(startProject(project, { ...env, BETTER_AUTH_SECRET: 'short' })).rejects.toThrow(
      /BETTER_AUTH_SECRET: Expected at least 32 bytes/,
    );
  },
);
