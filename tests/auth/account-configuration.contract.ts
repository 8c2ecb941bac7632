// Rows C1 to C7 of the account API: what the environment variables do.

import { jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import {
  type Contract,
  createAccount,
  expectInvalidToken,
  forge,
  login,
  me,
  PASSWORD,
  readToken,
  register,
  SECRET,
  send,
  withHost,
} from './account-request.contract.ts';

const SHORT_SECRET = 'much-too-short';
const WRONG_TTLS = ['abc', '0', '-1', '1.5', '1e3', '60s', '0x10', 'Infinity', '1234567890123'];

export function describeConfiguration({ host, startHost, traits }: Contract): void {
  describe('configuration', () => {
    const ready = traits.isService ? ', and /ready reports it' : '';
    test.runIf(traits.refusesStart)(
      'C1 in production without a secret the start is refused',
      async () => {
        const secrets = [{}, { JWT_SECRET: '' }, { JWT_SECRET: ' \t' }];
        await atOnce(secrets, async (env) => {
          const refusal = await refusalOf({ NODE_ENV: 'production', ...env });
          expect(refusal).toContain('JWT_SECRET: is not set');
          expect(refusal).not.toMatch(/\n\s+at |Traceback/);
        });
      },
    );

    test.skipIf(traits.refusesStart)(
      `C1 in production without a secret no token is issued or accepted${ready}`,
      async () => {
        await atOnce([{}, { JWT_SECRET: '' }, { JWT_SECRET: ' \t' }], (env) =>
          withHost(startHost, { NODE_ENV: 'production', ...env }, async (broken) => {
            for (const reply of [await register(broken, 'a@x.co'), await login(broken, 'a@x.co')]) {
              expect([reply.status, reply.body.error]).toEqual([
                500,
                expect.objectContaining({ code: 'internal', message: 'Internal Server Error' }),
              ]);
              expect(reply.text).not.toMatch(/secret/i);
            }
            expect(await broken.query('SELECT id FROM users')).toEqual([]);
            const { token } = await createAccount(host());
            for (const foreign of [token, forge(token, {}, { kid: undefined })])
              expectInvalidToken(await me(broken, foreign));
            expect((await send(`${broken.origin}/health`)).status).toBe(200);
            if (traits.isService) expect((await send(`${broken.origin}/ready`)).status).toBe(503);
            expect(broken.output()).toMatch(/JWT_SECRET is not set/);
          }),
        );
      },
    );

    test('C2 in development without a secret tokens work, with one warning', async () => {
      await atOnce([{ NODE_ENV: 'development' }, { NODE_ENV: 'test' }], (env) =>
        withHost(startHost, env, async (other) => {
          const { token } = await createAccount(other);
          expect((await me(other, token)).status).toBe(200);
          expect(other.output().match(/JWT_SECRET/g)).toHaveLength(1);
        }),
      );
    });

    test('C3 a short secret in production works only if it is allowed; JWT_SECRET_STRICT refuses it', async () => {
      const env = {
        NODE_ENV: 'production',
        JWT_SECRET: SHORT_SECRET,
        JWT_SECRET_ALLOW_SHORT: '1',
      };
      await withHost(startHost, env, async (other) => {
        const { token } = await createAccount(other);
        expect((await me(other, token)).status).toBe(200);
        expect(other.output()).toContain('JWT_SECRET');
        expect(other.output()).not.toContain(SHORT_SECRET);
      });
      const refusal = await refusalOf({ ...env, JWT_SECRET_STRICT: '1' });
      expect(refusal).toContain('JWT_SECRET');
      expect(refusal).not.toContain(SHORT_SECRET);
      const long = { ...env, JWT_SECRET: SECRET, JWT_SECRET_STRICT: '1' };
      await withHost(startHost, long, async (other) => {
        await createAccount(other);
        expect(other.output()).not.toContain('JWT_SECRET');
      });
    });

    test('C3 a short secret in production is not used by default', async () => {
      const env = { NODE_ENV: 'production', JWT_SECRET: SHORT_SECRET };
      if (traits.isService || traits.refusesStart) {
        const refusal = await refusalOf(env);
        expect(refusal).toMatch(/JWT_SECRET: .*use at least 32 random bytes/);
        expect(refusal).not.toContain(SHORT_SECRET);
        return;
      }
      await withHost(startHost, env, async (other) => {
        expect((await register(other, 'a@x.co')).status).toBe(500);
        expect(await other.query('SELECT id FROM users')).toEqual([]);
        expect(other.output()).toContain(`JWT_SECRET has ${SHORT_SECRET.length} bytes`);
        expect(other.output()).not.toContain(SHORT_SECRET);
      });
    });

    test('C4 without JWT_TTL_SECONDS, or with an empty one, tokens live for 7 days', async () => {
      await atOnce([{}, { JWT_TTL_SECONDS: '' }], (env) =>
        withHost(startHost, { JWT_SECRET: SECRET, ...env }, async (other) => {
          const { token } = await createAccount(other);
          const [, { iat, exp }] = readToken(token);
          expect(Number(exp) - Number(iat)).toBe(604_800);
        }),
      );
    });

    test('C5 an invalid JWT_TTL_SECONDS prevents the start', async () => {
      await atOnce(WRONG_TTLS, async (value) => {
        const refusal = await refusalOf({ JWT_SECRET: SECRET, JWT_TTL_SECONDS: value });
        expect(refusal, value).toContain('JWT_TTL_SECONDS: ');
        // A list, not a stack.
        expect(refusal, value).not.toMatch(/\n\s+at /);
      });
    });

    test('C6 another library accepts our tokens: the key is the text of the secret', async () => {
      const secret = 'ein Schlüssel 🔑 with more than ASCII in it';
      await withHost(startHost, { JWT_SECRET: secret }, async (other) => {
        const { user, token } = await createAccount(other);
        const key = new TextEncoder().encode(secret);
        const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'] });
        expect(payload.sub).toBe(String(user.id));
        const again = await login(other, user.email, PASSWORD);
        await jwtVerify(again.body.token, key, { algorithms: ['HS256'] });
      });
    });

    test('C7 without NODE_ENV, or with another value, the built-in secret signs nothing', async () => {
      let forged = '';
      await withHost(startHost, { NODE_ENV: 'development' }, async (other) => {
        forged = (await createAccount(other)).token;
        expect((await me(other, forged)).status).toBe(200);
      });
      if (traits.isService || traits.refusesStart) {
        const refusal = await refusalOf({ NODE_ENV: '' });
        expect(refusal).toMatch(/\n {2}JWT_SECRET: is not set, and neither is (?:NODE|APP)_ENV/);
        expect(refusal).not.toMatch(/\n\s+at /);
      }
      if (traits.refusesStart) return;
      const modes = [...(traits.isService ? [] : ['']), 'Development', 'prod'];
      await atOnce(modes, (NODE_ENV) =>
        withHost(startHost, { NODE_ENV }, async (other) => {
          expectInvalidToken(await me(other, forged));
          const gone = await send(`${other.url}/me`, {
            method: 'DELETE',
            headers: ['Authorization', `Bearer ${forged}`],
          });
          expectInvalidToken(gone);
          expect((await register(other, 'a@x.co')).status).toBe(500);
          // The service writes its log after the response.
          await expect
            .poll(() => other.output())
            .toMatch(/Cannot issue a login token.*JWT_SECRET is not set/);
        }),
      );
    });

    /** The output of a host that does not start with these variables. */
    async function refusalOf(env: Readonly<Record<string, string>>): Promise<string> {
      const started = await startHost(env).catch((error: unknown) => String(error));
      if (typeof started === 'string') return started;
      await started.stop();
      return 'It started';
    }
  });
}

/** Runs independent hosts at the same time, because a start is mostly waiting. */
async function atOnce<T>(values: readonly T[], check: (value: T) => Promise<void>): Promise<void> {
  await Promise.all(values.map(check));
}
