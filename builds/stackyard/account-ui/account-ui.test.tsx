// The pages in a DOM, with answers of the API that a test makes. Runs in a project with the packages of stackyard/react-app.

import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const USER = { id: 1, email: 'a@example.com', created_at: '2026-11-26T09:00:00.000Z' };
const REFUSED = [401, { error: { status: 401, code: 'missing_token', message: 'Missing bearer token' } }] as const;
type Answers = Record<string, readonly [status: number, body?: object]>;

beforeEach(() => {
  // The session and the features are those of the page: each test has a new one.
  vi.resetModules();
  vi.stubGlobal('scrollTo', () => {});
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** Opens a page of an application whose API answers so, and returns the requests. */
async function open(path: string, answers: Answers, features: readonly string[] = []) {
  const sent: { line: string; body: unknown; session: string | null }[] = [];
  const all: Answers = { 'GET /features': [200, { paths: features }], 'GET /me': REFUSED, ...answers };
  vi.stubGlobal('fetch', async (url: string, { method, headers, body }: RequestInit) => {
    const line = `${method} ${url.replace('/auth', '')}`;
    sent.push({ line, body: typeof body === 'string' ? JSON.parse(body) : undefined, session: new Headers(headers).get('X-Session') });
    const [status, answer] = all[line] ?? [404, { error: { code: 'not_found', message: line } }];
    return new Response(answer && JSON.stringify(answer), { status });
  });
  const { accountPages } = await import('./index.js');
  const router = createMemoryRouter([{ index: true, element: <p>Start</p> }, accountPages, { path: '/orders', element: <p>Orders</p> }], { initialEntries: [path] });
  render(<RouterProvider router={router} />);
  return { sent, router };
}

async function fill(values: Readonly<Record<string, string>>, button: string) {
  for (const [label, value] of Object.entries(values)) fireEvent.change(await screen.findByLabelText(label), { target: { value } });
  fireEvent.submit(screen.getByRole('button', { name: button }).closest('form')!);
}

const LOGIN = { 'E-mail': USER.email, Password: 'correct horse' };

test.each([
  ['/login', '/'],
  ['/login?next=%2Forders', '/orders'],
  ['/login?next=%2F%2Fevil.example', '/'],
  ['/login?next=%2F%5Cevil.example', '/'],
  ['/login?next=https%3A%2F%2Fevil.example', '/'],
])('%s leads to %s after the login', async (path, end) => {
  const { sent, router } = await open(path, { 'POST /login': [200, { user: USER }] });
  await fill(LOGIN, 'Log in');
  await waitFor(() => expect(router.state.location.pathname).toBe(end));
  expect(sent).toContainEqual({ line: 'POST /login', body: { email: USER.email, password: 'correct horse' }, session: 'cookie' });
});

test('a refusal is said, and one about a field stands beside it', async () => {
  await open('/register', { 'POST /register': [409, { error: { code: 'email_taken', message: 'Email is already registered' } }] });
  await fill(LOGIN, 'Create account');
  const input = await screen.findByLabelText<HTMLInputElement>('E-mail');
  await waitFor(() => expect(document.activeElement).toBe(input));
  expect(document.getElementById(input.getAttribute('aria-describedby')!)?.textContent).toBe('Email is already registered');
});

test('a login without a connection says so', async () => {
  await open('/login', {});
  await screen.findByLabelText('E-mail');
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await fill(LOGIN, 'Log in');
  expect((await screen.findByRole('alert')).textContent).toContain('cannot be reached');
});

test('a second factor is asked for, and a wrong code can be typed again', async () => {
  const answers: Answers = {
    'POST /login': [200, { secondFactor: ['totp'], challenge: 'c1' }],
    'POST /totp/login': [403, { error: { code: 'invalid_code', message: 'The code is wrong' } }],
  };
  const { sent, router } = await open('/login?next=%2Forders', answers);
  await fill(LOGIN, 'Log in');
  await fill({ Code: '111111' }, 'Continue');
  expect(await screen.findByText('The code is wrong')).toBeDefined();
  expect(sent.at(-1)).toEqual({ line: 'POST /totp/login', body: { challenge: 'c1', code: '111111' }, session: 'cookie' });
  expect(router.state.location.pathname).toBe('/login');
});

test('shows what the API has, and nothing else', async () => {
  const providers = [{ name: 'google', label: 'Google', start: '/auth/social/start/google' }];
  await open('/login?next=%2Forders', { 'GET /social': [200, { providers }] }, ['/social', '/password-reset']);
  const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Continue with Google' });
  expect(link.getAttribute('href')).toBe('/auth/social/start/google?session=cookie&return_to=%2Flogin%3Fnext%3D%252Forders');
  expect(await screen.findByText('Forgot your password?')).toBeDefined();
  cleanup();
  vi.resetModules();
  await open('/login', {});
  await screen.findByLabelText('E-mail');
  expect([screen.queryByText('Forgot your password?'), screen.queryByText('or')]).toEqual([null, null]);
});

test('the account page is for those who are logged in', async () => {
  const { router } = await open('/account', {});
  await waitFor(() => expect(router.state.location.pathname + router.state.location.search).toBe('/login?next=%2Faccount'));
});

test('a session can be ended, the present one by logging out', async () => {
  const session = (id: string, current: boolean) => ({ id, device: 'Mozilla/5.0 (X11; Linux) Firefox/150.0', created_at: USER.created_at, expires_at: USER.created_at, current });
  const answers: Answers = {
    'GET /me': [200, { user: USER }],
    'GET /sessions': [200, { sessions: [session('s1', true), session('s/2', false)] }],
    'DELETE /sessions/s%2F2': [204],
  };
  const { sent } = await open('/account', answers, ['/sessions', '/password']);
  fireEvent.click(await screen.findByRole('button', { name: /^End the session of Firefox on Linux/ }));
  await waitFor(() => expect(sent.filter(({ line }) => line === 'GET /sessions')).toHaveLength(2));
  expect(sent.map(({ line }) => line)).toContain('DELETE /sessions/s%2F2');
});

test('the token of a mail leaves the address', async () => {
  const { sent, router } = await open('/reset-password?token=secret', { 'POST /password-reset/confirm': [204] });
  await waitFor(() => expect(router.state.location.search).toBe(''));
  await fill({ 'New password': 'battery staple' }, 'Change the password');
  expect(await screen.findByText(/Your password is changed/)).toBeDefined();
  expect(router.state.location.search).toBe('?notice=reset');
  expect(sent.find(({ line }) => line.startsWith('POST'))?.body).toEqual({ token: 'secret', new_password: 'battery staple' });
});
