import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostOf, isLocal, suspicionOf } from './host.ts';

describe('hostOf()', () => {
  it.each([
    ['https://a.b.com/x?y#z', 'a.b.com'],
    ['//A.B.com:8080', 'a.b.com'],
    ['http://user:password@a.com/', 'a.com'],
    ['wss://a.com', 'a.com'],
    ['http://10.0.0.1/', '10.0.0.1'],
    ['api.telegram.org', 'api.telegram.org'],
    ['a.com/path', 'a.com'],
    ['a.com:443', 'a.com'],
  ])('%s: %s', (text, host) => {
    expect(hostOf(text)).toBe(host);
  });

  it.each([
    '',
    '/path',
    'localhost',
    'config.json',
    'index.test.ts',
    'a b.com',
    'http://',
    'http://\0.com/',
    '//...',
  ])('%j has none', (text) => {
    expect(hostOf(text)).toBeUndefined();
  });

  it('returns hosts that a URL could have, for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...Array.from('ab.:/@[]\0?-_ 1')) }),
        (text) => {
          const host = hostOf(text);
          expect(host ?? 'none').toMatch(/^(?:[a-z\d._-]+|\[[\da-f:]+\])$/);
        },
      ),
    );
  });

  it('is bounded on long text', () => {
    for (const text of ['a.'.repeat(500_000), `//${'@'.repeat(500_000)}`, '['.repeat(500_000)])
      expect(hostOf(text)).toBeUndefined();
  });
});

describe('isLocal()', () => {
  it.each([
    'localhost',
    'a.localhost',
    'db.internal',
    'x.test',
    'example.com',
    'www.example.org',
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '203.0.113.9',
    '239.1.1.1',
    '[::1]',
    '[fe80::1]',
    '[fd00::1]',
  ])('%s stays here', (host) => {
    expect(isLocal(host)).toBe(true);
  });

  it.each([
    'example.net.evil.com',
    'notexample.com',
    'a.com',
    '172.15.0.1',
    '172.32.0.1',
    '11.0.0.1',
    '8.8.8.8',
    '1.2.3.4',
    '4.4.4.4',
    '192.169.0.1',
    '[2001:db8::1]',
    'internal.com',
  ])('%s does not', (host) => {
    expect(isLocal(host)).toBe(false);
  });
});

describe('suspicionOf()', () => {
  it.each([
    ['http://45.9.148.3/x', 'address'],
    ['https://x.oastify.com', 'beacon'],
    ['https://webhook.site/abc', 'beacon'],
    ['https://discord.com/api/webhooks/1/x', 'webhook'],
    ['https://canary.discordapp.com/api/v10/webhooks/1/x', 'webhook'],
    ['https://cdn.discordapp.com/attachments/123/x.exe', 'webhook'],
    ['https://api.telegram.org/bot123:abc/sendMessage', 'webhook'],
    ['https://hooks.slack.com/services/T0', 'webhook'],
    ['https://pastebin.com/raw/x', 'paste'],
    ['https://transfer.sh/x', 'paste'],
    ['https://abc.ngrok-free.app/x', 'tunnel'],
    ['https://me.duckdns.org', 'dynamic'],
    ['http://x.repl.co/', 'dynamic'],
  ])('%s: %s', (text, kind) => {
    expect(suspicionOf(text)).toBe(kind);
  });

  it.each([
    'https://discord.com/developers/docs',
    'https://telegram.org/bot',
    'https://slack.com/api/chat.postMessage',
    'http://127.0.0.1:3000',
    'https://8.8.8.8/dns-query',
    'https://api.github.com',
    'https://notpastebin.com/x',
    'https://example.com',
    'not an address',
  ])('%s is usual', (text) => {
    expect(suspicionOf(text)).toBeUndefined();
  });
});
