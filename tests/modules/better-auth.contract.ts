/** What stackyard/better-auth does on every host and database: over HTTP, in production, with a real mail server. */
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { Browser } from './better-auth-browser.ts';
import type { Edit, RunningHost } from './better-auth-hosts.ts';
import { codeOf, type Mailbox } from './better-auth-mailbox.ts';

export const PASSWORD = 'correct horse';
let people = 0;

/** The lines of src/auth.ts that switch on second factors and organizations, without their marks. */
export const SWITCHED_ON: readonly Edit[] = [
  ['// import { organization, twoFactor }', 'import { organization, twoFactor }'],
  ['// twoFactor(),', 'twoFactor(),'],
  ['// user: { deleteUser', 'user: { deleteUser'],
  ...[
    'organization({',
    '  requireEmailVerificationOnInvitation',
    '  allowUserToCreateOrganization',
    '  sendInvitationEmail',
    "    send(email, 'You are invited'",
    '}),\n    ],',
  ].map((line): Edit => [`// ${line}`, line]),
];

/** An address that nobody has yet. */
export function newAddress(): string {
  return `person-${++people}-${process.pid}@example.com`;
}

/** A person who has registered, verified the address and logged in. */
export async function enter(host: RunningHost, mails: Mailbox, email = newAddress()) {
  const browser = new Browser(host.origin);
  await browser.post('/sign-up/email', { name: 'Ann', email, password: PASSWORD });
  await browser.follow(await mails.link(email, 'Confirm your address'));
  const { status } = await browser.post('/sign-in/email', { email, password: PASSWORD });
  expect(status).toBe(200);
  return { browser, email };
}

/** Resets the password of an address as its owner does, from another browser. */
export async function reset(host: RunningHost, mails: Mailbox, email: string, newPassword: string) {
  const owner = new Browser(host.origin);
  await owner.post('/request-password-reset', { email, redirectTo: '/reset' });
  const url = await owner.follow(await mails.link(email, 'Choose a new password'));
  const token = new URL(url).searchParams.get('token');
  expect((await owner.post('/reset-password', { newPassword, token })).status).toBe(200);
  return owner;
}

export function describeBetterAuth(host: () => RunningHost, mails: () => Mailbox): void {
  describe('accounts', () => {
    test('registers, verifies the address, logs in and out', async () => {
      const email = newAddress();
      const browser = new Browser(host().origin);
      const account = { name: 'Ann', email, password: PASSWORD };
      const registered = await browser.post('/sign-up/email', account);
      expect([registered.status, registered.body.token]).toEqual([200, null]);
      const early = await browser.post('/sign-in/email', account);
      expect([early.status, early.body.code]).toEqual([403, 'EMAIL_NOT_VERIFIED']);
      expect((await browser.ask('GET /private')).body.error.code).toBe('session_required');
      await browser.follow(await mails().link(email, 'Confirm your address'));
      const login = await browser.post('/sign-in/email', account);
      expect(login.status).toBe(200);
      const cookie = login.headers['set-cookie']?.join() ?? '';
      expect(cookie).toMatch(/HttpOnly/);
      expect(cookie).toMatch(/SameSite=Lax/);
      const { body } = await browser.ask('GET /private');
      expect(body).toEqual({ id: expect.any(String), email });
      expect((await browser.post('/sign-out')).status).toBe(200);
      expect((await browser.ask('GET /private')).status).toBe(401);
      expect(await browser.user()).toBeUndefined();
    });

    test('answers a taken address as a new one, and sends no second mail', async () => {
      const { email } = await enter(host(), mails());
      const before = mails().count(email);
      const stranger = new Browser(host().origin);
      const json = { name: 'Eve', email, password: 'another horse' };
      const { status, body } = await stranger.post('/sign-up/email', json);
      expect([status, body.token, body.user.email]).toEqual([200, null, email]);
      expect((await stranger.post('/sign-in/email', json)).status).toBe(401);
      expect(mails().count(email)).toBe(before);
    });

    test('a reset ends the sessions and the old password', async () => {
      const { browser, email } = await enter(host(), mails());
      const owner = await reset(host(), mails(), email, 'a new horse');
      expect(await browser.user()).toBeUndefined();
      const old = await owner.post('/sign-in/email', { email, password: PASSWORD });
      expect(old.status).toBe(401);
      const now = await owner.post('/sign-in/email', { email, password: 'a new horse' });
      expect(now.status).toBe(200);
      const link = await mails().link(email, 'Choose a new password');
      expect(await owner.follow(link)).toContain('error=INVALID_TOKEN');
    });

    test('asks for a second factor after the password', async () => {
      const { browser, email } = await enter(host(), mails());
      const { body } = await browser.post('/two-factor/enable', { password: PASSWORD });
      const code = codeOf(body.totpURI);
      expect((await browser.post('/two-factor/verify-totp', { code })).status).toBe(200);
      const other = new Browser(host().origin);
      const login = await other.post('/sign-in/email', { email, password: PASSWORD });
      expect(login.body.twoFactorRedirect).toBe(true);
      expect(await other.user()).toBeUndefined();
      const wrong = code === '000000' ? '000001' : '000000';
      expect((await other.post('/two-factor/verify-totp', { code: wrong })).status).toBe(401);
      const next = codeOf(body.totpURI, Date.now() + 30_000);
      expect((await other.post('/two-factor/verify-totp', { code: next })).status).toBe(200);
      expect((await other.user())?.email).toBe(email);
    });

    test('invites a person into an organization by mail', async () => {
      const { browser } = await enter(host(), mails());
      const slug = `org-${++people}-${process.pid}`;
      const { body: organization } = await browser.post('/organization/create', {
        name: 'Shop',
        slug,
      });
      const invited = newAddress();
      const invitation = { email: invited, role: 'member', organizationId: organization.id };
      const sent = await browser.post('/organization/invite-member', invitation);
      expect(sent.status).toBe(200);
      const link = await mails().link(invited, 'You are invited');
      expect(link).toBe(`${host().origin}/accept-invitation/${sent.body.id}`);
      const { browser: stranger } = await enter(host(), mails());
      const accept = { invitationId: sent.body.id };
      expect((await stranger.post('/organization/accept-invitation', accept)).status).toBe(403);
      const { browser: member } = await enter(host(), mails(), invited);
      expect((await member.post('/organization/accept-invitation', accept)).status).toBe(200);
      const list = await member.ask('GET /api/auth/organization/list');
      expect(list.body.map((one: { slug: string }) => one.slug)).toEqual([slug]);
    });

    test('deletes an account, whose session ends', async () => {
      const { browser, email } = await enter(host(), mails());
      expect((await browser.post('/delete-user', { password: PASSWORD })).status).toBe(200);
      expect((await browser.ask('GET /private')).status).toBe(401);
      const again = await browser.post('/sign-in/email', { email, password: PASSWORD });
      expect(again.status).toBe(401);
    });

    test('refuses requests of another origin, also at routes of the application', async () => {
      const { browser } = await enter(host(), mails());
      const headers = { Origin: 'https://evil.example' };
      expect((await browser.ask('POST /private')).status).toBe(200);
      const answer = await browser.ask('POST /private', { headers });
      expect([answer.status, answer.body.error.code]).toEqual([403, 'untrusted_origin']);
      const crossSite = { Cookie: browser.cookie, 'Sec-Fetch-Site': 'cross-site' };
      expect(await withoutOrigin(host(), '/private', crossSite)).toBe(403);
      const out = await browser.ask('POST /api/auth/sign-out', { json: {}, headers });
      expect([out.status, out.body.code]).toEqual([403, 'INVALID_ORIGIN']);
      const lead = { email: 'a@example.com', redirectTo: 'https://evil.example/reset' };
      expect((await browser.post('/request-password-reset', lead)).status).toBe(403);
    });

    test('limits attempts by the address of the connection, whatever headers claim', async () => {
      const browser = new Browser(host().origin);
      const json = { email: newAddress(), password: PASSWORD };
      const statuses: number[] = [];
      for (let count = 1; count <= 5; count += 1) {
        const address = `10.0.0.${count}`;
        // As behind a proxy, which appends what it sees; Next.js knows no other address.
        const forwarded = `${address}, 203.0.113.7`;
        const headers = { 'X-Forwarded-For': forwarded, 'X-Auth-Client-Address': address };
        statuses.push(
          (await browser.ask('POST /api/auth/sign-in/email', { json, headers })).status,
        );
      }
      expect(statuses).toContain(429);
      expect((await new Browser(host().origin).post('/sign-in/email', json)).status).toBe(401);
    });

    test('answers bodies that are too large or no JSON, and methods and hosts that do not exist', async () => {
      const browser = new Browser(host().origin);
      const headers = { 'Content-Type': 'application/json' };
      const path = 'POST /api/auth/sign-in/email';
      const large = JSON.stringify({ email: 'a@example.com', password: 'x'.repeat(2_000_000) });
      expect((await browser.ask(path, { body: large, headers })).status).toBe(413);
      const chunked = { ...headers, 'Transfer-Encoding': 'chunked' };
      expect((await browser.ask(path, { body: large, headers: chunked })).status).toBe(413);
      for (const body of ['{', 'null', '[]', '"x"', '', '{"email":1}', '{"__proto__":{"a":1}}']) {
        const { status } = await new Browser(host().origin).ask(path, { body, headers });
        expect([body, status]).toEqual([body, 400]);
      }
      for (const line of ['TRACE /api/auth/ok', 'PROPFIND /api/auth/ok', 'GET /api/auth/none'])
        expect((await browser.ask(line)).status).toBeGreaterThanOrEqual(400);
      const strange = await browser.ask('GET /api/auth/ok', { headers: { Host: 'a b' } });
      expect(strange.status).toBeLessThan(500);
      expect((await browser.ask('GET /api/auth/ok')).body).toEqual({ ok: true });
    });
  });
}

/** The status of a `POST` that has no `Origin`, as some clients send it. */
function withoutOrigin(
  { port }: RunningHost,
  path: string,
  headers: Record<string, string>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.on('error', reject).end();
  });
}
