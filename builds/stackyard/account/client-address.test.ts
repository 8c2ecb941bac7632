// The form of addresses by which attempts are counted.

import { expect, test } from 'vitest';
import { toNetwork } from './client-address.js';
import { startApp } from './test-app.js';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
  ['', ''],
  ['not an address', 'not an address'],
  ['x'.repeat(1000), 'x'.repeat(64)],
])('toNetwork() makes of %j', (address, network) => {
  expect(toNetwork(address)).toBe(network);
});

test('clientAddress() believes forwarded addresses only as Express does', async () => {
  const app = await startApp();
  const body = JSON.stringify({ email: 'a@x.co', password: 'wrong password' });
  const forwarded = { 'x-forwarded-for': '198.51.100.9' };
  await app.send('POST', '/auth/login', body, forwarded);
  const trusting = await startApp({
    before: [
      (req, _res, next) => {
        req.app.set('trust proxy', true);
        next();
      },
    ],
  });
  await trusting.send('POST', '/auth/login', body, forwarded);
  expect([app.events[0]?.address, trusting.events[0]?.address]).toEqual(['127.0.0.1', '198.51.100.9']);
  await Promise.all([app.close(), trusting.close()]);
});
