/** What stackyard/passkeys does, on any host and database, with an authenticator in software; Chromium is in login.long.test.ts. */
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  createPasskeysModule,
  type PasskeysModule,
} from '../../builds/stackyard/passkeys/index.ts';
import { Authenticator, type Tricks } from './authenticator-fixture.ts';
import { type Framework, type LoginHost, startLoginHost, statusesOf } from './login-fixture.ts';

const ORIGIN = 'https://app.example.com';
const ENV = {
  APP_URL: ORIGIN,
  PASSKEY_ORIGINS: 'https://admin.example.com',
  PASSKEY_RP_ID: 'example.com',
};

export function describePasskeys(
  framework: Framework,
  createDatabase?: () => Promise<string>,
): void {
  async function start(
    env: Record<string, string> = ENV,
  ): Promise<{ host: LoginHost; passkeys: PasskeysModule }> {
    const closers: (() => unknown)[] = [];
    onTestFinished(async () => {
      for (const close of closers.toReversed()) await close();
    });
    let passkeys: PasskeysModule | undefined;
    const create = (parts: Parameters<typeof createPasskeysModule>[0]) => [
      (passkeys = createPasskeysModule(parts)),
    ];
    const postgresUrl = await createDatabase?.();
    const host = await startLoginHost(
      { framework, create, env, ...(postgresUrl !== undefined && { postgresUrl }) },
      closers,
    );
    return { host, passkeys: passkeys! };
  }

  async function options({ send }: LoginHost, path: string, token?: string) {
    const { status, body } = await send('POST', `/auth/passkeys${path}/options`, undefined, token);
    expect(status).toBe(200);
    return body.options;
  }

  async function add(
    host: LoginHost,
    token: string,
    authenticator: Authenticator,
    tricks?: Tricks,
    name?: string,
  ) {
    const response = authenticator.create(await options(host, '', token), tricks);
    return host.send(
      'POST',
      '/auth/passkeys',
      { response, ...(name !== undefined && { name }) },
      token,
    );
  }

  const logIn = async (host: LoginHost, authenticator: Authenticator, tricks?: Tricks) =>
    host.send('POST', '/auth/passkeys/login', {
      response: authenticator.get(await options(host, '/login'), tricks),
    });

  describe(`stackyard/passkeys on ${framework}, ${createDatabase ? 'PostgreSQL' : 'SQLite'}`, () => {
    test('adds a passkey, logs in with it, renames and deletes it', async () => {
      const { host, passkeys } = await start();
      const { send } = host;
      const token = await host.register('a@example.com');
      const authenticator = new Authenticator(ORIGIN);
      const asked = await options(host, '', token);
      expect(asked).toMatchObject({
        rp: { id: 'example.com', name: 'example.com' },
        user: { name: 'a@example.com' },
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        excludeCredentials: [],
      });
      const added = await add(host, token, authenticator);
      const { id } = added.body.passkey;
      expect([added.status, added.body.passkey]).toEqual([
        201,
        {
          id: authenticator.id.toString('base64url'),
          name: 'Passkey 1',
          created_at: expect.any(String),
          last_used_at: null,
          synced: true,
          backed_up: true,
        },
      ]);
      expect(await options(host, '/login')).toMatchObject({
        rpId: 'example.com',
        userVerification: 'required',
      });
      const login = await logIn(host, authenticator, {
        origin: 'https://admin.example.com',
        backedUp: false,
      });
      expect([login.status, login.body.user.email]).toEqual([200, 'a@example.com']);
      expect((await send('GET', '/auth/me', undefined, login.body.token)).status).toBe(200);
      const renamed = await send(
        'PATCH',
        `/auth/passkeys/${id}`,
        { name: ' My \u202Ephone ' },
        token,
      );
      expect(renamed.body.passkey).toMatchObject({
        name: 'My phone',
        backed_up: false,
        last_used_at: expect.any(String),
      });
      expect((await send('GET', '/auth/passkeys', undefined, token)).body.passkeys).toHaveLength(1);
      expect(await passkeys.hasPasskey(1)).toBe(true);
      expect((await send('DELETE', `/auth/passkeys/${id}`, undefined, token)).status).toBe(204);
      expect((await send('DELETE', `/auth/passkeys/${id}`, undefined, token)).code).toBe(
        'passkey_not_found',
      );
      expect((await logIn(host, authenticator)).code).toBe('passkey_refused');
    });

    test('an account has one handle for all its passkeys, and each of them once', async () => {
      const { host } = await start();
      const token = await host.register('a@example.com');
      const first = new Authenticator(ORIGIN);
      const handle = (await options(host, '', token)).user.id;
      const begun = await options(host, '', token);
      expect(begun.user.id).not.toBe(handle);
      await host.send(
        'POST',
        '/auth/passkeys',
        { response: first.create(begun), name: 'Key' },
        token,
      );
      const next = await options(host, '', token);
      expect([next.user.id, next.excludeCredentials]).toEqual([
        begun.user.id,
        [
          {
            id: first.id.toString('base64url'),
            transports: ['internal', 'hybrid'],
            type: 'public-key',
          },
        ],
      ]);
      expect((await add(host, token, first)).code).toBe('passkey_taken');
      const other = await host.register('b@example.com');
      expect((await add(host, other, first)).code).toBe('passkey_taken');
    });

    const refused: [string, Tricks][] = [
      ['another origin', { origin: 'https://evil.example.net' }],
      ['a page below the domain that is not listed', { origin: 'https://blog.example.com' }],
      ['another domain', { rpId: 'example.net' }],
      ['the other ceremony', { type: 'x' }],
      ['a challenge of its own', { challenge: 'AAAA' }],
      ['no person', { isPresent: false }],
      ['no finger, face or PIN', { isVerified: false }],
      ['flags that contradict each other', { backupEligible: false, backedUp: true }],
    ];
    test.each(refused)('refuses %s', async (_, tricks) => {
      const { host } = await start();
      const token = await host.register('a@example.com');
      const authenticator = new Authenticator(ORIGIN);
      expect((await add(host, token, authenticator, tricks)).code).toBe('invalid_passkey');
      expect((await add(host, token, authenticator)).status).toBe(201);
      expect((await logIn(host, authenticator, tricks)).code).toBe('passkey_refused');
      expect((await logIn(host, authenticator)).status).toBe(200);
    });

    test.each<[string, Tricks]>([
      ['another key', { otherKey: true }],
      ['the handle of someone else', { userHandle: 'AAAA' }],
      ['no handle', { userHandle: '' }],
      ['a key that could not be copied before', { backupEligible: false, backedUp: false }],
      ['a count that went back', { counter: 1 }],
      ['an id that is not there', { extra: { id: 'AAAA', rawId: 'AAAA' } }],
    ])('refuses a login with %s', async (_, tricks) => {
      const { host } = await start();
      const authenticator = new Authenticator(ORIGIN);
      await add(host, await host.register('a@example.com'), authenticator);
      const answer = await logIn(host, authenticator, tricks);
      expect([answer.status, answer.code]).toEqual([401, 'passkey_refused']);
      expect((await logIn(host, authenticator)).status).toBe(200);
    });

    test('takes authenticators that do not count', async () => {
      const { host } = await start();
      const authenticator = new Authenticator(ORIGIN, false);
      await add(host, await host.register('a@example.com'), authenticator, {
        backupEligible: false,
        backedUp: false,
      });
      const once = { backupEligible: false, backedUp: false };
      expect([
        (await logIn(host, authenticator, once)).status,
        (await logIn(host, authenticator, once)).status,
      ]).toEqual([200, 200]);
    });

    test('a challenge works once, for its own account and ceremony, and five minutes', async () => {
      const { host } = await start();
      const { send, clock } = host;
      const token = await host.register('a@example.com');
      const other = await host.register('b@example.com');
      const authenticator = new Authenticator(ORIGIN);
      const begun = await options(host, '', token);
      expect(
        (await send('POST', '/auth/passkeys', { response: authenticator.create(begun) }, other))
          .code,
      ).toBe('invalid_passkey');
      expect(
        (await send('POST', '/auth/passkeys', { response: authenticator.create(begun) }, token))
          .status,
      ).toBe(201);
      const asked = await options(host, '/login');
      const responses = [authenticator.get(asked), authenticator.get(asked)];
      const answers = await Promise.all(
        responses.map((response) => send('POST', '/auth/passkeys/login', { response })),
      );
      expect(statusesOf(answers)).toEqual([200, 401]);
      const ofRegistration = authenticator.get(await options(host, '', token));
      expect((await send('POST', '/auth/passkeys/login', { response: ofRegistration })).code).toBe(
        'passkey_refused',
      );
      const ofLogin = new Authenticator(ORIGIN).create({
        ...(await options(host, '', token)),
        ...(await options(host, '/login')),
      });
      expect((await send('POST', '/auth/passkeys', { response: ofLogin }, token)).code).toBe(
        'invalid_passkey',
      );
      const late = authenticator.get(await options(host, '/login'));
      clock.now += 300_001;
      expect((await send('POST', '/auth/passkeys/login', { response: late })).code).toBe(
        'passkey_refused',
      );
    });

    test('of two logins with one count one succeeds', async () => {
      const { host } = await start();
      const authenticator = new Authenticator(ORIGIN);
      await add(host, await host.register('a@example.com'), authenticator);
      const asked = [await options(host, '/login'), await options(host, '/login')];
      const answers = await Promise.all(
        asked.map((one) =>
          host.send('POST', '/auth/passkeys/login', {
            response: authenticator.get(one, { counter: 9 }),
          }),
        ),
      );
      expect(statusesOf(answers)).toEqual([200, 401]);
    });

    test('refuses bodies of other forms, old sessions and accounts of others', async () => {
      const { host, passkeys } = await start();
      const { send, clock } = host;
      const token = await host.register('a@example.com');
      const authenticator = new Authenticator(ORIGIN);
      await add(host, token, authenticator);
      const id = authenticator.id.toString('base64url');
      for (const body of [
        {},
        { response: {} },
        { response: { id: 'a', rawId: 'a', type: 'b', response: { clientDataJSON: 1 } } },
      ]) {
        expect((await send('POST', '/auth/passkeys', body, token)).code).toBe('invalid_request');
        expect((await send('POST', '/auth/passkeys/login', body)).code).toBe('invalid_request');
      }
      const clientDataJSON = Buffer.from('null').toString('base64url');
      const broken = {
        id: 'a',
        rawId: 'a',
        type: 'b',
        response: { clientDataJSON, authenticatorData: '', signature: '' },
      };
      expect((await send('POST', '/auth/passkeys/login', { response: broken })).code).toBe(
        'passkey_refused',
      );
      for (const name of ['', ' \n ', 'x'.repeat(101)]) {
        expect((await send('PATCH', `/auth/passkeys/${id}`, { name }, token)).code).toBe(
          'invalid_request',
        );
      }
      const other = await host.register('b@example.com');
      expect((await send('PATCH', `/auth/passkeys/${id}`, { name: 'mine' }, other)).status).toBe(
        404,
      );
      expect((await send('DELETE', `/auth/passkeys/${id}`, undefined, other)).status).toBe(404);
      clock.now += 901_000;
      expect((await send('POST', '/auth/passkeys/options', undefined, other)).code).toBe(
        'recent_login_required',
      );
      const { body } = await logIn(host, authenticator);
      expect((await send('DELETE', '/auth/me', undefined, body.token)).status).toBe(204);
      expect([await passkeys.hasPasskey(1), (await logIn(host, authenticator)).status]).toEqual([
        false,
        401,
      ]);
    });
  });
}
