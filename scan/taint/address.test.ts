import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../parse/word-list.ts';
import {
  addressesBelow,
  hostOf,
  hostsIn,
  isLocal,
  ownerOf,
  placeOf,
  suspicionOf,
} from './address.ts';

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
    ['//::1/', '[::1]'],
    ['//2600::/', '[2600::]'],
    ['https://a.com\0', 'a.com'],
    ['https://a.com:\0/x', 'a.com'],
    ['https://\0@a.com/x', 'a.com'],
    ['\0://a.com/x', 'a.com'],
    ['\0https://a.com/x', 'a.com'],
  ])('%s: %s', (text, host) => {
    expect(hostOf(text)).toBe(host);
  });

  it.each([
    '',
    '/path',
    'localhost',
    'config.json',
    '.gitmodules',
    'unix://~/.docker/run/docker.sock',
    'index.test.ts',
    'a b.com',
    'http://',
    'http://\0.com/',
    'a\0.com',
    'https://a.\0/x',
    'https://\0.a.com',
  ])('%j has none', (text) => {
    expect(hostOf(text)).toBeUndefined();
  });

  it('is undefined where programs read two hosts, or a placeholder', () => {
    expect(hostOf('https://a.com\\@b.com/')).toBeUndefined();
    expect(hostOf('https://${HOST}/x')).toBeUndefined();
  });

  it('is bounded on long text', () => {
    for (const text of ['a.'.repeat(500_000), `//${'@'.repeat(500_000)}`, '['.repeat(500_000)])
      expect(hostOf(text)).toBeUndefined();
  });
});

describe('hostsIn()', () => {
  it('begins with the host of new URL(), for any text that it reads', () => {
    const part = fc.constantFrom(
      ...Array.from('://\\\\@.?#%63 \t\n\u3002\uff43\u00ad[]aB1_$x'),
      'a.com',
      '%2e',
    );
    const scheme = fc.constantFrom('http:', 'https:', ' HTTPS:', 'ht\ttp:', 'http:/', 'https://');
    const text = fc
      .tuple(scheme, fc.array(part, { maxLength: 12 }))
      .map(([a, b]) => a + b.join(''));
    const read = (one: string): boolean =>
      // A dot alone is no name: others read the address differently.
      URL.canParse(one) && /^https?:$/.test(new URL(one).protocol) && new URL(one).hostname !== '.';
    fc.assert(
      fc.property(text.filter(read), (one) => {
        expect(hostsIn(one)[0] ?? '').toBe(new URL(one).hostname.replace(/\.$/, ''));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['https://a.com\\@b.com/x', ['a.com', 'b.com']],
    ['mongodb://user:word@a.com:1,b.com:2/x', ['a.com', 'b.com']],
    ['https:///', []],
  ])('%s: %j', (text, hosts) => {
    expect(hostsIn(text)).toEqual(hosts);
  });
});

describe('placeOf()', () => {
  it.each([
    ['https://A.com/b/../c?d=%41#e', 'a.com/c?d=A'],
    ['https:\\\\a.com\\b\\%2e%2e\\c', 'a.com/c'],
    ['https://a.com/%zz', 'a.com/%zz'],
    ['https://a.com//b.com/\0/c', 'a.com//b.com/\0/c'],
    ['a.com/b', 'a.com/b'],
    ['https://a.com\\@b.com/x', ''],
    ['/b', ''],
  ])('%s: %j', (text, place) => {
    expect(placeOf(text)).toBe(place);
  });
});

describe('ownerOf()', () => {
  it.each([
    ['a.b.com', 'b'],
    ['a.b.co.uk', 'b'],
    ['b.github.io', 'b'],
    ['b.vercel.app', 'b'],
    ['github.io', ''],
    ['localhost', ''],
    ['127.0.0.1', ''],
  ])('of %s is %j', (host, owner) => {
    expect(ownerOf(host)).toBe(owner);
  });
});

describe('addressesBelow()', () => {
  it.each([
    ['/x', ['https://a.com/x']],
    ['x', ['https://a.com/x']],
    ['http://b.com/x', ['http://b.com/x']],
    ['//b.com/x', ['//b.com/x', 'https://a.com//b.com/x']],
    ['https:/b.com', ['https:/b.com', 'https://a.com/https:/b.com']],
  ])('%s: %j', (text, addresses) => {
    expect(addressesBelow('https://a.com/', text)).toEqual(addresses);
  });
});

describe('isLocal()', () => {
  const local = wordsOf([
    'localhost a.localhost db.internal x.test example.com www.example.org 127.0.0.1',
    '0.0.0.0 10.1.2.3 172.16.0.1 172.31.0.1 192.168.0.1 169.254.169.254 203.0.113.9',
    '239.1.1.1 [::1] [::] [fe80::1] [fd00::1] [::ffff:7f00:1]',
  ]);
  const others = wordsOf([
    'example.net.evil.com notexample.com a.com internal.com 172.15.0.1 172.32.0.1',
    '11.0.0.1 8.8.8.8 1.2.3.4 4.4.4.4 192.169.0.1 [2001:db8::1] [::ffff:808:808]',
    'fdn-metrics.com fc00.a.com 10.a.com 127.0.0.1.nip.io',
  ]);

  it.each(local)('%s stays here', (host) => {
    expect(isLocal(host)).toBe(true);
  });

  it.each(others)('%s does not', (host) => {
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
    ['https:\\\\x.oastify.com.', 'beacon'],
    ['https://discord.com/x/..\\%61pi/webhooks/1/x', 'webhook'],
    ['http://0x2d.627715', 'address'],
    ['https://github.com\\@a.com/', 'unread'],
    ['https://[zz]/', 'unread'],
  ])('%s: %s', (text, kind) => {
    expect(suspicionOf(text)).toBe(kind);
  });

  it.each([
    'https://discord.com/developers/docs',
    // The beginning of one.
    'https://',
    '//::443/',
    'https://telegram.org/bot',
    'https://slack.com/api/chat.postMessage',
    'http://127.0.0.1:3000',
    'https://8.8.8.8/dns-query',
    'https://api.github.com',
    'https://notpastebin.com/x',
    'https://example.com',
    'https://\0/x',
    'https:\0',
    'not an address',
  ])('%s is usual', (text) => {
    expect(suspicionOf(text)).toBeUndefined();
  });
});
