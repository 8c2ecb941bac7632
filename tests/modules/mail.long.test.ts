/** stackyard/mail killed at any moment, and with servers that lie. `jobs.long.test.ts` has several processes and PostgreSQL. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createJobsModule, jobsMigrations } from '../../builds/stackyard/jobs/index.js';
import { createMailModule, sendMail } from '../../builds/stackyard/mail/index.js';
import { createSql, type Sql } from '../../builds/stackyard/sql/index.js';
import { openDatabase } from '../../builds/stackyard/sqlite/database.js';
import { DISKS } from '../auth/full-disk.ts';
import { openChromium } from '../site/open-chromium.ts';
import { openSqlite, startHost } from './module-host.ts';
import { startModuleProcess } from './process-fixture.ts';
import { type SmtpFixture, smtpError, startSmtp } from './smtp-fixture.ts';

const KILLS = 15;
const ENV = { NODE_ENV: 'production', MAIL_FROM: 'a@shop.example' };

/** A database for processes, and a connection of the test to it. */
function openShared(): { sqlite: string; sql: Sql } {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-mail-'));
  const sqlite = join(folder, 'app.db');
  const db = openDatabase(sqlite);
  onTestFinished(() => {
    db.close();
    rmSync(folder, { recursive: true });
  });
  return { sqlite, sql: createSql(() => db) };
}

async function expectAllSent(sql: Sql, smtp: SmtpFixture): Promise<string[]> {
  const open = async () => {
    // The pauses before the next attempts are over.
    await sql.query("UPDATE background_jobs SET run_at = 0 WHERE status = 'queued'");
    return (await sql.query("SELECT id FROM background_jobs WHERE status <> 'done'")).length;
  };
  await expect.poll(open, { timeout: 120_000 }).toBe(0);
  const orders = await sql.query<{ id: string }>('SELECT id FROM orders');
  expect(orders.length).toBeGreaterThan(0);
  // Each order that was committed has its mail, and no other one has.
  const recipients = new Set(smtp.received.map(({ to }) => to));
  expect([...recipients].sort()).toEqual(orders.map(({ id }) => `${id}@example.com`).sort());
  return smtp.received.map(({ client, messageId }) => `${client} ${messageId}`);
}

/** Both modules, with a clock that the test moves on, beyond the pauses before the next attempts. */
async function startModules(
  database: () => never,
  env: Record<string, string>,
  framework: 'express' | 'hono' = 'express',
) {
  const clock = { aheadMs: 0 };
  const now = () => Date.now() + clock.aheadMs;
  const module = createMailModule({ database });
  const jobs = createJobsModule({ database, pollMs: 5, now });
  const host = await startHost(framework, [jobs, module], { ...ENV, ...env });
  const later = async () => {
    clock.aheadMs += 1_200_000;
    return module.list();
  };
  return { host, module, later };
}

test('nothing is lost and no process sends twice, killed at any moment', async () => {
  const { sqlite, sql } = openShared();
  let mails = 0;
  const smtp = await startSmtp({
    async onMail() {
      await sleep(mails++ % 7);
      if (mails % 11 === 0) throw smtpError(451);
    },
  });
  const all = { sqlite, what: 'mail', smtpUrl: smtp.url, orders: 10_000, leaseMs: 300 } as const;
  for (let kill = 0; kill < KILLS; kill++) {
    const running = await startModuleProcess(all);
    await sleep(20 + kill * 13);
    await running.end('SIGKILL');
  }
  const last = await startModuleProcess({ ...all, orders: 0 });
  const sent = await expectAllSent(sql, smtp);
  expect(new Set(sent).size).toBe(sent.length);
  // What arrived twice was sent by two processes, and its Message-ID shows it: at most what was on its way at each kill.
  const messages = new Set(smtp.received.map(({ messageId }) => messageId));
  const recipients = new Set(smtp.received.map(({ to }) => to));
  expect(messages.size).toBe(recipients.size);
  expect(sent.length - messages.size).toBeLessThanOrEqual(KILLS * 5);
  expect(await last.end('SIGTERM')).toBe(0);
});

test('a disk that fills up costs no mail, and no mail is sent twice', async () => {
  const disk = DISKS[0]![1]();
  onTestFinished(() => disk.remove());
  const smtp = await startSmtp({ onMail: () => sleep(3) });
  const task = { what: 'mail', sqlite: disk.file, smtpUrl: smtp.url, leaseMs: 300 } as const;
  const running = await startModuleProcess({ ...task, orders: 1_000_000 });
  const pid = running.child.pid!;
  // Before the log of SQLite starts again at the beginning of its file.
  await expect.poll(() => smtp.received.length, { interval: 5 }).toBeGreaterThan(2);
  disk.fill(pid);
  // Until nothing more comes: the mails on their way were accepted, which cannot be written down.
  for (let before = -1; before !== smtp.received.length; await sleep(700))
    before = smtp.received.length;
  const sentWhenFull = smtp.received.length;
  disk.free(pid);
  await expect.poll(() => smtp.received.length).toBeGreaterThan(sentWhenFull);
  expect(await running.end('SIGTERM')).toBe(0);
  const last = await startModuleProcess({ ...task, orders: 0 });
  const db = openDatabase(disk.file);
  onTestFinished(() => void db.close());
  const sent = await expectAllSent(
    createSql(() => db),
    smtp,
  );
  expect(sent.length).toBe(new Set(smtp.received.map(({ messageId }) => messageId)).size);
  expect(await last.end('SIGTERM')).toBe(0);
});

test.each([
  ['no greeting', (socket: Socket) => void socket.pause()],
  [
    'a greeting of another protocol',
    (socket: Socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'),
  ],
  ['one endless line', (socket: Socket) => void socket.write(`220 ${'x'.repeat(5_000_000)}`)],
  ['a lost connection after the data', (socket: Socket) => talk(socket, () => socket.destroy())],
  ['nonsense after the data', (socket: Socket) => talk(socket, () => socket.write('hello?\r\n'))],
])('with a server that gives %s a mail waits, and goes to one that works', async (_what, greet) => {
  const sockets = new Set<Socket>();
  const liar = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    greet(socket);
  });
  await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve));
  const { port } = liar.address() as AddressInfo;
  const close = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise<void>((resolve) => liar.close(() => resolve()));
  };
  onTestFinished(() => void close());
  const db = openSqlite(jobsMigrations);
  const url = `smtp://127.0.0.1:${port}`;
  const { module, later } = await startModules(() => db as never, { SMTP_URL: url });
  await sendMail({ to: 'a@example.com', subject: 'a', text: 'a' });
  await expect.poll(async () => (await module.list())[0]?.error).toBeTypeOf('string');
  expect(await module.list()).toMatchObject([{ status: 'queued' }]);
  await close();
  const smtp = await startSmtp({ port });
  await expect.poll(later).toMatchObject([{ status: 'sent' }]);
  expect(smtp.received).toHaveLength(1);
});

/** Answers as a server does, until the text of the mail has come. */
function talk(socket: Socket, then: () => void): void {
  let isData = false;
  socket.write('220 liar\r\n');
  socket.on('data', (bytes) => {
    const text = bytes.toString();
    if (isData) {
      if (text.endsWith('\r\n.\r\n')) then();
      return;
    }
    isData = text.startsWith('DATA');
    socket.write(isData ? '354 go on\r\n' : '250 ok\r\n');
  });
}

test('a password goes over a connection without TLS to this machine only', async () => {
  const logins: string[] = [];
  const smtp = await startSmtp({
    options: {
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, callback) {
        logins.push(`${username} ${password}`);
        callback(null, { user: username });
      },
    },
  });
  const db = openSqlite(jobsMigrations);
  const start = (url: string) => startModules(() => db as never, { SMTP_URL: url });
  const auth = smtp.url.replace('//', '//user:p%40ss@');
  // Another name of the same address, which does not say that it is this machine.
  const away = await start(auth.replace('127.0.0.1', '0.0.0.0'));
  await sendMail({ to: 'a@example.com', subject: 'a', text: 'a' });
  await expect.poll(async () => (await away.module.list())[0]?.error).toMatch(/STARTTLS|TLS/);
  expect(logins).toEqual([]);
  await away.host.stop();
  const local = await start(auth);
  await expect.poll(local.later).toMatchObject([{ status: 'sent', error: null }]);
  expect(logins).toEqual(['user p@ss']);
});

test('no script of a mail runs in the development inbox, and its links open a page of their own', async () => {
  const db = openSqlite(jobsMigrations);
  const { host } = await startModules(() => db as never, { NODE_ENV: 'development' });
  const id = await sendMail({
    to: 'a@example.com',
    subject: 'Hostile',
    text: `Open ${host.url}/health now`,
    html: `<p id="seen">Seen</p><script>top.document.title = 'taken'; document.title = 'run'</script>
<img src="x" onerror="document.title = 'run'"><meta http-equiv="refresh" content="0;url=${host.url}/health"><a href="${host.url}/health">Link</a>
<form action="${host.url}/health"><button>Send</button></form>`,
  });
  const browser = await openChromium();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`${host.url}/dev/mail`);
  await page.getByRole('link', { name: 'Hostile' }).click();
  await page.waitForURL(`**/dev/mail/${id}`);
  const frame = page.frameLocator('iframe');
  await frame.getByText('Seen').waitFor();
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    frame.getByRole('link', { name: 'Link' }).click(),
  ]);
  expect(opened.url()).toBe(`${host.url}/health`);
  // Another page was loaded meanwhile: what the mail would have done has happened.
  expect(await frame.locator('#seen').textContent()).toBe('Seen');
  expect([await page.title(), await frame.locator('title').count()]).toEqual(['Hostile', 0]);
  expect(await page.locator('pre a').getAttribute('href')).toBe(`${host.url}/health`);
});
