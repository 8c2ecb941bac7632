/**
 * A product that one command has made: an API with accounts, mail and jobs on PostgreSQL, and the front end, which it serves. Its own
 * tests, of which one goes from register to reset in Chromium; then in production what that does not: every page, sessions, second factor,
 * passkey and the rest, on a desktop and a phone; with Tailwind and components of shadcn/ui, and with a provider of OpenID Connect.
 * `SCREENSHOTS=<folder>` keeps a picture of every page.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOfStep, stepAt } from '../../builds/stackyard/totp/totp.ts';
import { findFreePort } from '../../tools/free-port.ts';
import { type PostgresServer, startPostgres } from '../auth/postgres-fixture.ts';
import { ourRegistry, projectEnvironment, runIn } from '../foundations/our-registry.ts';
import { type ServerProcess, startServer } from '../foundations/server-process.ts';
import { openChromium } from '../site/open-chromium.ts';
import { CLIENT, type RealProvider, startProvider } from './openid-fixture.ts';
import { type SmtpFixture, startSmtp } from './smtp-fixture.ts';
import { fromBase32 } from './totp.contract.ts';

const BUILDS = join(import.meta.dirname, '../../builds/stackyard');
const PASSWORD = 'correct horse battery';
const OTHER = 'battery staple horse';
const WITH = 'account,postgres,mail,jobs,account-ui,totp,passkeys';

const registry = ourRegistry();
let folder: string;
let databaseUrl: string;
let origin: string;
let browser: Browser;
let smtp: SmtpFixture;
let provider: RealProvider;
let server: ServerProcess | undefined;
const closers: (() => unknown)[] = [];

/** Builds the product and starts it as in production, in place of the server that runs. */
async function serve(more: Readonly<Record<string, string>> = {}): Promise<void> {
  const built = runIn(folder, 'npm', 'run', 'build');
  if (built.startsWith('status')) throw new Error(built);
  await server?.stop();
  const env = {
    NODE_ENV: 'production',
    PORT: new URL(origin).port,
    APP_URL: origin,
    DATABASE_URL: databaseUrl,
    JWT_SECRET: 'x'.repeat(40),
    TOTP_KEY: 'ab'.repeat(32),
    SMTP_URL: smtp.url,
    MAIL_FROM: 'Shop <shop@example.com>',
    ...more,
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
  provider = await startProvider(`${origin}/auth/social/callback/acme`);
  closers.push(() => provider.close());
  const command = `new stackyard/express-api shop --with ${WITH} --yes --allow all`;
  await registry.stackyard(...command.split(' '));
  folder = join(registry.folder(), 'shop');
  const ofBuild = join(BUILDS, 'account-ui/account-ui.test.tsx');
  cpSync(ofBuild, join(folder, 'web/src/account-ui/account-ui.test.tsx'));
  await serve();
  browser = await openChromium();
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  for (const close of closers.toReversed()) await close();
});

/** The link in the newest mail to `to` by which its owner verifies it. */
async function verifyLink(to: string): Promise<string> {
  const pattern = new RegExp(`${origin}/verify-email\\?token=[\\w.~-]+`);
  const find = (): string | undefined =>
    smtp.received
      .filter((mail) => mail.to === to)
      .flatMap(({ text }) => pattern.exec(unquoted(text)) ?? [])
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

test('the project passes its own types, linter and tests, also in a browser', () => {
  expect(runIn(folder, 'npm', 'run', '--silent', 'typecheck')).toBe('');
  expect(runIn(folder, 'npm', 'run', 'lint')).toContain('Found 0 warnings and 0 errors');
  const CHROMIUM = runIn(folder, 'which', 'chromium').trim();
  const env = { ...projectEnvironment(), DATABASE_URL: databaseUrl, CHROMIUM };
  for (const [command, passed] of [
    ['test', /Tests +\d+ passed \(/],
    ['run test:browser -w web', /Test Files +2 passed \([^]*Tests +6 passed \(6\)/],
  ] as const) {
    const tested = spawnSync('npm', command.split(' '), { cwd: folder, env, encoding: 'utf8' });
    expect([tested.status, tested.stdout]).toEqual([0, expect.stringMatching(passed)]);
  }
});

describe.each([
  ['a desktop in light', { width: 1280, height: 900 }, 'light', 'd'],
  ['a phone in dark', { width: 360, height: 740 }, 'dark', 'p'],
] as const)('on %s', (_name, viewport, colorScheme, letter) => {
  const email = `${letter}-${'long-'.repeat(4)}name@example.com`;
  let context: BrowserContext;
  let page: Page;
  let codes: readonly string[] = [];
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

  test('has pages for those without an account, with what is wrong in them', async () => {
    for (const [path, title] of [
      ['/register', 'Create an account'],
      ['/forgot-password', 'Forgot your password?'],
      ['/reset-password?token=a', 'Set a new password'],
      ['/verify-email?token=a', 'Verify your address'],
      ['/account', 'Log in'],
    ] as const) {
      await page.goto(path);
      await page.getByRole('heading', { name: title }).waitFor();
      // The last thing to appear.
      if (path === '/account')
        await page.getByRole('button', { name: 'Log in with a passkey' }).waitFor();
      expect(page.url()).not.toContain('token');
      await checkPage(page);
    }
    if (letter === 'd') await keepScreenshot(page);
    await logIn(page, email, 'wrong');
    await page.getByRole('alert').getByText('Invalid email or password').waitFor();
    await checkPage(page);
  });

  test('keeps the session in a cookie, and verifies the address by a mail of SMTP', async () => {
    await page.goto('/register');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
    await page.getByRole('button', { name: 'Send it again' }).click();
    await page.getByText('Another mail is on its way.').waitFor();
    await checkPage(page);
    const cookie = await sessionOf(context);
    expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Lax', path: '/' });
    expect(await page.evaluate('document.cookie + JSON.stringify({ ...localStorage })')).toBe('{}');
    await page.goto(await verifyLink(email));
    await page.getByRole('button', { name: 'Verify my address' }).click();
    await page.getByText('Your address is verified.').waitFor();
    await page.locator('main').getByRole('link', { name: 'Your account' }).click();
    await page.getByText('this one').waitFor();
    await page.getByText('Your address is verified.').waitFor();
    await checkPage(page);
  });

  test('ends another session, and changes the password', async () => {
    const elsewhere = await browser.newContext({ baseURL: origin });
    const other = await elsewhere.newPage();
    await logIn(other, email, PASSWORD);
    await other.getByRole('link', { name: email }).waitFor();
    await page.goto('/account');
    await page.getByRole('button', { name: /^End the session of Chrome on Linux/ }).click();
    await expect.poll(() => page.getByRole('button', { name: /^End the/ }).count()).toBe(0);
    await other.goto('/account');
    await other.waitForURL('**/login?next=%2Faccount');
    await elsewhere.close();
    await page.getByLabel('Current password').fill('wrong');
    await page.getByLabel('New password').fill(OTHER);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('Current password is wrong').waitFor();
    await checkPage(page);
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('Your password is changed, and').waitFor();
  });

  test('sets up a second factor, needs it, and may mistype it', async () => {
    const panel = page.locator('section', {
      has: page.getByRole('heading', { name: 'Second factor' }),
    });
    await panel.getByRole('button', { name: 'Set it up' }).click();
    const secret = fromBase32((await panel.locator('code').textContent()) ?? '');
    let last = 0;
    /** A code that was not used: of the last half minute, the present one or the next. */
    const nextCode = async (): Promise<string> => {
      await expect.poll(() => stepAt(Date.now()) + 1 > last).toBe(true);
      last = Math.max(last + 1, stepAt(Date.now()) - 1);
      return codeOfStep(secret, last);
    };
    await page.getByLabel('Code of the app').fill('000000');
    await page.getByRole('button', { name: 'Turn it on' }).click();
    await panel.getByText(/is wrong|not valid|Invalid/i).waitFor();
    await checkPage(page);
    await page.getByLabel('Code of the app').fill(await nextCode());
    await page.getByRole('button', { name: 'Turn it on' }).click();
    await panel.getByText('Keep these recovery codes').waitFor();
    codes = ((await panel.locator('code').textContent()) ?? '').split('\n');
    await checkPage(page);
    await page.getByRole('button', { name: 'Log out', exact: true }).click();
    await page.getByRole('link', { name: 'Log in' }).waitFor();
    await logIn(page, email, OTHER);
    await page.getByLabel('Code').fill('000000');
    await checkPage(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('alert').or(page.locator('.account-fault')).first().waitFor();
    await checkPage(page);
    await page.getByLabel('Code').fill(await nextCode());
    expect(await sessionOf(context)).toBeUndefined();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('link', { name: email }).waitFor();
    expect(await sessionOf(context)).toBeDefined();
    await page.getByRole('button', { name: 'Log out', exact: true }).click();
    await page.getByRole('link', { name: 'Log in' }).waitFor();
    await logIn(page, email, OTHER);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(codes[0]!);
    await checkPage(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('link', { name: email }).waitFor();
    await page.goto('/account');
    await page.getByText(`You have ${codes.length - 1} recovery codes left`).waitFor();
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
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Delete Passkey 1' }).waitFor();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('This device has a passkey for the account already.').waitFor();
    await checkPage(page);
    await page.getByRole('button', { name: 'Log out', exact: true }).click();
    await page.getByRole('link', { name: 'Log in' }).waitFor();
    await page.goto('/login');
    await page.getByRole('button', { name: 'Log in with a passkey' }).click();
    await page.getByRole('link', { name: email }).waitFor();
    await page.goto('/account');
    await page.getByRole('button', { name: 'Delete Passkey 1' }).click();
    await expect.poll(() => page.getByRole('button', { name: /^Delete Passkey/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Log out', exact: true }).click();
    await page.getByRole('link', { name: 'Log in' }).waitFor();
    await page.goto('/login');
    await page.getByRole('button', { name: 'Log in with a passkey' }).click();
    await page.getByRole('alert').waitFor();
    await checkPage(page);
    await logIn(page, email, OTHER);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(codes[1]!);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('link', { name: email }).waitFor();
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

/** What `npx shadcn init` and `npx shadcn add button` write into such a project, as far as pages of accounts meet it. */
const SHADCN = {
  'src/styles.css': `@import 'tailwindcss';
:root { --radius: 0.625rem; --background: oklch(1 0 0); --foreground: oklch(0.145 0 0); --card: oklch(1 0 0); --card-foreground: oklch(0.145 0 0);
  --primary: oklch(0.205 0 0); --primary-foreground: oklch(0.985 0 0); --muted: oklch(0.97 0 0); --muted-foreground: oklch(0.556 0 0);
  --destructive: oklch(0.577 0.245 27.325); --border: oklch(0.922 0 0); --input: oklch(0.922 0 0); --ring: oklch(0.708 0 0); }
@media (prefers-color-scheme: dark) { :root { --background: oklch(0.145 0 0); --foreground: oklch(0.985 0 0); --card: oklch(0.205 0 0);
  --card-foreground: oklch(0.985 0 0); --primary: oklch(0.922 0 0); --primary-foreground: oklch(0.205 0 0); --muted: oklch(0.269 0 0);
  --muted-foreground: oklch(0.708 0 0); --destructive: oklch(0.704 0.191 22.216); --border: oklch(1 0 0 / 10%); --input: oklch(1 0 0 / 15%); } }
@theme inline { --color-background: var(--background); --color-foreground: var(--foreground); --color-primary: var(--primary);
  --color-primary-foreground: var(--primary-foreground); --color-destructive: var(--destructive); --color-border: var(--border); --color-input: var(--input); }
@layer base { :root { color-scheme: light dark; } * { @apply border-border; } body { @apply bg-background text-foreground; }
  /* Tailwind takes the underlines away, and account-ui 1.0.0 leaves them to the browser. */
  a { @apply underline; } }
`,
  'src/components/ui/button.tsx': `import type { ComponentProps } from 'react';
const VARIANTS = {
  default: 'bg-primary text-primary-foreground hover:bg-primary/90',
  outline: 'border border-input bg-background hover:bg-border',
  destructive: 'border border-destructive text-destructive',
};
export function Button({ variant = 'default', className = '', ...props }: ComponentProps<'button'> & { readonly variant?: keyof typeof VARIANTS }) {
  return <button data-slot="button" className={\`inline-flex h-9 items-center justify-center rounded-md px-4 py-2 text-sm font-medium \${VARIANTS[variant]} \${className}\`} {...props} />;
}
`,
};

test('looks right with Tailwind, and with the button of shadcn/ui', async () => {
  const web = join(folder, 'web');
  const edit = (path: string, from: string, to: string): void => {
    const text = readFileSync(join(web, path), 'utf8');
    expect(text).toContain(from);
    writeFileSync(join(web, path), text.replace(from, to));
  };
  mkdirSync(join(web, 'src/components/ui'), { recursive: true });
  for (const [path, text] of Object.entries(SHADCN)) writeFileSync(join(web, path), text);
  const install = ['install', '-D', '-w', 'web', 'tailwindcss@4', '@tailwindcss/vite@4'];
  expect(runIn(folder, 'npm', ...install)).not.toMatch(/^status/);
  edit('vite.config.ts', 'plugins: [react()]', 'plugins: [react(), tailwindcss()]');
  edit(
    'vite.config.ts',
    'import react',
    "import tailwindcss from '@tailwindcss/vite';\nimport react",
  );
  const components = 'src/account-ui/components.tsx';
  edit(
    components,
    "from 'react';\n",
    "from 'react';\nimport { Button as ProjectButton } from '../components/ui/button.js';\n",
  );
  const own = readFileSync(join(web, components), 'utf8');
  const before = /^export function Button\([\s\S]*?\n\}\n/m.exec(own)?.[0] ?? '';
  // Step 4 of the guide of the build, and the type: without one a button of a form sends it.
  edit(
    components,
    before,
    `export function Button({ tone, type = 'button', ...props }: ButtonProps) {
  return <ProjectButton type={type} variant={tone === 'plain' ? 'outline' : tone === 'danger' ? 'destructive' : 'default'} {...props} />;
}
`,
  );
  expect(runIn(folder, 'npm', 'run', '--silent', 'typecheck')).toBe('');
  await serve();
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ baseURL: origin, colorScheme });
    const page = await context.newPage();
    await page.goto('/login');
    await page.locator('[data-slot=button]', { hasText: 'Log in with a passkey' }).waitFor();
    await checkPage(page);
    await page.goto('/register');
    await page.getByLabel('E-mail').fill(`${colorScheme}@example.com`);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
    await page.goto('/account');
    await page.getByText('this one').waitFor();
    await checkPage(page);
    await context.close();
  }
});

test('a provider is added to the product, and its button logs in', async () => {
  const add = 'add stackyard/social-login --wire --yes --allow all';
  await registry.stackyard(...add.split(' '), '-C', folder);
  // Outside of tests and development providers have https.
  await serve({
    NODE_ENV: 'test',
    SOCIAL_ACME_ISSUER: provider.issuer,
    SOCIAL_ACME_CLIENT_ID: CLIENT.id,
    SOCIAL_ACME_CLIENT_SECRET: CLIENT.secret,
  });
  const context = await browser.newContext({ baseURL: origin });
  const page = await context.newPage();
  await page.goto('/account');
  await page.getByRole('link', { name: 'Continue with Acme' }).waitFor();
  await checkPage(page);
  await page.getByRole('link', { name: 'Continue with Acme' }).click();
  await page.getByRole('link', { name: 'ann@example.com' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/account');
  await checkPage(page);
  await context.close();
});
