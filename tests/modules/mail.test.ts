/** stackyard/mail in both foundations on SQLite, with a real SMTP server. On PostgreSQL, and killed, see mail.long.test.ts. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { createMailModule, letter, sendMail } from '../../builds/stackyard/mail/index.js';
import { createJobsModule, jobsMigrations } from '../../builds/stackyard/jobs/index.js';
import { portableMigrations } from '../../builds/stackyard/sql/index.js';
import { FRAMEWORKS, type Framework, openSqlite, startHost } from './module-host.ts';
import { type SmtpAnswers, smtpError, startSmtp } from './smtp-fixture.ts';

const MAIL = { to: 'a@example.com', subject: 'Hello', text: 'Hello Ada' };
const MINUTE_MS = 60_000;

const OUTBOX_OF_VERSION_1 = `CREATE TABLE mail_outbox (
  id TEXT PRIMARY KEY,
  message_id TEXT NOT NULL,
  mail_key TEXT UNIQUE,
  status TEXT NOT NULL,
  recipient TEXT NOT NULL,
  subject TEXT NOT NULL,
  content TEXT,
  attempts BIGINT NOT NULL,
  due_at BIGINT NOT NULL,
  expires_at BIGINT,
  lease TEXT,
  lease_until BIGINT NOT NULL,
  error TEXT,
  created_at BIGINT NOT NULL,
  finished_at BIGINT
);
CREATE INDEX mail_outbox_due ON mail_outbox (status, due_at);
CREATE INDEX mail_outbox_recipient ON mail_outbox (recipient, created_at);`;

interface StartOptions extends Partial<Parameters<typeof createMailModule>[0]> {
  readonly framework?: Framework;
  readonly env?: Record<string, string>;
  readonly stopTimeoutMs?: number;
}

async function startMail(
  smtpUrl: string,
  { framework = 'express', env, stopTimeoutMs = 1500, ...options }: StartOptions = {},
) {
  const db = openSqlite(jobsMigrations);
  const clock = { aheadMs: 0 };
  const now = () => Date.now() + clock.aheadMs;
  const jobs = createJobsModule({ database: () => db, pollMs: 5, stopTimeoutMs, now });
  const module = createMailModule({ database: () => db, ...options });
  const production = {
    NODE_ENV: 'production',
    SMTP_URL: smtpUrl,
    MAIL_FROM: 'App <no-reply@shop.example>',
  };
  expect(module.checkSettings(production)).toEqual([]);
  const host = await startHost(framework, [jobs, module], env ?? production);
  const statuses = async () => (await module.list()).map(({ status }) => status);
  /** What is there after the pauses before the next attempts. */
  const later = <T>(read: () => T): T => {
    clock.aheadMs += 20 * MINUTE_MS;
    return read();
  };
  return { db, module, host, statuses, later };
}

async function startBoth(answers: SmtpAnswers = {}, options: StartOptions = {}) {
  const smtp = await startSmtp(answers);
  return { smtp, ...(await startMail(smtp.url, options)) };
}

describe.each(FRAMEWORKS)('on %s', (framework) => {
  test('the development inbox has pages and JSON', async () => {
    const { host } = await startMail('smtp://x', { framework, env: { NODE_ENV: 'test' } });
    expect((await host.ask('GET /dev/mail')).text).toContain('No mail yet');
    const link = 'https://shop.example/verify?token=abc';
    const subject = '<b>Verify</b>';
    const parts = letter('Hello <i>Ada</i>', { label: 'Verify', url: link });
    const id = await sendMail({ ...MAIL, subject, ...parts });
    await sendMail({ ...MAIL, to: 'b@example.com' });

    const { body } = await host.ask('GET /dev/mail/messages?to=a@example.com');
    expect(body.messages).toMatchObject([
      { id, to: MAIL.to, subject, links: [link], text: parts.text, html: String(parts.html) },
    ]);
    expect((await host.ask(`GET /dev/mail/messages/${id}`)).body.message).toMatchObject({
      id,
      subject,
    });

    const list = await host.ask('GET /dev/mail/');
    expect(list.text).toContain('&#60;b&#62;Verify&#60;/b&#62;</a>');
    const page = await host.ask(`GET /dev/mail/${id}`);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.text).toContain(
      'sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="&#60;base',
    );
    expect(page.text).not.toMatch(/<b>Verify|<i>Ada|<script/);
    expect(page.text).toContain(`<a href="${link}" target="_blank" rel="noreferrer noopener">`);

    expect((await host.ask('GET /dev/mail/00000000-0000-0000-0000-000000000000')).status).toBe(404);
    expect((await host.ask('GET /dev/mail/messages/x')).status).toBe(404);
    expect((await host.ask('POST /dev/mail')).status).toBe(405);
    expect((await host.ask('HEAD /dev/mail/messages')).status).toBe(200);
    expect((await host.ask('GET /ready')).status).toBe(200);
  });

  test.each(['production', ' development', 'Development', 'staging', ''])(
    'there is no inbox with NODE_ENV "%s"',
    async (mode) => {
      const db = openSqlite(jobsMigrations);
      const jobs = createJobsModule({ database: () => db });
      const module = createMailModule({ database: () => db });
      // As where the application is built before the modules start.
      const { routes } = module;
      expect(routes).toHaveLength(1);
      const env = { NODE_ENV: mode, SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@example.com' };
      jobs.start({ env, log: console });
      onTestFinished(() => jobs.stop());
      await module.start({ env, log: console });
      expect(module.routes).toEqual([]);
      const host = await startHost(framework, [{ name: 'early', routes }], {
        NODE_ENV: 'production',
      });
      for (const path of ['/dev/mail', '/dev/mail/messages'])
        expect((await host.ask(`GET ${path}`)).status).toBe(404);
    },
  );
});

test('a mail is committed with the change that causes it, or not at all', async () => {
  const { smtp, db, module } = await startBoth();
  db.exec('CREATE TABLE orders (id TEXT)');
  const order = (to: string, fails: boolean) =>
    db.transaction(() => {
      db.prepare("INSERT INTO orders VALUES ('1')").run();
      void sendMail({ ...MAIL, to }, { on: db });
      if (fails) throw new Error('no');
    });
  expect(order('lost@example.com', true)).toThrow('no');
  order('kept@example.com', false)();
  await expect.poll(() => smtp.received.map(({ to }) => to)).toEqual(['kept@example.com']);
  expect(await module.list()).toHaveLength(1);
  // What is wrong with a mail ends the transaction: it is thrown, not rejected.
  expect(order('not an address', false)).toThrow('"to" is not the address');
  db.exec('DROP TABLE background_jobs');
  expect(order('a@example.com', false)).toThrow('no such table');
  expect(db.prepare('SELECT count(*) AS n FROM orders').get()).toEqual({ n: 1 });
});

test('what is sent has one Message-ID, both texts, and no text is kept', async () => {
  const { smtp, module } = await startBoth();
  const html = letter('Hällo').html;
  const to = { name: 'Ada "the first", Müller', address: 'ada@example.com' };
  const id = await sendMail({ ...MAIL, to, subject: 'Grüße', html, replyTo: 'help@shop.example' });
  await expect.poll(() => module.list()).toMatchObject([{ id, status: 'sent', attempts: 1 }]);
  expect((await module.list())[0]).not.toHaveProperty('content');
  const [got] = smtp.received;
  expect(got).toMatchObject({
    from: 'no-reply@shop.example',
    to: 'ada@example.com',
    messageId: `<${id}@shop.example>`,
  });
  for (const line of [
    'From: App <no-reply@shop.example>',
    'Reply-To: help@shop.example',
    'Auto-Submitted: auto-generated',
    'text/html',
    'text/plain',
  ]) {
    expect(got?.text).toContain(line);
  }
});

test('a key is used once, however often the request comes', async () => {
  const { smtp, module, statuses } = await startBoth();
  const ids = await Promise.all([1, 2, 3].map(() => sendMail(MAIL, { key: 'order-1' })));
  expect(ids.filter((id) => id !== undefined)).toHaveLength(1);
  await expect.poll(statuses).toEqual(['sent']);
  expect(await sendMail(MAIL, { key: 'order-1' })).toBeUndefined();
  expect([smtp.received.length, (await module.list()).length]).toEqual([1, 1]);
});

test('4xx is tried again with the same Message-ID, 5xx is dead, and can be sent again', async () => {
  let busy = 3;
  let isRefused = true;
  const ids: string[] = [];
  const { smtp, module, host, later } = await startBoth({
    onRecipient(address) {
      if (address === 'gone@example.com' && isRefused)
        throw smtpError(550, '5.1.1 <gone@example.com>: no such user');
    },
    onMail({ messageId, to }) {
      if (to === MAIL.to) ids.push(messageId);
      if (to === MAIL.to && busy-- > 0) throw smtpError(451, 'greylisted');
    },
  });
  const busyId = await sendMail(MAIL);
  const gone = await sendMail({ ...MAIL, to: 'gone@example.com' });
  const find = async (id?: string) => (await module.list()).find((mail) => mail.id === id);
  await expect
    .poll(() => later(() => find(busyId)))
    .toMatchObject({ status: 'sent', attempts: 4, error: null });
  expect([ids.length, new Set(ids).size]).toEqual([4, 1]);
  expect(await module.list({ status: 'dead' })).toMatchObject([
    { id: gone, attempts: 1, error: expect.stringContaining('550') },
  ]);
  expect(await module.list({ to: 'gone@example.com' })).toHaveLength(1);
  // The log has no address.
  expect(JSON.stringify(host.log)).not.toContain('@example.com');
  expect(host.log).toContainEqual(expect.objectContaining({ id: gone, level: 50 }));

  isRefused = false;
  expect([
    await module.sendAgain(gone!),
    await module.sendAgain(gone!),
    await module.sendAgain('x'),
  ]).toEqual([true, false, false]);
  await expect.poll(() => find(gone)).toMatchObject({ status: 'sent', attempts: 1 });
  expect(smtp.received).toHaveLength(2);
});

test('a mail is dead after its last attempt, and when it has expired', async () => {
  const { db, module, smtp, later } = await startBoth({
    onMail: () => Promise.reject(smtpError(421)),
  });
  await sendMail(MAIL);
  await expect.poll(() => module.list()).toMatchObject([{ status: 'queued', attempts: 1 }]);
  db.exec('UPDATE background_jobs SET attempts = 199');
  await expect
    .poll(() => later(() => module.list()))
    .toMatchObject([{ status: 'dead', attempts: 200 }]);
  await sendMail({ ...MAIL, to: 'late@example.com' }, { expiresAt: new Date(Date.now() - 1) });
  await expect
    .poll(() => module.list({ to: 'late@example.com' }))
    .toMatchObject([{ status: 'dead', error: 'It was not sent before it expired' }]);
  expect(smtp.received).toEqual([]);
});

test('a server that is down costs no mail', async () => {
  const gone = await startSmtp();
  await gone.close();
  const { module, host, statuses, later } = await startMail(gone.url);
  await Promise.all(Array.from({ length: 20 }, () => sendMail(MAIL)));
  const failed = async () => (await module.list()).filter(({ error }) => error !== null).length;
  await expect.poll(failed).toBe(20);
  expect((await module.list())[0]?.error).toContain('ECONNREFUSED');
  // The server is not the application.
  expect((await host.ask('GET /ready')).status).toBe(200);
  const smtp = await startSmtp({ port: gone.port });
  await expect.poll(() => later(statuses)).toEqual(Array.from({ length: 20 }, () => 'sent'));
  expect(new Set(smtp.received.map(({ messageId }) => messageId)).size).toBe(20);
});

test('a stop lets the mail on its way arrive, and releases what takes too long', async () => {
  let accept = (): void => {};
  const accepted = new Promise<void>((resolve) => (accept = resolve));
  let asked = 0;
  const { smtp, db, host } = await startBoth(
    {
      async onMail({ to }) {
        asked++;
        await (to === MAIL.to ? accepted : new Promise(() => {}));
      },
    },
    { stopTimeoutMs: 300 },
  );
  await sendMail(MAIL);
  await sendMail({ ...MAIL, to: 'slow@example.com' });
  await expect.poll(() => asked).toBe(2);
  const stopped = host.stop();
  accept();
  await stopped;
  expect(smtp.received.map(({ to }) => to)).toEqual([MAIL.to]);
  expect(
    db.prepare('SELECT status, attempts, lease FROM background_jobs ORDER BY status').all(),
  ).toEqual([
    { status: 'done', attempts: 1, lease: null },
    { status: 'queued', attempts: 0, lease: null },
  ]);
  expect(() => sendMail(MAIL)).toThrow(expect.objectContaining({ code: 'ERR_JOBS_NOT_STARTED' }));
});

test('the mails that wait in the table of version 1 are sent, with their ids', async () => {
  const db = openSqlite([
    ...jobsMigrations,
    ...portableMigrations([{ id: '0001_mail_create_outbox', up: OUTBOX_OF_VERSION_1 }]),
  ]);
  const insert = db.prepare(
    'INSERT INTO mail_outbox VALUES (?, ?, NULL, ?, ?, ?, ?, 0, 0, ?, NULL, 0, NULL, 1, NULL)',
  );
  const content = JSON.stringify({
    from: { name: '', address: 'a@shop.example' },
    to: { name: '', address: 'b@example.com' },
    subject: 'Old',
    text: 'Old',
  });
  insert.run('old', '<old@shop.example>', 'queued', 'b@example.com', 'Old', content, null);
  insert.run('late', '<late@shop.example>', 'queued', 'b@example.com', 'Old', content, 2);
  insert.run('sent', '<sent@shop.example>', 'sent', 'b@example.com', 'Old', null, null);
  const smtp = await startSmtp();
  const jobs = createJobsModule({ database: () => db, pollMs: 5 });
  const module = createMailModule({ database: () => db });
  const env = { NODE_ENV: 'production', SMTP_URL: smtp.url, MAIL_FROM: 'a@shop.example' };
  await startHost('express', [jobs, module], env);
  await expect
    .poll(async () => (await module.list()).map(({ id, status }) => `${id} ${status}`).sort())
    .toEqual(['late dead', 'old sent']);
  expect(smtp.received).toMatchObject([{ messageId: '<old@shop.example>', to: 'b@example.com' }]);
  expect(db.prepare('SELECT id FROM mail_outbox').all()).toEqual([{ id: 'sent' }]);
});

test.each([
  [{ SMTP_URL: '', MAIL_FROM: '' }, ['SMTP_URL', 'MAIL_FROM']],
  [{ SMTP_URL: 'http://host', MAIL_FROM: 'a@b.example' }, ['SMTP_URL']],
  [
    { SMTP_URL: 'smtp://u:%zz@host', MAIL_FROM: 'App <a@b.example>\nBcc: c@d.example' },
    ['SMTP_URL', 'MAIL_FROM'],
  ],
  [{ NODE_ENV: 'development' }, []],
  [{ NODE_ENV: 'test', SMTP_URL: 'x' }, ['SMTP_URL']],
])('checkSettings() of %o names %o, without the values', (env, names) => {
  const problems = createMailModule({ database: () => openSqlite([]) }).checkSettings(env);
  expect(problems.map(({ name }) => name)).toEqual(names);
  expect(JSON.stringify(problems)).not.toMatch(/zz|Bcc/);
});

test('nothing is sent from a test, whatever SMTP_URL is', async () => {
  const smtp = await startSmtp();
  const env = { NODE_ENV: 'test', SMTP_URL: smtp.url };
  const { module } = await startMail(smtp.url, { env });
  await sendMail(MAIL);
  await expect
    .poll(() => module.list())
    .toMatchObject([{ status: 'sent', content: { text: MAIL.text } }]);
  expect(smtp.received).toEqual([]);
});
