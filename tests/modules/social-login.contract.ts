/** What stackyard/social-login does, on any host and database, with a provider that lies on request. */
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../tools/free-port.ts';
import { createSocialLoginModule } from '../../builds/stackyard/social-login/index.ts';
import {
  type Framework,
  type LoginHost,
  PASSWORD,
  startLoginHost,
  statusesOf,
} from './login-fixture.ts';
import {
  Browser,
  CLIENT,
  type FakeProvider,
  type Lies,
  startFakeProvider,
} from './openid-fixture.ts';

/** Leaves a claim out. */
const without =
  (name: string) =>
  (claims: object): Record<string, unknown> =>
    Object.fromEntries(Object.entries(claims).filter(([claim]) => claim !== name));

export function describeSocialLogin(
  framework: Framework,
  createDatabase?: () => Promise<string>,
): void {
  describe(`stackyard/social-login on ${framework}, ${createDatabase ? 'PostgreSQL' : 'SQLite'}`, () => {
    let provider: FakeProvider;
    beforeAll(async () => {
      provider = await startFakeProvider();
    });
    afterAll(() => provider.close());
    beforeEach(() => {
      provider.reset();
      provider.log.length = 0;
    });

    async function start(
      options: {
        env?: Record<string, string>;
        otherWaysIn?: (id: number) => Promise<boolean>;
        timeoutSeconds?: number;
      } = {},
    ): Promise<LoginHost> {
      const closers: (() => unknown)[] = [];
      onTestFinished(async () => {
        for (const close of closers.toReversed()) await close();
      });
      const port = await findFreePort();
      const of = (name: string): Record<string, string> => ({
        [`SOCIAL_${name}_ISSUER`]: provider.url,
        [`SOCIAL_${name}_CLIENT_ID`]: CLIENT.id,
        [`SOCIAL_${name}_CLIENT_SECRET`]: CLIENT.secret,
      });
      const { otherWaysIn } = options;
      const postgresUrl = await createDatabase?.();
      return startLoginHost(
        {
          framework,
          port,
          env: {
            APP_URL: `http://localhost:${port}`,
            ...of('ACME'),
            ...of('GITHUB'),
            ...options.env,
          },
          ...(postgresUrl !== undefined && { postgresUrl }),
          create: (parts) => [
            createSocialLoginModule({
              ...parts,
              timeoutSeconds: options.timeoutSeconds ?? 60,
              ...(otherWaysIn && { otherWaysIn }),
            }),
          ],
        },
        closers,
      );
    }

    /** Logs in by a provider; gives where the browser ended, below the application. */
    async function visit(
      host: LoginHost,
      browser = new Browser(),
      name = 'acme',
      query = '',
    ): Promise<string> {
      const end = await browser.follow(
        await browser.goToProvider(`${host.url}/auth/social/start/${name}${query}`),
      );
      expect(new URL(end).origin).toBe(host.url);
      return end.slice(host.url.length);
    }

    const post = (browser: Browser, host: LoginHost, headers: Record<string, string> = {}) =>
      browser.ask(`${host.url}/auth/social/token`, { method: 'POST', headers });

    test('makes an account for a verified address, and finds it again', async () => {
      const host = await start();
      const { body } = await host.send('GET', '/auth/social');
      expect(body.providers).toEqual([
        { name: 'acme', label: 'Acme', start: '/auth/social/start/acme' },
        { name: 'github', label: 'GitHub', start: '/auth/social/start/github' },
      ]);
      const browser = new Browser();
      expect(await visit(host, browser, 'acme', '?return_to=/notes%3Fa%3D1%23b')).toBe(
        '/notes?a=1&social=login#b',
      );
      const login = await post(browser, host);
      expect([login.status, login.body.user.email]).toEqual([200, 'ann@example.com']);
      expect((await host.send('GET', '/auth/me', undefined, login.body.token)).status).toBe(200);
      const identities = await host.send(
        'GET',
        '/auth/social/identities',
        undefined,
        login.body.token,
      );
      expect(identities.body).toEqual({
        identities: [
          {
            id: expect.any(String),
            provider: 'acme',
            email: 'Ann@Example.com',
            created_at: expect.any(String),
          },
        ],
        has_password: false,
      });
      // By its subject: another address there changes nothing here.
      provider.lies.person = { sub: 'sub-1', email: 'changed@example.com', email_verified: false };
      const again = new Browser();
      expect(await visit(host, again)).toBe('/?social=login');
      expect((await post(again, host)).body.user.id).toBe(login.body.user.id);
    });

    test('gives the session as a cookie where the page asked for it', async () => {
      const host = await start();
      const browser = new Browser();
      expect(await visit(host, browser, 'acme', '?session=cookie&return_to=/home')).toBe('/home');
      expect((await browser.ask(`${host.url}/auth/me`)).status).toBe(200);
      const other = new Browser();
      await visit(host, other);
      const headers = { 'X-Session': 'cookie', 'Sec-Fetch-Site': 'same-origin' };
      expect((await post(other, host, headers)).body).toEqual({
        user: expect.objectContaining({ email: 'ann@example.com' }),
      });
      expect((await other.ask(`${host.url}/auth/me`)).status).toBe(200);
    });

    test('reads the address from userinfo, and the primary one of GitHub', async () => {
      const host = await start();
      provider.lies.inIdToken = false;
      expect(await visit(host)).toBe('/?social=login');
      expect(provider.log).toContain('GET /userinfo');
      provider.lies.emails = [{ email: 'ben@example.com', primary: true, verified: true }];
      const browser = new Browser();
      expect(await visit(host, browser, 'github')).toBe('/?social=login');
      expect((await post(browser, host)).body.user.email).toBe('ben@example.com');
      provider.lies.emails = [{ email: 'cid@example.com', primary: true, verified: false }];
      expect(await visit(host, new Browser(), 'github')).toBe('/?social=login');
    });

    test.each([
      [{ sub: 's', email: 'x@example.com', email_verified: false }],
      [{ sub: 's', email: 'x@example.com' }],
      [{ sub: 's', email: 'x@example.com', email_verified: 'false' }],
      [{ sub: 's' }],
    ])('makes no account for %j', async (person) => {
      const host = await start();
      provider.lies.person = person;
      expect(await visit(host)).toBe('/?social_error=email_not_verified');
    });

    test('does not link an account whose address nobody has verified, and one that is verified', async () => {
      const host = await start();
      // Someone registered the address of another person and waits.
      const token = await host.register('ann@example.com');
      expect(await visit(host)).toBe('/?social_error=account_exists');
      expect(
        (await host.send('GET', '/auth/social/identities', undefined, token)).body.identities,
      ).toEqual([]);
      const accounts = await host.account.accounts();
      const user = await accounts.createVerified('ben@example.com');
      provider.lies.person = { sub: 'ben', email: 'ben@example.com', email_verified: true };
      const browser = new Browser();
      expect(await visit(host, browser)).toBe('/?social=login');
      expect((await post(browser, host)).body.user.id).toBe(user.id);
    });

    test('links to the account of a session that is new, and to no second account', async () => {
      const host = await start();
      const token = await host.register('z@example.com');
      provider.lies.person = { sub: 'sub-z' };
      const link = async (bearer: string, browser = new Browser()): Promise<string> => {
        const headers = { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' };
        const body = JSON.stringify({ provider: 'acme', return_to: '/settings' });
        const begun = await browser.ask(`${host.url}/auth/social/link`, {
          method: 'POST',
          headers,
          body,
        });
        expect(begun.status).toBe(200);
        return (await browser.follow(await browser.follow(begun.body.url))).slice(host.url.length);
      };
      expect(await link(token)).toBe('/settings?social=linked');
      expect(await link(token)).toBe('/settings?social=linked');
      const browser = new Browser();
      await visit(host, browser);
      expect((await post(browser, host)).body.user.email).toBe('z@example.com');
      expect(await link(await host.register('y@example.com'))).toBe(
        '/settings?social_error=linked_elsewhere',
      );
      expect((await host.send('POST', '/auth/social/link', { provider: 'acme' })).status).toBe(401);
      expect(
        (await host.send('POST', '/auth/social/link', { provider: 'nobody' }, token)).code,
      ).toBe('unknown_provider');
      host.clock.now += 901_000;
      expect((await host.send('POST', '/auth/social/link', { provider: 'acme' }, token)).code).toBe(
        'recent_login_required',
      );
    });

    test('removes an identity, not the last way in', async () => {
      let hasPasskey = false;
      const host = await start({ otherWaysIn: async () => hasPasskey });
      const browser = new Browser();
      await visit(host, browser);
      const { token } = (await post(browser, host)).body;
      const list = async () =>
        (await host.send('GET', '/auth/social/identities', undefined, token)).body.identities as {
          id: string;
        }[];
      const [first] = await list();
      const remove = (id: string) =>
        host.send('DELETE', `/auth/social/identities/${id}`, undefined, token);
      expect((await remove(first!.id)).code).toBe('last_way_in');
      expect((await remove('none')).code).toBe('identity_not_found');
      const stranger = await host.register('stranger@example.com');
      expect(
        (await host.send('DELETE', `/auth/social/identities/${first!.id}`, undefined, stranger))
          .code,
      ).toBe('identity_not_found');
      // The same address at another provider is another identity.
      await visit(host, new Browser(), 'github');
      const both = await list();
      expect(both).toHaveLength(2);
      const answers = await Promise.all(both.map(({ id }) => remove(id)));
      expect(statusesOf(answers)).toEqual([204, 409]);
      const [left] = await list();
      hasPasskey = true;
      expect((await remove(left!.id)).status).toBe(204);
    });

    test('an account that has its password keeps that as a way in; a deleted one leaves nothing', async () => {
      const host = await start();
      const browser = new Browser();
      await visit(host, browser);
      const { token, user } = (await post(browser, host)).body;
      const { users, passwords } = (await host.account.accounts()).dependencies;
      const owner = await users.findByToken(user.id, '');
      await users.replaceHash(user.id, owner!.user.passwordHash, await passwords.hash(PASSWORD));
      const { body } = await host.send('GET', '/auth/social/identities', undefined, token);
      expect(body.has_password).toBe(true);
      expect(
        (
          await host.send(
            'DELETE',
            `/auth/social/identities/${body.identities[0].id}`,
            undefined,
            token,
          )
        ).status,
      ).toBe(204);
      await visit(host);
      expect((await host.send('DELETE', '/auth/me', undefined, token)).status).toBe(204);
      const again = new Browser();
      await visit(host, again);
      expect((await post(again, host)).body.user.id).not.toBe(user.id);
    });

    test('a second factor follows the provider', async () => {
      const host = await start();
      (await host.account.accounts()).addSecondFactor({ name: 'totp', isRequired: () => true });
      const browser = new Browser();
      expect(await visit(host, browser, 'acme', '?session=cookie')).toBe('/?social=login');
      const answer = await post(browser, host);
      expect([answer.status, answer.body]).toEqual([
        200,
        { secondFactor: ['totp'], challenge: expect.any(String) },
      ]);
      expect(await (await host.account.accounts()).readChallenge(answer.body.challenge)).toBe(1);
    });

    test('an attempt belongs to one browser and works once, and so does the login', async () => {
      const host = await start();
      const browser = new Browser();
      const callback = await browser.goToProvider(`${host.url}/auth/social/start/acme`);
      const unknown = `${host.url}/login?social_error=attempt_unknown`;
      expect(await new Browser().follow(callback)).toBe(unknown);
      const state = browser.cookie(host.url, 'social_state')!;
      expect(await browser.follow(callback.replace(/state=[^&]*/, 'state=x'))).toBe(unknown);
      expect(await browser.follow(callback.replace('/acme', '/github'))).toBe(unknown);
      expect(await browser.follow(callback)).toBe(`${host.url}/?social=login`);
      // A second time, also with the cookie as it was.
      expect(await browser.follow(callback)).toBe(unknown);
      const raw = await fetch(callback, {
        headers: { Cookie: `social_state=${state}` },
        redirect: 'manual',
      });
      expect(raw.headers.get('location')).toBe(unknown);
      const code = browser.cookie(host.url, 'social_login')!;
      expect((await post(new Browser(), host)).code).toBe('login_unknown');
      const answers = await Promise.all([post(browser, host), post(browser, host)]);
      expect(statusesOf(answers)).toEqual([200, 401]);
      expect(code).toMatch(/^[\w-]{43}$/);
    });

    test('an attempt and a login expire', async () => {
      const host = await start();
      const browser = new Browser();
      const callback = await browser.goToProvider(`${host.url}/auth/social/start/acme`);
      host.clock.now += 600_001;
      expect(await browser.follow(callback)).toBe(`${host.url}/login?social_error=attempt_unknown`);
      await visit(host, browser);
      host.clock.now += 60_001;
      expect((await post(browser, host)).code).toBe('login_unknown');
    });

    test('a code that was used is refused by the provider', async () => {
      const host = await start();
      const browser = new Browser();
      const used = new URL(await browser.goToProvider(`${host.url}/auth/social/start/acme`));
      await browser.follow(used.href);
      const next = new URL(await browser.goToProvider(`${host.url}/auth/social/start/acme`));
      next.searchParams.set('code', used.searchParams.get('code')!);
      expect(await browser.follow(next.href)).toBe(`${host.url}/?social_error=provider_refused`);
    });

    const lies: [string, (lies: Lies) => void][] = [
      ['another nonce', (answers) => (answers.change = (claims) => ({ ...claims, nonce: 'x' }))],
      ['no nonce', (answers) => (answers.change = without('nonce'))],
      [
        'another issuer',
        (answers) =>
          (answers.change = (claims) => ({ ...claims, iss: 'https://evil.example.com' })),
      ],
      [
        'another audience',
        (answers) => (answers.change = (claims) => ({ ...claims, aud: 'another client' })),
      ],
      [
        'several audiences and another party',
        (answers) =>
          (answers.change = (claims) => ({ ...claims, aud: [CLIENT.id, 'b'], azp: 'b' })),
      ],
      [
        'an expired token',
        (lies) =>
          (lies.change = (claims) => ({
            ...claims,
            iat: claims.iat! - 3600,
            exp: claims.exp! - 3600,
          })),
      ],
      ['no subject', (answers) => (answers.change = without('sub'))],
      ['a key of someone else', (answers) => (answers.otherKey = true)],
      [
        'another subject in userinfo',
        (answers) => Object.assign(answers, { otherSubject: true, inIdToken: false }),
      ],
      [
        'an address that is none',
        (answers) => (answers.person = { sub: 's', email: 'a b', email_verified: true }),
      ],
      [
        'claims of other types',
        (answers) => (answers.change = (claims) => ({ ...claims, email: 42 })),
      ],
    ];
    test.each(lies)('refuses %s', async (_, lie) => {
      const host = await start();
      lie(provider.lies);
      expect(await visit(host)).toBe('/?social_error=provider_refused');
      provider.reset();
      expect(await visit(host)).toBe('/?social=login');
    });

    test.each(['/.well-known/openid-configuration', '/login/oauth/access_token', '/jwks'])(
      'survives a provider that fails at %s',
      async (path) => {
        const host = await start();
        for (const fail of [500, 'never'] as const) {
          const asked = fail === 'never' ? await start({ timeoutSeconds: 1 }) : host;
          provider.lies.fail = { [path]: fail };
          const browser = new Browser();
          let end = await browser.follow(`${asked.url}/auth/social/start/acme?return_to=/login`);
          if (!end.startsWith(asked.url)) end = await browser.follow(await browser.follow(end));
          expect([fail, end]).toEqual([
            fail,
            `${asked.url}/login?social_error=provider_unavailable`,
          ]);
        }
        provider.reset();
        expect(await visit(host)).toBe('/?social=login');
      },
    );

    test('survives another issuer in the discovery, errors of the provider, and one that is down', async () => {
      const host = await start({
        env: {
          SOCIAL_GONE_ISSUER: `http://127.0.0.1:${await findFreePort()}`,
          SOCIAL_GONE_CLIENT_ID: 'a',
          SOCIAL_GONE_CLIENT_SECRET: 'b',
        },
      });
      const browser = new Browser();
      provider.lies.issuer = 'https://evil.example.com';
      expect(await browser.follow(`${host.url}/auth/social/start/acme`)).toBe(
        `${host.url}/?social_error=provider_refused`,
      );
      provider.reset();
      expect(await browser.follow(`${host.url}/auth/social/start/gone`)).toBe(
        `${host.url}/?social_error=provider_unavailable`,
      );
      expect(await browser.follow(`${host.url}/auth/social/start/nobody`)).toBe(
        `${host.url}/?social_error=unknown_provider`,
      );
      const token = await host.register('t@example.com');
      expect(
        (await host.send('POST', '/auth/social/link', { provider: 'gone' }, token)).status,
      ).toBe(503);
      for (const [error, code] of [
        ['access_denied', 'denied'],
        ['server_error', 'provider_refused'],
      ]) {
        const url = new URL(await browser.goToProvider(`${host.url}/auth/social/start/acme`));
        url.searchParams.delete('code');
        url.searchParams.set('error', error!);
        expect(await browser.follow(url.href)).toBe(`${host.url}/?social_error=${code}`);
      }
      provider.lies.fail = { '/api/v3/user': 502 };
      expect(await visit(host, browser, 'github')).toBe('/?social_error=provider_unavailable');
      provider.lies.fail = { '/api/v3/user/emails': 403 };
      expect(await visit(host, browser, 'github')).toBe('/?social_error=provider_refused');
    });

    test.each([
      '//evil.example.com',
      '/\\evil.example.com',
      'https://evil.example.com',
      '/\t/evil.example.com',
      'javascript:alert(1)',
      'notes',
      '/.//evil.example.com',
    ])('returns from %j to the own origin', async (target) => {
      const host = await start();
      const end = await visit(
        host,
        new Browser(),
        'acme',
        `?return_to=${encodeURIComponent(target)}`,
      );
      expect(end).toMatch(/^\/(?:\/evil\.example\.com)?\?social=login$/);
    });
  });
}
