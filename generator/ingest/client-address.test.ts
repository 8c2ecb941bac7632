import fc from 'fast-check';
import { isIPv4, isIPv6 } from 'node:net';
import { describe, expect, it } from 'vitest';
import { clientOf } from './client-address.ts';

describe('clientOf()', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7:4711', '192.0.2.7'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:0DB8:0:0:9::1', '2001:db8:0:0'],
    ['[2001:db8::1]:443', '2001:db8:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4'],
    ['1:2:3:4:5:6:7::', '1:2:3:4'],
  ])('takes %s for %s', (address, client) => {
    expect(clientOf(address)).toBe(client);
  });

  it.each([
    '',
    '-',
    'host.example.org',
    '256.0.0.1',
    '01.2.3.4',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.4:port',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '1::2::3',
    ':1:2:3:4:5:6:7',
    '12345::',
    '[::1',
    '[::1]x',
    '1:2:3:4:5:6:7:1.2.3.4',
    `${'1:'.repeat(100)}1`,
  ])('refuses %j', (address) => {
    expect(clientOf(address)).toBeUndefined();
  });

  it('takes what is an address, and the same for every spelling of a network', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        // The URL standard gives the shortest spelling; the network has the same in both.
        const short = new URL(`http://[${address}]/`).hostname.slice(1, -1);
        expect(clientOf(address)).toBeDefined();
        expect(clientOf(short)).toBe(clientOf(address));
        expect(clientOf(address.toUpperCase())).toBe(clientOf(address));
      }),
    );
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(clientOf(address)).toBe(address);
      }),
    );
  });

  it('agrees with Node.js on what is an address', () => {
    const near = fc.string({
      unit: fc.constantFrom(...Array.from('0123456789abF:.')),
      maxLength: 24,
    });
    fc.assert(
      fc.property(near, (text) => {
        fc.pre(text.split(':').length !== 2); // That is a port.
        expect(clientOf(text) !== undefined).toBe(isIPv4(text) || isIPv6(text));
      }),
      { numRuns: 5_000 },
    );
  });
});
