/**
 * The pages of accounts in Chromium, in a product that one command has made: an API with accounts, the front end built and
 * served by it, in production. Register, mail, verify, login, logout, reset and the rest, on a desktop and a phone.
 */
import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../../tools/free-port.ts';
import { ourRegistry, runIn } from '../foundations/our-registry.ts';
import { type ServerProcess, startServer } from '../foundations/server-process.ts';
import { openChromium } from '../site/open-chromium.ts';

const BUILDS = join(import.meta.dirname, '../../builds/stackyard');
const PASSWORD = 'correct horse battery';
const OTHER = 'battery staple horse';

/** What the project adds to its API: a mailer that keeps mails, a provider, and a second factor with one code. */
const EXTRAS = `import { accountModule } from './account/index.js';
import { createRecoveryModule } from './account-recovery/index.js';
import { AccountError, jsonAnswer } from './account-core/index.js';

const mails: object[] = [];
const factors = new Set<number>();
const path = (name: string) => ({ get: { summary: name, responses: {} } });

createRecoveryModule(accountModule, {
  link: \`http://localhost:\${process.env['PORT'] ?? 3000}\`,
  sendMail: (mail) => void mails.push(mail),
});

accountModule.onOpen((accounts) => {
  accounts.addSecondFactor({ name: 'totp', isRequired: (id) => factors.has(id) });
  const provider = { name: 'acme', label: 'Acme', start: '/auth/social/start/acme' };
  accounts.addRoutes(
    [
      { path: '/mails', handlers: { GET: async () => jsonAnswer(200, { mails }) } },
      { path: '/factor', handlers: { POST: async (request) => {
        factors.add(((await request.readJson(1000)) as { id: number }).id);
        return jsonAnswer(200, {});
      } } },
      { path: '/totp/login', handlers: { POST: async (request) => {
        const { challenge, code } = (await request.readJson(5000)) as { challenge: string; code: string };
        await accounts.readChallenge(challenge, { keep: true });
        if (code !== '123456') throw new AccountError('wrong_password', { message: 'The code is wrong' });
        return accounts.answerSignIn(await accounts.readChallenge(challenge), request);
      } } },
      { path: '/social', handlers: { GET: async () => jsonAnswer(200, { providers: [provider] }) } },
    ],
    { paths: { '/social': path('Providers'), '/passkeys/login': path('Passkeys') }, schemas: {} },
  );
});
`;

const registry = ourRegistry();
let server: ServerProcess | undefined;
let browser: Browser;
let origin: string;

beforeAll(async () => {
  const builds = 'account,account-recovery@1.0.0,account-ui';
  const command = `new stackyard/express-api shop --with ${builds} --yes --allow all`;
  await registry.stackyard(...command.split(' '));
  const folder = join(registry.folder(), 'shop');
  writeFileSync(join(folder, 'src/extras.ts'), EXTRAS);
  const list = join(folder, 'src/modules.ts');
  writeFileSync(list, `import './extras.js';\n${readFileSync(list, 'utf8')}`);
  cpSync(
    join(BUILDS, 'account-ui/account-ui.test.tsx'),
    join(folder, 'web/src/account-ui/account-ui.test.tsx'),
  );
  const built = runIn(folder, 'npm', 'run', 'build');
  if (built.startsWith('status')) throw new Error(built);
  const port = await findFreePort();
  const env = { NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(40), PORT: String(port) };
  const program = { file: process.execPath, args: ['dist/server.js'], cwd: folder, env };
  server = await startServer(program, port);
  origin = `http://localhost:${port}`;
  browser = await openChromium();
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

interface Mail {
  readonly to: string;
  readonly purpose: string;
  readonly link: string;
}

async function lastMail(to: string, purpose: string): Promise<string> {
  let link: string | undefined;
  await expect
    .poll(async () => {
      const answer = await fetch(`${origin}/auth/mails`);
      const { mails } = (await answer.json()) as { mails: readonly Mail[] };
      link = mails.findLast((mail) => mail.to === to && mail.purpose === purpose)?.link;
      return link;
    })
    .toBeDefined();
  return link!;
}

async function checkPage(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [page.url(), id, nodes[0]?.html])).toEqual([]);
  const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  expect([page.url(), isWide]).toEqual([page.url(), false]);
}

/** The picture of the build, for its page. `WRITE_SCREENSHOT=1` takes it again. */
async function keepScreenshot(page: Page): Promise<void> {
  const file = join(BUILDS, 'account-ui/screenshot.png');
  if (process.env['WRITE_SCREENSHOT'] === '1') await page.screenshot({ path: file });
  expect(statSync(file).size).toBeLessThan(100_000);
}

async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

const sessionOf = async (context: BrowserContext) =>
  (await context.cookies()).find(({ name }) => name === '__Host-auth_session');

test('the project passes its own types, linter and tests', () => {
  const folder = join(registry.folder(), 'shop');
  expect(runIn(folder, 'npm', 'run', '--silent', 'typecheck')).toBe('');
  expect(runIn(folder, 'npm', 'run', 'lint')).toContain('Found 0 warnings and 0 errors');
  expect(runIn(folder, 'npm', 'test')).toMatch(/12 passed|Tests +\d+ passed/);
});

describe.each([
  ['a desktop in light', { width: 1280, height: 900 }, 'light', 'd'],
  ['a phone in dark', { width: 360, height: 740 }, 'dark', 'p'],
] as const)('on %s', (_name, viewport, colorScheme, letter) => {
  const email = `${letter}-${'long-'.repeat(4)}name@example.com`;
  let context: BrowserContext;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    context = await browser.newContext({ baseURL: origin, viewport, colorScheme });
    page = await context.newPage();
    page.on('pageerror', ({ message }) => faults.push(message));
    page.on('console', (line) => {
      if (line.type() === 'error' && !/status of 40[0-9]/.test(line.text()))
        faults.push(line.text());
    });
  });
  afterAll(() => context?.close());

  test('registers, and verifies the address by the mail', async () => {
    await page.goto('/account');
    await page.waitForURL('**/login?next=%2Faccount');
    await page.getByRole('link', { name: 'Continue with Acme' }).waitFor();
    await page.getByRole('button', { name: 'Log in with a passkey' }).waitFor();
    await checkPage(page);
    if (letter === 'd') await keepScreenshot(page);
    await page.locator('main').getByRole('link', { name: 'Register' }).click();
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await checkPage(page);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
    await checkPage(page);
    await page.getByRole('button', { name: 'Send it again' }).click();
    await page.getByText('Another mail is on its way.').waitFor();
    const cookie = await sessionOf(context);
    expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Lax', path: '/' });
    expect(await page.evaluate('document.cookie + JSON.stringify({ ...localStorage })')).toBe('{}');
    await page.goto(await lastMail(email, 'email_verification'));
    await page.getByRole('button', { name: 'Verify my address' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    await checkPage(page);
    await page.getByRole('button', { name: 'Verify my address' }).click();
    await page.getByText('Your address is verified.').waitFor();
    await page.locator('main').getByRole('link', { name: 'Your account' }).click();
    await page.getByText('this one').waitFor();
    await page.getByText('Your address is verified.').waitFor();
    await checkPage(page);
  });

  test('logs out, fails to log in, and logs in', async () => {
    await page.getByRole('button', { name: 'Log out', exact: true }).click();
    await page.getByRole('link', { name: 'Log in' }).waitFor();
    expect(await sessionOf(context)).toBeUndefined();
    await logIn(page, email, 'wrong');
    await page.getByRole('alert').getByText('Invalid email or password').waitFor();
    await checkPage(page);
    await logIn(page, email, PASSWORD);
    await page.getByRole('link', { name: email }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
  });

  test('forgets the password and sets another one, which ends all sessions', async () => {
    const elsewhere = await browser.newContext({ baseURL: origin, viewport, colorScheme });
    const other = await elsewhere.newPage();
    await other.goto('/login');
    // The last thing to appear, above the link.
    await other.getByRole('link', { name: 'Continue with Acme' }).waitFor();
    await other.getByRole('link', { name: 'Forgot your password?' }).click();
    await other.waitForURL('**/forgot-password');
    await other.getByLabel('E-mail').fill(email);
    await checkPage(other);
    await other.getByRole('button', { name: 'Send the link' }).click();
    await other.getByText(`If there is an account for ${email}`).waitFor();
    await checkPage(other);
    const link = await lastMail(email, 'password_reset');
    await other.goto(link);
    await other.getByLabel('New password').fill(OTHER);
    await checkPage(other);
    await other.getByRole('button', { name: 'Change the password' }).click();
    await other.getByText('Your password is changed.').waitFor();
    await other.goto(link);
    await other.getByLabel('New password').fill(OTHER);
    await other.getByRole('button', { name: 'Change the password' }).click();
    await other.getByText('Invalid or expired recovery token').waitFor();
    await elsewhere.close();
    await page.goto('/account');
    await page.waitForURL('**/login?next=%2Faccount');
    await logIn(page, email, OTHER);
    await page.getByRole('link', { name: email }).waitFor();
    expect(await sessionOf(context)).toBeDefined();
  });

  test('ends another session, and changes the password', async () => {
    const elsewhere = await browser.newContext({ baseURL: origin });
    const other = await elsewhere.newPage();
    await logIn(other, email, OTHER);
    await other.getByRole('link', { name: email }).waitFor();
    await page.goto('/account');
    await page.getByRole('button', { name: /^End the session of Chrome on Linux/ }).click();
    await expect.poll(() => page.getByRole('button', { name: /^End the/ }).count()).toBe(0);
    await other.goto('/account');
    await other.waitForURL('**/login?next=%2Faccount');
    await elsewhere.close();
    await page.getByLabel('Current password').fill('wrong');
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('Current password is wrong').waitFor();
    await checkPage(page);
    await page.getByLabel('Current password').fill(OTHER);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('Your password is changed, and').waitFor();
  });

  test('needs the second factor, and may mistype it', async () => {
    const { user } = (await (await page.request.get('/auth/me')).json()) as {
      user: { id: number };
    };
    await page.request.post('/auth/factor', { data: { id: user.id } });
    await page.getByRole('button', { name: 'Log out', exact: true }).click();
    await page.getByRole('link', { name: 'Log in' }).waitFor();
    await logIn(page, email, PASSWORD);
    await page.getByLabel('Code').fill('000000');
    await checkPage(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The code is wrong').waitFor();
    await page.getByLabel('Code').fill('123456');
    expect(await sessionOf(context)).toBeUndefined();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('link', { name: email }).waitFor();
    expect(await sessionOf(context)).toBeDefined();
  });

  test('is followed in another tab, and deletes the account', async () => {
    const tab = await context.newPage();
    await tab.goto('/');
    await tab.getByRole('link', { name: email }).waitFor();
    await page.goto('/account');
    await page.getByRole('button', { name: 'Delete my account' }).click();
    await page.getByLabel('Type "delete"').fill('delete');
    await checkPage(page);
    await page.getByRole('button', { name: 'Delete it for good' }).click();
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    await tab.getByRole('link', { name: 'Register' }).waitFor();
    expect(await sessionOf(context)).toBeUndefined();
    expect(faults).toEqual([]);
  });
});

test('a page of another site gets no session, and changes nothing', async () => {
  const context = await browser.newContext({ baseURL: origin });
  const page = await context.newPage();
  const data = { email: 'own@example.com', password: PASSWORD };
  await page.goto('/register');
  await page.evaluate(async (body) => {
    const headers = { 'X-Session': 'cookie' };
    await fetch('/auth/register', { method: 'POST', headers, body: JSON.stringify(body) });
  }, data);
  // The cookie is sent here: the same site, another origin.
  const evil = await findFreePort();
  await context.route(`http://localhost:${evil}/**`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<form method="post" enctype="text/plain" action="${origin}/auth/logout"><button>Win</button></form>`,
    }),
  );
  await page.goto(`http://localhost:${evil}/`);
  const [answer] = await Promise.all([
    page.waitForResponse(`${origin}/auth/logout`),
    page.getByRole('button').click(),
  ]);
  expect(answer.status()).toBe(403);
  await page.goto('/account');
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
  await context.close();
});
