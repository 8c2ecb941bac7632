/** What stackyard/totp does, on any host and database. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { createTotpModule, type TotpModule } from '../../builds/stackyard/totp/index.ts';
import { codeOfStep, stepAt } from '../../builds/stackyard/totp/totp.ts';
import {
  type Framework,
  type LoginHost,
  PASSWORD,
  startLoginHost,
  statusesOf,
} from './login-fixture.ts';

const STEP_MS = 30_000;
const EMAIL = 'a@example.com';

export function describeTotp(framework: Framework, createDatabase?: () => Promise<string>): void {
  async function start(
    env: Record<string, string> = {},
  ): Promise<{ host: LoginHost; totp: TotpModule }> {
    const closers: (() => unknown)[] = [];
    onTestFinished(async () => {
      for (const close of closers.toReversed()) await close();
    });
    let totp: TotpModule | undefined;
    const create = (parts: Parameters<typeof createTotpModule>[0]) => [
      (totp = createTotpModule(parts)),
    ];
    const postgresUrl = await createDatabase?.();
    const host = await startLoginHost(
      { framework, create, env, ...(postgresUrl !== undefined && { postgresUrl }) },
      closers,
    );
    return { host, totp: totp! };
  }

  /** An account with a second factor, whose first code was that of the present step. */
  async function enable({ send, register, clock }: LoginHost) {
    const token = await register(EMAIL);
    const begun = await send('POST', '/auth/totp', undefined, token);
    const secret = fromBase32(begun.body.secret);
    const codeAt = (shift = 0): string => codeOfStep(secret, stepAt(clock.now) + shift);
    const { status, body } = await send('POST', '/auth/totp/confirm', { code: codeAt() }, token);
    expect([begun.status, status]).toEqual([200, 200]);
    return { token, begun: begun.body, codeAt, codes: body.recovery_codes as string[] };
  }

  async function challenge({ send }: LoginHost): Promise<string> {
    const { status, body } = await send('POST', '/auth/login', {
      email: EMAIL,
      password: PASSWORD,
    });
    expect([status, body.secondFactor, body.token]).toEqual([200, ['totp'], undefined]);
    return body.challenge;
  }

  describe(`stackyard/totp on ${framework}, ${createDatabase ? 'PostgreSQL' : 'SQLite'}`, () => {
    test('counts once it is confirmed, and then a login needs a code', async () => {
      const { host, totp } = await start({ APP_URL: 'https://shop.example.com' });
      const { send, clock } = host;
      const early = await host.register('b@example.com');
      await send('POST', '/auth/totp', undefined, early);
      expect(
        (await send('POST', '/auth/login', { email: 'b@example.com', password: PASSWORD })).body
          .token,
      ).toEqual(expect.any(String));
      const { token, begun, codeAt, codes } = await enable(host);
      expect(begun.uri).toMatch(
        /^otpauth:\/\/totp\/shop\.example\.com:a%40example\.com\?secret=[A-Z2-7]{32}&issuer=/,
      );
      expect(begun.qr_svg).toMatch(/^<svg [^]*<\/svg>$/);
      expect([codes.length, new Set(codes).size]).toEqual([10, 10]);
      expect((await send('GET', '/auth/totp', undefined, token)).body).toEqual({
        enabled: true,
        recovery_codes_left: 10,
      });
      expect([await totp.isEnabled(1), await totp.isEnabled(2)]).toEqual([false, true]);
      clock.now += STEP_MS;
      const login = await send('POST', '/auth/totp/login', {
        challenge: await challenge(host),
        code: codeAt(),
      });
      expect(login.status).toBe(200);
      expect((await send('GET', '/auth/me', undefined, login.body.token)).body.user.email).toBe(
        EMAIL,
      );
      expect((await send('POST', '/auth/totp', undefined, token)).code).toBe('totp_enabled');
      expect((await send('POST', '/auth/totp/confirm', { code: codeAt(1) }, token)).code).toBe(
        'totp_enabled',
      );
    });

    test('takes codes of one step before and after, each once and in order', async () => {
      const { host } = await start();
      const { codeAt } = await enable(host);
      const { send, clock } = host;
      const log = async (code: string) =>
        (await send('POST', '/auth/totp/login', { challenge: await challenge(host), code })).code ??
        'in';
      expect(await log(codeAt())).toBe('invalid_code');
      clock.now += 4 * STEP_MS;
      expect(await log(codeAt(2))).toBe('invalid_code');
      expect(await log(codeAt(-2))).toBe('invalid_code');
      expect(await log(codeAt(-1))).toBe('in');
      expect(await log(codeAt(1))).toBe('in');
      // Earlier than one that was used.
      expect(await log(codeAt())).toBe('invalid_code');
    });

    test('a challenge allows another try, and one login', async () => {
      const { host } = await start();
      const { codeAt, codes } = await enable(host);
      const { send, clock } = host;
      clock.now += STEP_MS;
      const once = await challenge(host);
      const wrong = await send('POST', '/auth/totp/login', { challenge: once, code: '000000' });
      expect([wrong.status, wrong.code]).toEqual([403, 'invalid_code']);
      const many = await Promise.all(
        [codeAt(), codes[0], codes[1]].map((code) =>
          send('POST', '/auth/totp/login', { challenge: once, code: code! }),
        ),
      );
      expect(many.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(
        (await send('POST', '/auth/totp/login', { challenge: once, code: codes[2]! })).status,
      ).toBe(401);
      for (const bad of ['', 'x', once.slice(0, -2)]) {
        expect(
          (await send('POST', '/auth/totp/login', { challenge: bad, code: codeAt(1) })).status,
        ).toBe(401);
      }
    });

    test('of many requests with one code one is let in', async () => {
      const { host } = await start();
      const { codeAt } = await enable(host);
      host.clock.now += STEP_MS;
      const code = codeAt();
      const challenges = [
        await challenge(host),
        await challenge(host),
        await challenge(host),
        await challenge(host),
      ];
      const answers = await Promise.all(
        challenges.map((one) => host.send('POST', '/auth/totp/login', { challenge: one, code })),
      );
      expect(statusesOf(answers)).toEqual([200, 403, 403, 403]);
    });

    test('slows wrong codes down, whatever the session, until only a recovery code is left', async () => {
      const { host } = await start();
      const { send, clock } = host;
      const { token, codeAt, codes } = await enable(host);
      clock.now += STEP_MS;
      const guess = async (code: string) =>
        send('POST', '/auth/totp/login', { challenge: await challenge(host), code });
      const first = await Promise.all(Array.from({ length: 8 }, () => guess('000000')));
      expect(first.map(({ code = '' }) => code).toSorted((a, b) => a.localeCompare(b))).toEqual([
        ...Array(5).fill('invalid_code'),
        ...Array(3).fill('rate_limited'),
      ]);
      const late = await guess(codeAt());
      expect([late.status, Number(late.headers.get('retry-after'))]).toEqual([
        429,
        expect.closeTo(60, -1),
      ]);
      // Another way to ask is no way around it.
      expect((await send('POST', '/auth/totp/disable', { code: codeAt() }, token)).code).toBe(
        'rate_limited',
      );
      for (let count = 5; count < 100; count++) {
        clock.now += 3_600_001;
        expect((await guess('000000')).code).toBe('invalid_code');
      }
      clock.now += 86_400_000;
      expect((await guess(codeAt())).code).toBe('code_locked');
      expect((await guess(codes[0]!)).status).toBe(200);
      expect((await guess(codeAt())).status).toBe(200);
    });

    test('recovery codes work once, in any spelling, and are replaced together', async () => {
      const { host } = await start();
      const { send, clock } = host;
      const { token, codeAt, codes } = await enable(host);
      const use = async (code: string) =>
        (await send('POST', '/auth/totp/login', { challenge: await challenge(host), code })).status;
      expect(await use(codes[0]!.toUpperCase().replaceAll('-', ' '))).toBe(200);
      expect(await use(codes[0]!)).toBe(403);
      expect((await send('GET', '/auth/totp', undefined, token)).body.recovery_codes_left).toBe(9);
      clock.now += STEP_MS;
      const replaced = await send('POST', '/auth/totp/recovery-codes', { code: codeAt() }, token);
      expect(replaced.body.recovery_codes).toHaveLength(10);
      expect([await use(codes[1]!), await use(replaced.body.recovery_codes[1])]).toEqual([
        403, 200,
      ]);
    });

    test('is disabled for a code or the password, not for a session alone', async () => {
      const { host } = await start();
      const { send, clock } = host;
      const { token, codeAt } = await enable(host);
      const disable = (body: object) => send('POST', '/auth/totp/disable', body, token);
      expect([
        (await disable({})).status,
        (await disable({ password: 'wrong horse' })).code,
        (await disable({ code: '123' })).code,
      ]).toEqual([400, 'wrong_password', 'invalid_code']);
      clock.now += STEP_MS;
      expect((await disable({ code: codeAt() })).status).toBe(204);
      expect((await disable({ code: codeAt(1) })).code).toBe('totp_not_enabled');
      const { body } = await send('POST', '/auth/login', { email: EMAIL, password: PASSWORD });
      expect(body.token).toEqual(expect.any(String));
      await send('POST', '/auth/totp', undefined, token);
      expect((await disable({ password: PASSWORD })).code).toBe('totp_not_enabled');
    });

    test('an old session cannot set up a second factor; a deleted account leaves none', async () => {
      const { host, totp } = await start();
      const { send, clock } = host;
      const { token } = await enable(host);
      expect((await send('DELETE', '/auth/me', undefined, token)).status).toBe(204);
      expect(await totp.isEnabled(1)).toBe(false);
      const other = await host.register('b@example.com');
      clock.now += 901_000;
      const refused = await send('POST', '/auth/totp', undefined, other);
      expect([refused.status, refused.code]).toEqual([403, 'recent_login_required']);
      expect((await send('POST', '/auth/totp')).status).toBe(401);
    });
  });
}

export function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
