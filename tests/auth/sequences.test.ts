/**
 * Random sequences of requests to the running service on both stores, against a model of a few lines: after
 * each request every token that was ever issued is valid exactly when the model expects it.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PostgresServer, startPostgres } from './postgres-fixture.ts';
import { type BuiltService, type RunningService, buildService } from './service-fixture.ts';

interface Account {
  password: string;
}

interface Session {
  readonly email: string;
  readonly account: Account;
  readonly token: string;
  isOpen: boolean;
}

interface Model {
  /** Keeps the addresses of one sequence apart from those of the others. */
  readonly domain: string;
  readonly accounts: Map<string, Account>;
  readonly sessions: Session[];
}

const name = fc.constantFrom('a', 'b');
const password = fc.constantFrom('password 1', 'password 2');
const pick = fc.nat(20);
const step = fc.oneof(
  fc.record({ type: fc.constantFrom('register', 'login'), name, password }),
  fc.record({ type: fc.constantFrom('logout', 'logout-all', 'delete'), pick }),
  fc.record({ type: fc.constant('password'), pick, password, next: password }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Sent {
  readonly status: number;
  readonly body: { readonly token: string; readonly user: { readonly email: string } };
}

async function send(url: string, method: string, body?: object, token?: string): Promise<Sent> {
  const answer = await fetch(url, {
    method,
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, body: JSON.parse(text === '' ? '{}' : text) as Sent['body'] };
}

async function signIn(
  url: string,
  model: Model,
  each: Extract<Step, { name: string }>,
): Promise<void> {
  const email = `${each.name}@${model.domain}`;
  const answer = await send(`${url}/auth/${each.type}`, 'POST', { email, password: each.password });
  const known = model.accounts.get(email);
  const isLogin = each.type === 'login';
  if (isLogin) expect(answer.status).toBe(known?.password === each.password ? 200 : 401);
  else expect(answer.status).toBe(known === undefined ? 201 : 409);
  if (answer.status >= 300) return;
  const account = known ?? { password: each.password };
  model.accounts.set(email, account);
  model.sessions.push({ email, account, token: answer.body.token, isOpen: true });
}

async function inSession(
  url: string,
  model: Model,
  each: Exclude<Step, { name: string }>,
): Promise<void> {
  const session = model.sessions[each.pick % Math.max(1, model.sessions.length)];
  if (session === undefined) return;
  const { account, email, token, isOpen } = session;
  const closeAll = (): void => {
    for (const other of model.sessions) if (other.account === account) other.isOpen = false;
  };
  if ('next' in each) {
    const body = { current_password: each.password, new_password: each.next };
    const answer = await send(`${url}/auth/password`, 'POST', body, token);
    expect(answer.status).toBe(isOpen ? (account.password === each.password ? 200 : 403) : 401);
    if (answer.status !== 200) return;
    account.password = each.next;
    closeAll();
    model.sessions.push({ email, account, token: answer.body.token, isOpen: true });
    return;
  }
  const isDelete = each.type === 'delete';
  const path = isDelete ? 'me' : each.type;
  const answer = await send(`${url}/auth/${path}`, isDelete ? 'DELETE' : 'POST', undefined, token);
  expect(answer.status).toBe(isOpen ? 204 : 401);
  if (!isOpen) return;
  if (each.type === 'logout') session.isOpen = false;
  else closeAll();
  if (isDelete) model.accounts.delete(email);
}

describe.each(['sqlite', 'postgres'])('with %s', (kind) => {
  let built: BuiltService;
  let postgres: PostgresServer | undefined;
  let service: RunningService;

  beforeAll(async () => {
    built = await buildService();
    if (kind === 'postgres') postgres = await startPostgres();
    const DATABASE_URL =
      (await postgres?.createDatabase('sequences')) ?? 'file:data/sequences.sqlite';
    service = await built.start({ DATABASE_URL, RATE_LIMIT: 'off' });
  });

  afterAll(() => {
    built?.remove();
    postgres?.remove();
  });

  test('every token is valid exactly as long as its session', { timeout: 240_000 }, async () => {
    let runs = 0;
    const sequences = fc.asyncProperty(
      fc.array(step, { minLength: 4, maxLength: 14 }),
      async (steps) => {
        const model: Model = {
          domain: `run${(runs += 1)}.example`,
          accounts: new Map(),
          sessions: [],
        };
        for (const each of steps) {
          await ('name' in each
            ? signIn(service.url, model, each)
            : inSession(service.url, model, each));
          for (const { email, token, isOpen } of model.sessions) {
            const answer = await send(`${service.url}/auth/me`, 'GET', undefined, token);
            expect(answer.status).toBe(isOpen ? 200 : 401);
            if (isOpen) expect(answer.body.user.email).toBe(email);
          }
        }
      },
    );
    // Each step that hashes takes a fifth of a second: few runs, and no search for a smaller failure.
    await fc.assert(sequences, { numRuns: 12, endOnFailure: true });
  });
});
