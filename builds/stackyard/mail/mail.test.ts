// What a mail may hold, what templates escape, and what the failures of a transport mean. Over SMTP see
// tests/modules/mail.test.ts.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkMail, MailError, parseMailbox } from './mail.js';
import { explainFailure, findUrlFault } from './smtp.js';
import { html, letter } from './templates.js';

const FROM = { name: 'App', address: 'app@shop.example' };
const MAIL = { to: 'a@example.com', subject: 'Hello', text: 'Hi' };

test.each([
  ['a@example.com', { name: '', address: 'a@example.com' }],
  ['App <no-reply@example.com>', { name: 'App', address: 'no-reply@example.com' }],
  ['"Shop, Ltd" <a+b@example.com>', { name: 'Shop, Ltd', address: 'a+b@example.com' }],
  [{ address: 'jörg@bücher.example' }, { name: '', address: 'jörg@bücher.example' }],
])('parseMailbox() reads %o', (mailbox, address) => {
  expect(parseMailbox('to', mailbox)).toEqual(address);
});

test.each([
  '', 'a', '@b.example', 'a@', 'a@b@c.example', 'a b@example.com', 'a@example.com, b@example.com',
  'a@example.com\nBcc: b@example.com', 'A\r\nBcc: b@example.com <a@example.com>', '<a@example.com>, <b@example.com>',
  '"a@b"@example.com', `a@${'x'.repeat(260)}.example`, { name: 'A\u2028B', address: 'a@example.com' },
  { address: 'a@example.com\0' }, { address: '\ud800@example.com' }, { address: 1 as never },
])('parseMailbox() refuses %o', (mailbox) => {
  expect(() => parseMailbox('to', mailbox)).toThrow(MailError);
});

test.each([
  [{ subject: 'a\r\nBcc: b@example.com' }, 'subject'],
  [{ subject: 'x'.repeat(501) }, 'subject'],
  [{ subject: 'a\u0085b' }, 'subject'],
  [{ text: 'a\0' }, 'text'],
  [{ text: undefined as never }, 'text'],
  [{ html: '\udc00' }, 'html'],
  [{ html: 'x'.repeat(500_001) }, 'html'],
  [{ replyTo: 'a@b.example\n' }, 'replyTo'],
  [{ from: 'nobody' }, 'from'],
])('checkMail() refuses %o', (part, field) => {
  expect(() => checkMail({ ...MAIL, ...part }, FROM)).toThrow(`Cannot send the mail: "${field}"`);
});

test('checkMail() takes a mail whose headers are one line each', () => {
  const unit = fc.constantFrom('a', ' ', '\r', '\n', '\0', '\u2028', '<', '@', '"', '\ud800', 'é');
  const lines = fc.string({ unit, maxLength: 6 });
  fc.assert(
    fc.property(lines, lines, (subject, name) => {
      let taken;
      try {
        taken = checkMail({ ...MAIL, subject, to: { name, address: 'a@example.com' } }, FROM);
      } catch (error) {
        return error instanceof MailError;
      }
      return !/[\r\n\0\u2028\u2029]/.test(taken.subject + taken.to.name);
    }),
  );
  const to = { name: '', address: 'a@example.com' };
  expect(checkMail(MAIL, FROM)).toEqual({ from: FROM, to, subject: 'Hello', text: 'Hi' });
});

test('html escapes what is put into it, once', () => {
  const name = `<img src=x onerror="a()"> & 'b'`;
  const inner = html`<b title="${name}">${name}</b>`;
  expect(String(html`<p>${inner}${[1, inner]}${undefined}${null}${false}</p>`)).toBe(`<p>${inner}1${inner}</p>`);
  expect(String(inner)).toBe(`<b title="${escaped}">${escaped}</b>`);
});

const escaped = '&#60;img src=x onerror=&#34;a()&#34;&#62; &#38; &#39;b&#39;';

test('html has no quote and no angle bracket of a value', () => {
  fc.assert(fc.property(fc.string(), (text) => !/[<>"']/.test(String(html`${text}`))));
});

test('letter() writes the text and the HTML', () => {
  const { text, html: page } = letter('Hello <Ada>', { label: 'Begin', url: 'https://shop.example/?a=1&b=2' });
  expect(text).toBe('Hello <Ada>\n\nBegin:\nhttps://shop.example/?a=1&b=2\n');
  expect(String(page)).toContain('<p>Hello &#60;Ada&#62;</p>');
  expect(String(page)).toContain('href="https://shop.example/?a=1&#38;b=2">Begin</a>');
  for (const url of ['javascript:alert(1)', '/path', 'https://a b', '']) {
    expect(() => letter({ label: 'x', url })).toThrow(TypeError);
  }
});

test.each([
  [{ response: '550 no', responseCode: 550, command: 'RCPT TO', code: 'EENVELOPE' }, true],
  [{ response: 'hello?', command: 'DATA', code: 'EMESSAGE' }, false],
  [{ responseCode: 554, command: 'DATA', code: 'EMESSAGE' }, true],
  [{ response: '451 no', responseCode: 451, command: 'DATA', code: 'EMESSAGE' }, false],
  [{ response: '421 no', responseCode: 421, command: 'MAIL FROM', code: 'EENVELOPE' }, false],
  [{ command: 'MAIL FROM', code: 'EMESSAGE' }, true],
  [{ responseCode: 535, command: 'AUTH PLAIN', code: 'EAUTH', permanent: true }, false],
  [{ responseCode: 500, command: 'STARTTLS', code: 'ETLS', permanent: true }, false],
  [{ command: 'CONN', code: 'ETIMEDOUT' }, false],
  [{ permanent: true }, true],
  [{}, false],
])('explainFailure() of %o is permanent: %s', (fields, permanent) => {
  const error = explainFailure(Object.assign(new Error('550 <a@b.example>: n\u00f6'), fields));
  expect(error).toMatchObject({ permanent, message: '550 <(address)>: n?' });
});

test('findUrlFault() takes URLs of SMTP only', () => {
  for (const url of ['smtp://127.0.0.1:25', 'smtps://u%40x:p@mail.example:465?name=a']) {
    expect(findUrlFault(url)).toBeUndefined();
  }
  for (const url of ['', 'mail.example', 'https://mail.example', 'smtp://', 'smtp://u:%@h']) {
    expect(findUrlFault(url)).toContain('Expected');
  }
});
