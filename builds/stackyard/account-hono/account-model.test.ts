// Random sequences of requests against a model of a few lines: after each of them every token that was ever issued
// must be valid exactly where the model says so.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startApp, type TestApp } from './test-app.js';

interface Account {
  password: string;
}

/** A token, and whether it should still be accepted. */
interface Session {
  readonly email: string;
  readonly account: Account;
  readonly token: string;
  isOpen: boolean;
}

interface Model {
  readonly accounts: Map<string, Account>;
  readonly sessions: Session[];
}

const EMAILS = ['a@x.co', 'b@x.co'] as const;
const PASSWORDS = ['password 1', 'password 2'] as const;

const email = fc.constantFrom(...EMAILS);
const password = fc.constantFrom(...PASSWORDS);
const pick = fc.nat(20);

const step = fc.oneof(
  fc.record({ type: fc.constant('register' as const), email, password }),
  fc.record({ type: fc.constant('login' as const), email, password }),
  fc.record({ type: fc.constant('logout' as const), pick }),
  fc.record({ type: fc.constant('logout-all' as const), pick }),
  fc.record({ type: fc.constant('password' as const), pick, password, next: password }),
  fc.record({ type: fc.constant('delete' as const), pick }),
  fc.record({ type: fc.constant('end' as const), pick, other: pick }),
  fc.record({ type: fc.constant('reset' as const), address: email, next: password }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function open(model: Model, address: string, account: Account, token: string): void {
  model.sessions.push({ email: address, account, token, isOpen: true });
}

function closeAll(model: Model, account: Account): void {
  for (const session of model.sessions) if (session.account === account) session.isOpen = false;
}

async function runSignIn(app: TestApp, model: Model, each: Extract<Step, { email: string }>): Promise<void> {
  const answer = await app.post(`/auth/${each.type}`, { email: each.email, password: each.password });
  const known = model.accounts.get(each.email);
  if (each.type === 'register') {
    expect(answer.status).toBe(known ? 409 : 201);
    if (known) return;
    const account = { password: each.password };
    model.accounts.set(each.email, account);
    open(model, each.email, account, answer.json().token);
    return;
  }
  const isRight = known?.password === each.password;
  expect(answer.status).toBe(isRight ? 200 : 401);
  if (known && isRight) open(model, each.email, known, answer.json().token);
}

async function runReset(app: TestApp, model: Model, each: Extract<Step, { address: string }>): Promise<void> {
  const account = model.accounts.get(each.address);
  const sent = app.mails.length;
  expect((await app.post('/auth/password-reset', { email: each.address })).status).toBe(202);
  await app.recovery.settled();
  expect(app.mails.length - sent).toBe(account ? 1 : 0);
  if (!account) return;
  const body = { token: app.mails[sent]?.token, new_password: each.next };
  expect((await app.post('/auth/password-reset/confirm', body)).status).toBe(204);
  expect((await app.post('/auth/password-reset/confirm', body)).status).toBe(400);
  account.password = each.next;
  closeAll(model, account);
}

async function runEnd(app: TestApp, model: Model, session: Session, other: number): Promise<void> {
  const target = model.sessions[other % model.sessions.length];
  if (!target) return;
  const [, claims = ''] = target.token.split('.');
  const { jti } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { jti: string };
  const headers = { authorization: `Bearer ${session.token}` };
  const answer = await app.send('DELETE', `/auth/sessions/${jti}`, undefined, headers);
  const isOwn = target.account === session.account && target.isOpen;
  expect(answer.status).toBe(!session.isOpen ? 401 : isOwn ? 204 : 404);
  if (session.isOpen && isOwn) target.isOpen = false;
}

async function runInSession(
  app: TestApp,
  model: Model,
  each: Exclude<Step, { email: string } | { address: string }>,
): Promise<void> {
  const session = model.sessions[each.pick % Math.max(1, model.sessions.length)];
  if (!session) return;
  const { account, token } = session;
  if (each.type === 'end') return runEnd(app, model, session, each.other);
  if (each.type === 'password') {
    const body = { current_password: each.password, new_password: each.next };
    const answer = await app.post('/auth/password', body, token);
    const isRight = account.password === each.password;
    expect(answer.status).toBe(session.isOpen ? (isRight ? 200 : 403) : 401);
    if (answer.status !== 200) return;
    account.password = each.next;
    closeAll(model, account);
    open(model, session.email, account, answer.json().token);
    return;
  }
  const [method, path] = each.type === 'delete' ? ['DELETE', '/auth/me'] : ['POST', `/auth/${each.type}`];
  const answer = await app.send(method, path, undefined, { authorization: `Bearer ${token}` });
  expect(answer.status).toBe(session.isOpen ? 204 : 401);
  if (!session.isOpen) return;
  if (each.type === 'logout') session.isOpen = false;
  else closeAll(model, account);
  if (each.type === 'delete') model.accounts.delete(session.email);
}

test('every token is valid exactly as long as its session', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
      const app = await startApp();
      const model: Model = { accounts: new Map(), sessions: [] };
      try {
        for (const each of steps) {
          if ('email' in each) await runSignIn(app, model, each);
          else if ('address' in each) await runReset(app, model, each);
          else await runInSession(app, model, each);
          for (const { token, isOpen, account, email: address } of model.sessions) {
            const answer = await app.get('/auth/me', token);
            expect(answer.status).toBe(isOpen ? 200 : 401);
            if (!isOpen) continue;
            expect(answer.json().user['email']).toBe(address);
            const open = model.sessions.filter((session) => session.account === account && session.isOpen);
            expect((await app.get('/auth/sessions', token)).json().sessions).toHaveLength(open.length);
          }
        }
        expect(app.hostErrors).toEqual([]);
      } finally {
        await app.close();
      }
    }),
    { numRuns: 60 },
  );
});
