/** stackyard/mail in both foundations on SQLite, with a real SMTP server. On PostgreSQL, and killed, see mail.long.test.ts. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  createMailModule,
  letter,
  mailMigrations,
  type MailModuleOptions,
  sendMail,
} from '../../builds/stackyard/mail/index.js';
import { FRAMEWORKS, openSqlite, startHost } from './module-host.ts';
import { type SmtpAnswers, smtpError, startSmtp } from './smtp-fixture.ts';

const MAIL = { to: 'a@example.com', subject: 'Hello', text: 'Hello Ada' };
const FAST = { pollMs: 5, firstPauseMs: 1, maxPauseMs: 5 };

async function startMail(smtpUrl: string, options: Partial<MailModuleOptions> = {}) {
  const db = openSqlite(mailMigrations);
  const module = createMailModule({ database: () => db, ...FAST, ...options });
  const env = {
    NODE_ENV: 'production',
    SMTP_URL: smtpUrl,
    MAIL_FROM: 'App <no-reply@shop.example>',
  };
  expect(module.checkSettings(env)).toEqual([]);
  const host = await startHost('express', [module], env);
  const statuses = async () => (await module.list()).map(({ status }) => status);
  return { db, module, host, statuses };
}

async function startBoth(answers: SmtpAnswers = {}, options: Partial<MailModuleOptions> = {}) {
  const smtp = await startSmtp(answers);
  return { smtp, ...(await startMail(smtp.url, options)) };
}

describe.each(FRAMEWORKS)('on %s', (framework) => {
  const start = async (env: Record<string, string>) => {
    const db = openSqlite(mailMigrations);
    const module = createMailModule({ database: () => db });
    return startHost(framework, [module], env);
  };

  test('the development inbox has pages and JSON, and is described', async () => {
    const host = await start({ NODE_ENV: 'test', DOCS: 'on' });
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
    expect((await host.ask('POST /dev/mail')).status).toBe(404);
    expect((await host.ask('HEAD /dev/mail/messages')).status).toBe(200);
    expect((await host.ask('GET /ready')).status).toBe(200);
    const { body: openapi } = await host.ask('GET /openapi.json');
    expect(await new Validator().validate(openapi)).toMatchObject({ valid: true });
    const { paths, components } = openapi;
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(['/dev/mail/messages', '/dev/mail/messages/{id}']),
    );
    expect(components.schemas.InboxMail.type).toBe('object');
  });

  test.each(['production', ' development', 'Development', 'staging', ''])(
    'there is no inbox with NODE_ENV "%s"',
    async (mode) => {
      const db = openSqlite(mailMigrations);
      const module = createMailModule({ database: () => db });
      // As where the application is built before the modules start.
      const { routes } = module;
      expect(routes).toHaveLength(1);
      module.start({
        env: { NODE_ENV: mode, SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@example.com' },
        log: console,
      });
      onTestFinished(() => module.stop());
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
  db.exec('DROP TABLE mail_outbox');
  expect(order('a@example.com', false)).toThrow('no such table');
  expect(db.prepare('SELECT count(*) AS n FROM orders').get()).toEqual({ n: 1 });
});

test('what is sent has one Message-ID, both texts, and no text is kept', async () => {
  const { smtp, module } = await startBoth();
  const html = letter('Hällo').html;
  const to = { name: 'Ada "the first", Müller', address: 'ada@example.com' };
  const id = await sendMail({ ...MAIL, to, subject: 'Grüße', html, replyTo: 'help@shop.example' });
  await expect.poll(() => module.list()).toMatchObject([{ id, status: 'sent', attempts: 1 }]);
  const [mail] = await module.list();
  expect(mail).not.toHaveProperty('content');
  const [got] = smtp.received;
  expect(got).toMatchObject({
    from: 'no-reply@shop.example',
    to: 'ada@example.com',
    messageId: mail?.messageId,
  });
  expect(mail?.messageId).toBe(`<${id}@shop.example>`);
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

test('4xx is tried again with the same Message-ID, 5xx is a dead letter that can be sent again', async () => {
  let busy = 3;
  let isRefused = true;
  const ids: string[] = [];
  const { smtp, module, host } = await startBoth({
    onRecipient(address) {
      if (address === 'gone@example.com' && isRefused)
        throw smtpError(550, '5.1.1 <gone@example.com>: no such user');
    },
    onMail({ messageId, to }) {
      if (to === MAIL.to) ids.push(messageId);
      if (to === MAIL.to && busy-- > 0) throw smtpError(451, 'greylisted');
    },
  });
  await sendMail(MAIL);
  const gone = await sendMail({ ...MAIL, to: 'gone@example.com' });
  await expect
    .poll(() => module.list({ to: MAIL.to }))
    .toMatchObject([{ status: 'sent', attempts: 4, error: null }]);
  expect([ids.length, new Set(ids).size]).toEqual([4, 1]);
  await expect
    .poll(() => module.list({ status: 'dead' }))
    .toMatchObject([{ id: gone, attempts: 1, error: expect.stringContaining('550') }]);
  // The log has no address.
  expect(JSON.stringify(host.log)).not.toContain('@example.com');
  expect(host.log).toContainEqual(expect.objectContaining({ mail: gone, code: 550, level: 50 }));

  isRefused = false;
  expect([
    await module.sendAgain(gone!),
    await module.sendAgain(gone!),
    await module.sendAgain('x'),
  ]).toEqual([true, false, false]);
  await expect
    .poll(() => module.list({ to: 'gone@example.com' }))
    .toMatchObject([{ status: 'sent', attempts: 1 }]);
  expect(smtp.received).toHaveLength(2);
});

test('a mail is a dead letter after its last attempt, and when it has expired', async () => {
  const { module, smtp } = await startBoth(
    { onMail: () => Promise.reject(smtpError(421)) },
    { maxAttempts: 3 },
  );
  await sendMail(MAIL);
  await expect.poll(() => module.list()).toMatchObject([{ status: 'dead', attempts: 3 }]);
  await sendMail({ ...MAIL, to: 'late@example.com' }, { expiresAt: new Date(Date.now() - 1) });
  const late = () => module.list({ to: 'late@example.com' });
  await expect
    .poll(late)
    .toMatchObject([{ status: 'dead', error: 'It was not sent before it expired' }]);
  expect(smtp.received).toEqual([]);
});

test('a server that is down costs no mail', async () => {
  const gone = await startSmtp();
  await gone.close();
  const { module, host, statuses } = await startMail(gone.url);
  await Promise.all(Array.from({ length: 20 }, () => sendMail(MAIL)));
  await expect
    .poll(() => host.log.filter(({ msg }) => String(msg).startsWith('A mail was not sent')).length)
    .toBeGreaterThan(1);
  const reason = expect.stringContaining('ECONNREFUSED') as string;
  expect(host.log).toContainEqual(expect.objectContaining({ code: 'ESOCKET', reason }));
  // The server is not the application.
  expect((await host.ask('GET /ready')).status).toBe(200);
  const smtp = await startSmtp({ port: gone.port });
  await expect.poll(statuses).toEqual(Array.from({ length: 20 }, () => 'sent'));
  expect(new Set(smtp.received.map(({ messageId }) => messageId)).size).toBe(20);
  expect((await module.list({ status: 'dead' })).length).toBe(0);
});

test('a stop lets the mail on its way arrive, and releases what takes too long', async () => {
  let accept = (): void => {};
  const accepted = new Promise<void>((resolve) => (accept = resolve));
  let asked = 0;
  const { smtp, db, module, host } = await startBoth(
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
    db
      .prepare('SELECT recipient, status, attempts, lease FROM mail_outbox ORDER BY recipient')
      .all(),
  ).toEqual([
    { recipient: MAIL.to, status: 'sent', attempts: 1, lease: null },
    { recipient: 'slow@example.com', status: 'queued', attempts: 0, lease: null },
  ]);
  expect(() => sendMail(MAIL)).toThrow(expect.objectContaining({ code: 'ERR_MAIL_NOT_STARTED' }));
  expect(() => module.checks.mail()).toThrow('not started');
});

test('a mail that was sent while the database takes no writes is not sent again', async () => {
  const full = { isFull: false };
  const db = openSqlite(mailMigrations);
  db.function('is_full', () => (full.isFull ? 1 : 0));
  db.exec(
    "CREATE TEMP TRIGGER disk BEFORE UPDATE ON mail_outbox WHEN is_full() BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
  );
  const smtp = await startSmtp({ onMail: () => void (full.isFull = true) });
  const module = createMailModule({ database: () => db, ...FAST, leaseMs: 30 });
  const host = await startHost('express', [module], {
    NODE_ENV: 'production',
    SMTP_URL: smtp.url,
    MAIL_FROM: 'a@shop.example',
  });
  await sendMail(MAIL);
  await expect.poll(async () => (await host.ask('GET /ready')).status).toBe(503);
  expect(await module.list()).toMatchObject([{ status: 'queued' }]);
  full.isFull = false;
  await expect.poll(() => module.list()).toMatchObject([{ status: 'sent' }]);
  await expect.poll(async () => (await host.ask('GET /ready')).status).toBe(200);
  expect(smtp.received).toHaveLength(1);
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
  const db = openSqlite(mailMigrations);
  const module = createMailModule({ database: () => db, ...FAST });
  await startHost('express', [module], { NODE_ENV: 'test', SMTP_URL: smtp.url });
  await sendMail(MAIL);
  await expect
    .poll(() => module.list())
    .toMatchObject([{ status: 'sent', content: { text: MAIL.text } }]);
  expect(smtp.received).toEqual([]);
});
