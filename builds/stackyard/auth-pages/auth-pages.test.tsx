// The pages in a DOM, with answers of the API that a test makes. Runs in a project with stackyard/react-app.

import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const TIME = '2026-11-26T09:00:00.000Z';
const USER = { id: 'u1', name: 'Ann', email: 'a@example.com', emailVerified: true, createdAt: TIME, updatedAt: TIME };
const SESSION = { user: USER, session: { id: 's1', token: 't', userId: 'u1', expiresAt: '2999-01-01T00:00:00.000Z' } };
const LOGGED_IN = { redirect: false, user: USER };
type Answers = Record<string, readonly [status: number, body: unknown]>;

beforeEach(() => {
  // The session and the features are those of the page: each test has a new one.
  vi.resetModules();
  history.replaceState(null, '', '/');
  vi.stubGlobal('scrollTo', () => {});
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** Opens a page of an application whose API answers so, and returns the requests. */
async function open(path: string, answers: Answers, features: object = {}) {
  const sent: { line: string; body: unknown }[] = [];
  const all: Answers = { 'GET /get-session': [200, null], 'GET /features': [200, features], ...answers };
  vi.stubGlobal('fetch', async (url: string | URL, { method = 'GET', body }: RequestInit = {}) => {
    const line = `${method} ${new URL(url, location.href).pathname.replace('/api/auth', '')}`;
    sent.push({ line, body: typeof body === 'string' ? JSON.parse(body) : undefined });
    const [status, answer] = all[line] ?? [404, { code: 'NOT_FOUND', message: line }];
    if (status === 0) throw new TypeError('Failed to fetch');
    if (answer === LOGGED_IN) all['GET /get-session'] = [200, SESSION];
    return Response.json(answer, { status });
  });
  const { authPages } = await import('./index.js');
  const pages = [{ index: true, element: <p>Start</p> }, authPages, { path: '/orders', element: <p>Orders</p> }];
  const router = createMemoryRouter(pages, { initialEntries: [path] });
  render(<RouterProvider router={router} />);
  return { sent, router };
}

async function fill(values: Readonly<Record<string, string>>, button: string) {
  for (const [label, value] of Object.entries(values)) {
    fireEvent.change(await screen.findByLabelText(label), { target: { value } });
  }
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
  const { sent, router } = await open(path, { 'POST /sign-in/email': [200, LOGGED_IN] });
  await fill(LOGIN, 'Log in');
  await waitFor(() => expect(router.state.location.pathname).toBe(end));
  expect(sent).toContainEqual({
    line: 'POST /sign-in/email',
    body: { email: USER.email, password: 'correct horse' },
  });
});

test('a refusal is said', async () => {
  const refusal = { code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Invalid email or password' };
  await open('/login', { 'POST /sign-in/email': [401, refusal] });
  await fill(LOGIN, 'Log in');
  expect((await screen.findByRole('alert')).textContent).toBe('Invalid email or password');
});

test('a login without a connection says so', async () => {
  await open('/login', { 'POST /sign-in/email': [0, null] });
  await fill(LOGIN, 'Log in');
  expect((await screen.findByRole('alert')).textContent).toContain('cannot be reached');
});

test('a second factor is asked for, and a wrong code can be typed again', async () => {
  const answers: Answers = {
    'POST /sign-in/email': [200, { twoFactorRedirect: true, twoFactorMethods: ['totp'] }],
    'POST /two-factor/verify-totp': [401, { code: 'INVALID_CODE', message: 'Invalid code' }],
  };
  const { sent, router } = await open('/login', answers);
  await fill(LOGIN, 'Log in');
  await fill({ 'Code of the app': '111111' }, 'Continue');
  expect(await screen.findByText('Invalid code')).toBeDefined();
  expect(sent).toContainEqual({ line: 'POST /two-factor/verify-totp', body: { code: '111111' } });
  expect(router.state.location.pathname).toBe('/login');
});

test('an account that must be verified first gets the mail again', async () => {
  const refusal = { code: 'EMAIL_NOT_VERIFIED', message: 'Email not verified' };
  const answers: Answers = {
    'POST /sign-in/email': [403, refusal],
    'POST /send-verification-email': [200, { status: true }],
  };
  const { sent } = await open('/login', answers);
  await fill(LOGIN, 'Log in');
  expect(await screen.findByText(/A mail is on its way/)).toBeDefined();
  const body = { email: USER.email, callbackURL: '/verify-email' };
  expect(sent).toContainEqual({ line: 'POST /send-verification-email', body });
});

test('shows what the API has, and nothing else', async () => {
  await open('/login', {}, { mail: true, providers: ['google'] });
  expect(await screen.findByRole('button', { name: 'Continue with Google' })).toBeDefined();
  expect(screen.getByText('Forgot your password?')).toBeDefined();
  cleanup();
  vi.resetModules();
  const { sent } = await open('/login', {});
  await waitFor(() => expect(sent.map(({ line }) => line)).toContain('GET /features'));
  await screen.findByLabelText('E-mail');
  const buttons = screen.getAllByRole('button').map(({ textContent }) => textContent);
  expect([screen.queryByText('Forgot your password?'), buttons]).toEqual([null, ['Log in']]);
});

test('the account page has what the API has', async () => {
  const answers: Answers = { 'GET /get-session': [200, SESSION] };
  await open('/account', answers, { twoFactor: true });
  await screen.findByRole('heading', { name: 'Second factor' });
  const titles = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
  expect(titles).toEqual(['Password', 'Second factor']);
});

test('the account page is for those who are logged in', async () => {
  const { router } = await open('/account', {});
  const address = () => router.state.location.pathname + router.state.location.search;
  await waitFor(() => expect(address()).toBe('/login?next=%2Faccount'));
});

test.each([
  ['', 'Your address is verified.'],
  ['?error=TOKEN_EXPIRED', 'This link does not work any more. Log in to get another one.'],
])('a link that the API has read, with "%s"', async (search, text) => {
  history.replaceState(null, '', `/verify-email${search}`);
  await open(`/verify-email${search}`, {});
  expect(await screen.findByText(text)).toBeDefined();
});

test('the token of a mail leaves the address', async () => {
  history.replaceState(null, '', '/reset-password?token=secret');
  const { sent } = await open('/reset-password?token=secret', { 'POST /reset-password': [200, { status: true }] });
  await screen.findByLabelText('New password');
  expect(location.search).toBe('');
  await fill({ 'New password': 'battery staple' }, 'Change the password');
  expect(await screen.findByText(/Your password is changed/)).toBeDefined();
  expect(sent).toContainEqual({
    line: 'POST /reset-password',
    body: { token: 'secret', newPassword: 'battery staple' },
  });
});
