// The links and texts of the mails.

import { describe, expect, test } from 'vitest';
import { linkBelow, writeMail } from './recovery-mail.js';

describe('linkBelow()', () => {
  test.each([
    ['https://app.example.com', 'https://app.example.com/'],
    ['https://app.example.com/', 'https://app.example.com/'],
    ['http://localhost:5173/a//', 'http://localhost:5173/a/'],
    ['https://app.example.com/a/b?x=1#y', 'https://app.example.com/a/b/'],
  ])('links to the pages below %j', (baseUrl, folder) => {
    expect(linkBelow(baseUrl)('password_reset', 'T')).toBe(`${folder}reset-password?token=T`);
    expect(linkBelow(baseUrl)('email_verification', 'T')).toBe(`${folder}verify-email?token=T`);
  });

  test.each(['', 'app.example.com', '/reset', 'javascript:alert(1)', 'ftp://x.co', 'https://'])('refuses %j', (text) => {
    expect(() => linkBelow(text)).toThrow(RangeError);
  });
});

describe('writeMail()', () => {
  const mail = (ttlSeconds: number) =>
    writeMail({
      to: 'a@example.com',
      purpose: 'password_reset',
      token: 'T',
      link: 'https://x.co/?token=T',
      expiresAt: '2026-11-21T10:00:00.000Z',
      ttlSeconds,
    });

  test('has the address, the link and the time in its text', () => {
    expect(mail(1800)).toEqual({
      to: 'a@example.com',
      purpose: 'password_reset',
      token: 'T',
      link: 'https://x.co/?token=T',
      expiresAt: '2026-11-21T10:00:00.000Z',
      subject: 'Reset your password',
      text:
        'A new password was requested for the account a@example.com.\n\n' +
        'To choose one, open this link within 30 minutes:\nhttps://x.co/?token=T\n\n' +
        'If you did not request it, do nothing: your password stays as it is.\n',
    });
  });

  test.each([
    [1, '1 second'],
    [119, '119 seconds'],
    [120, '2 minutes'],
    [7199, '119 minutes'],
    [86_400, '24 hours'],
  ])('writes %d seconds', (seconds, text) => {
    expect(mail(seconds).text).toContain(`within ${text}:`);
  });
});
