/**
 * A product that one command has made: an API with better-auth, mail and jobs on PostgreSQL, and the front end, which it serves. Its
 * own tests, one of which goes from register to reset in Chromium; then in production what that test does not: every page with all
 * features switched on, on a desktop and a phone. `SCREENSHOTS=<folder>` keeps a picture of every page.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../../tools/free-port.ts';
import { type PostgresServer, startPostgres } from '../auth/postgres-fixture.ts';
import { ourRegistry, projectEnvironment, runIn } from '../foundations/our-registry.ts';
import { type ServerProcess, startServer } from '../foundations/server-process.ts';
import { openChromium } from '../site/open-chromium.ts';
import { codeOf } from './better-auth-mailbox.ts';
import { type SmtpFixture, startSmtp } from './smtp-fixture.ts';

const BUILD = join(import.meta.dirname, '../../builds/stackyard/auth-pages');
const PASSWORD = 'correct horse battery';
const OTHER = 'battery staple horse';

const registry = ourRegistry();
let folder: string;
let databaseUrl: string;
let origin: string;
let browser: Browser;
let smtp: SmtpFixture;
let server: ServerProcess | undefined;
const closers: (() => unknown)[] = [];

/** Builds the product and starts it as in production, in place of the server that runs. */
async function serve(): Promise<void> {
  const built = runIn(folder, 'npm', 'run', 'build');
  if (built.startsWith('status')) throw new Error(built);
  await server?.stop();
  const env = {
    NODE_ENV: 'production',
    PORT: new URL(origin).port,
    DATABASE_URL: databaseUrl,
    BETTER_AUTH_URL: origin,
    BETTER_AUTH_SECRET: 'a-secret-of-this-test-5f0c1d7b9e2a',
    SMTP_URL: smtp.url,
    MAIL_FROM: 'Shop <shop@example.com>',
  };
  const program = { file: process.execPath, args: ['dist/server.js'], cwd: folder, env };
  server = await startServer(program, Number(env.PORT));
}

beforeAll(async () => {
  const postgres: PostgresServer = await startPostgres();
  closers.push(() => postgres.remove());
  databaseUrl = await postgres.createDatabase('shop');
  smtp = await startSmtp({ isKept: true });
  closers.push(() => smtp.close());
  origin = `http://localhost:${await findFreePort()}`;
  const product = 'better-auth,postgres,mail,jobs,auth-pages';
  const command = `new stackyard/express-api shop --with ${product} --yes --allow all`;
  await registry.stackyard(...command.split(' '));
  folder = join(registry.folder(), 'shop');
  const unitTest = 'auth-pages.test.tsx';
  cpSync(join(BUILD, unitTest), join(folder, 'web/src/auth-pages', unitTest));
  browser = await openChromium();
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  for (const close of closers.toReversed()) await close();
});

/** The link in a mail to `to`, once it has arrived. */
async function linkTo(to: string, path: string): Promise<string> {
  const pattern = new RegExp(`${origin}/api/auth/${path}\\S+`);
  const find = (): string | undefined =>
    smtp.received
      .filter((mail) => mail.to === to)
      .flatMap(({ text }) => pattern.exec(unquoted(text))?.[0] ?? [])
      .at(-1);
  await expect.poll(find).toBeDefined();
  return find()!;
}

/** The text of a mail without quoted-printable (RFC 2045). */
function unquoted(text: string): string {
  return text
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
}

let pictures = 0;

async function checkPage(page: Page): Promise<void> {
  const pages = process.env['SCREENSHOTS'];
  if (pages !== undefined) {
    const name = `${String(++pictures).padStart(2, '0')}-${new URL(page.url()).pathname.slice(1)}.png`;
    await page.screenshot({ path: join(pages, name), fullPage: true });
  }
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [page.url(), id, nodes[0]?.html])).toEqual([]);
  const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  expect([page.url(), isWide]).toEqual([page.url(), false]);
}

const button = (page: Page | Locator, name: string): Locator =>
  page.getByRole('button', { name, exact: true });

/** Clicks until the rate limit of production, three logins in ten seconds, lets the request through. */
async function submit(page: Page, name: string, end: Locator): Promise<void> {
  const limit = page.getByText('Too many requests');
  for (;;) {
    await button(page, name).click();
    await end.or(limit).first().waitFor();
    if ((await limit.count()) === 0) return;
    await page.waitForTimeout(3000);
    // The text of an earlier answer stays until the next one: this click may have been let through.
    if (await end.first().isVisible()) return;
  }
}

/** Opens the link of a mail, again where the rate limit answers: each try of this test comes from one address. */
async function follow(page: Page, link: string): Promise<void> {
  await page.goto(link);
  while ((await page.content()).includes('Too many requests')) {
    await page.waitForTimeout(5000);
    await page.goto(link);
  }
}

async function logIn(page: Page, email: string, password: string, end: Locator): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await submit(page, 'Log in', end);
}

async function logOut(page: Page): Promise<void> {
  await button(page, 'Log out').click();
  await page.getByRole('link', { name: 'Register' }).waitFor();
}

test('the project passes its own types, linter and tests, also in a browser', () => {
  expect(runIn(folder, 'npm', 'run', '--silent', 'typecheck')).toBe('');
  expect(runIn(folder, 'npm', 'run', 'lint')).toContain('Found 0 warnings and 0 errors');
  const CHROMIUM = runIn(folder, 'which', 'chromium').trim();
  const env = { ...projectEnvironment(), DATABASE_URL: databaseUrl, CHROMIUM };
  for (const [command, passed] of [
    ['test', /Tests +\d+ passed \(/],
    ['run test:browser', /Test Files +2 passed \([^]*Tests +6 passed \(6\)/],
  ] as const) {
    const tested = spawnSync('npm', command.split(' '), { cwd: folder, env, encoding: 'utf8' });
    expect([tested.status, tested.stdout], tested.stdout + tested.stderr).toEqual([
      0,
      expect.stringMatching(passed),
    ]);
  }
  const workflow = readFileSync(join(folder, '.github/workflows/ci.yml'), 'utf8');
  expect(workflow).toContain('- run: node --run test:browser\n');
});

test('shows no feature that src/auth.ts has not switched on', async () => {
  await serve();
  const page = await browser.newPage({ baseURL: origin });
  await page.goto('/login');
  await page.getByText('Forgot your password?').waitFor();
  expect(await page.locator('main').getByRole('button').allInnerTexts()).toEqual(['Log in']);
  await page.close();
});

describe('with all features', () => {
  beforeAll(async () => {
    const packages = ['better-auth', '@better-auth/core', '@better-auth/passkey'];
    const installed = runIn(folder, 'npm', 'install', ...packages.map((name) => `${name}@1.7.6`));
    if (installed.startsWith('status')) throw new Error(installed);
    const file = join(folder, 'src/auth.ts');
    const text = readFileSync(file, 'utf8');
    const commented = /^( *)\/\/ ((?:import|user:|twoFactor|passkey|organization|\}\),| ).*)$/gm;
    writeFileSync(file, text.replace(commented, '$1$2'));
    await serve();
  });

  test('has right types', () => {
    expect(runIn(folder, 'npm', 'run', '--silent', 'typecheck')).toBe('');
  });

  describe.each([
    ['a desktop in light', { width: 1440, height: 900 }, 'light'],
    ['a phone in dark', { width: 390, height: 844 }, 'dark'],
  ] as const)('on %s', (_name, viewport, colorScheme) => {
    const email = `${colorScheme}-${'long-'.repeat(4)}name@example.com`;
    let context: BrowserContext;
    let page: Page;
    let account: Locator;
    const faults: string[] = [];

    const panel = (title: string): Locator =>
      page.locator('section', { has: page.getByRole('heading', { name: title }) });

    beforeAll(async () => {
      context = await browser.newContext({ baseURL: origin, viewport, colorScheme });
      page = await context.newPage();
      account = page.getByRole('link', { name: email });
      page.on('pageerror', ({ message }) => faults.push(message));
      page.on('console', (line) => {
        if (line.type() === 'error' && !/status of 4\d\d/.test(line.text()))
          faults.push(line.text());
      });
    });
    afterAll(() => context?.close());

    test('has pages for those without an account', async () => {
      for (const [path, title] of [
        ['/register', 'Create an account'],
        ['/forgot-password', 'Forgot your password?'],
        ['/reset-password?token=a', 'Set a new password'],
        ['/verify-email?token=a', 'Verify your address'],
        ['/verify-email?error=TOKEN_EXPIRED', 'Verify your address'],
        ['/account', 'Log in'],
      ] as const) {
        await page.goto(path);
        await page.getByRole('heading', { name: title }).waitFor();
        if (path === '/account') await button(page, 'Log in with a passkey').waitFor();
        expect(page.url()).not.toContain('token');
        await checkPage(page);
      }
      await logIn(page, email, 'wrong', page.getByRole('alert').getByText('Invalid email or'));
      await checkPage(page);
    });

    test('registers, verifies the address by a mail of SMTP, and keeps the session in a cookie', async () => {
      await page.goto('/register');
      await page.getByLabel('Name').fill('Ann');
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password').fill(PASSWORD);
      const sent = page.getByText('A mail is on its way');
      await submit(page, 'Create account', sent);
      await checkPage(page);
      await logIn(page, email, PASSWORD, sent);
      await follow(page, await linkTo(email, 'verify-email'));
      await page.getByText('Your address is verified.').waitFor();
      await checkPage(page);
      await logIn(page, email, PASSWORD, account);
      const [cookie] = await context.cookies();
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
      const readable = await page.evaluate('document.cookie + JSON.stringify({ ...localStorage })');
      expect(readable).not.toMatch(/session/i);
      await account.click();
      await page.getByText('Your address is verified.').waitFor();
      await panel('Passkeys').waitFor();
      await checkPage(page);
    });

    test('resets the password by a mail, which ends the session in another tab', async () => {
      const elsewhere = await browser.newContext({ baseURL: origin });
      const other = await elsewhere.newPage();
      await other.goto('/forgot-password');
      await other.getByLabel('E-mail').fill(email);
      await button(other, 'Send the link').click();
      await other.goto(await linkTo(email, 'reset-password'));
      await other.getByLabel('New password').fill(PASSWORD);
      await submit(other, 'Change the password', other.getByText('Your password is changed.'));
      await elsewhere.close();
      await page.goto('/account');
      await page.waitForURL('**/login?next=%2Faccount');
      await logIn(page, email, PASSWORD, account);
      expect(await account.getAttribute('href')).toBe('/account');
    });

    test('changes the password', async () => {
      await page.goto('/account');
      for (const [current, text] of [
        ['wrong password', 'Invalid password'],
        [PASSWORD, 'Your password is changed, and'],
      ] as const) {
        await page.getByLabel('Current password').fill(current);
        await page.getByLabel('New password').fill(OTHER);
        await submit(page, 'Change the password', page.getByText(text));
      }
      expect(await page.getByRole('alert').count()).toBe(0);
    });

    test('sets up a second factor, needs it, and may mistype it', async () => {
      const factor = panel('Second factor');
      await factor.getByLabel('Password').fill(OTHER);
      await submit(page, 'Set it up', factor.locator('img'));
      const key = (await factor.locator('code').textContent()) ?? '';
      const uri = `otpauth://totp/x?secret=${key}`;
      await checkPage(page);
      await page.getByLabel('Code of the app').fill('000000');
      await submit(page, 'Turn it on', factor.getByText('Invalid code'));
      await page.getByLabel('Code of the app').fill(codeOf(uri));
      await submit(page, 'Turn it on', factor.getByText('Keep these backup codes'));
      const [backup = ''] = ((await factor.locator('code').textContent()) ?? '').split('\n');
      await checkPage(page);
      await logOut(page);
      const code = page.getByLabel('Code of the app');
      await logIn(page, email, OTHER, code);
      await code.fill('000000');
      await checkPage(page);
      await submit(page, 'Continue', page.getByText('Invalid code'));
      await code.fill(codeOf(uri));
      await submit(page, 'Continue', account);
      await logOut(page);
      await logIn(page, email, OTHER, code);
      await button(page, 'Use a backup code').click();
      await page.getByLabel('Backup code').fill(backup);
      await checkPage(page);
      await submit(page, 'Continue', account);
      expect(await account.getAttribute('href')).toBe('/account');
    });

    test('adds a passkey, and logs in with it', async () => {
      const cdp = await context.newCDPSession(page);
      await cdp.send('WebAuthn.enable');
      const options = {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      } as const;
      await cdp.send('WebAuthn.addVirtualAuthenticator', { options });
      await page.goto('/account');
      const passkeys = panel('Passkeys');
      await button(page, 'Add a passkey').click();
      await passkeys.getByText('since').waitFor();
      await button(page, 'Add a passkey').click();
      await passkeys.getByText('This device has a passkey for the account.').waitFor();
      await checkPage(page);
      await logOut(page);
      await page.goto('/login?next=%2Faccount');
      await submit(
        page,
        'Log in with a passkey',
        page.getByRole('heading', { name: 'Your account' }),
      );
      await button(passkeys, 'Delete').click();
      await expect.poll(() => passkeys.getByText('since').count()).toBe(0);
    });

    test('creates organizations, switches between them, invites, and accepts', async () => {
      const organizations = panel('Organizations');
      for (const name of ['Acme Ltd', 'Beta']) {
        await page.getByLabel('New organization').fill(name);
        await button(page, 'Create it').click();
        await organizations.locator('li', { hasText: name }).waitFor();
      }
      await button(page, 'Switch to Acme Ltd').click();
      await button(page, 'Switch to Beta').waitFor();
      const guest = `guest-${email}`;
      await page.getByLabel('Invite by e-mail').fill(guest);
      await button(page, 'Invite').click();
      await page.getByText(`${guest} is invited.`).waitFor();
      await checkPage(page);
      const elsewhere = await browser.newContext({ baseURL: origin });
      const other = await elsewhere.newPage();
      await other.goto('/register');
      await other.getByLabel('Name').fill('Guest');
      await other.getByLabel('E-mail').fill(guest);
      await other.getByLabel('Password').fill(PASSWORD);
      await submit(other, 'Create account', other.getByText('A mail is on its way'));
      await follow(other, await linkTo(guest, 'verify-email'));
      const member = other.getByRole('link', { name: guest });
      await logIn(other, guest, PASSWORD, member);
      await other.goto('/accept-invitation/any');
      await button(other, 'Accept').click();
      await button(other, 'Switch to Acme Ltd').or(other.getByText('active')).waitFor();
      await expect.poll(() => button(other, 'Accept').count()).toBe(0);
      await elsewhere.close();
    });

    test('is followed in another tab, and deletes the account', async () => {
      const tab = await context.newPage();
      await tab.goto('/');
      await tab.getByRole('link', { name: email }).waitFor();
      const deletion = panel('Delete the account');
      await deletion.getByLabel('Password').fill(OTHER);
      await submit(page, 'Delete my account', page.getByRole('link', { name: 'Register' }));
      await tab.bringToFront();
      await tab.goto('/account');
      await tab.waitForURL('**/login?next=%2Faccount');
      expect(faults).toEqual([]);
    });
  });
});
