import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ciAudience, isReportAddress } from './report-service.ts';

test.each([
  ['https://reports.example', 'stackyard:reports.example'],
  ['https://reports.example/base/v1', 'stackyard:reports.example'],
  ['https://reports.example:8443', 'stackyard:reports.example:8443'],
  ['http://127.0.0.1:4000', 'stackyard:127.0.0.1:4000'],
  ['http://localhost:4000/auth', 'stackyard:localhost:4000'],
])('ciAudience() of %s is its host', (address, audience) => {
  expect([isReportAddress(address), ciAudience(address)]).toEqual([true, audience]);
});

test.each([
  'http://reports.example',
  'http://127.0.0.1.example.org',
  'http://localhost.example.org',
  'https://reports.example/',
  'https://reports.example//x',
  'https://reports.example/../x',
  'https://reports.example:443',
  'https://Reports.example',
  'https://reports.example?aud=sts.amazonaws.com',
  'https://reports.example#x',
  'https://user:word@reports.example',
  'https://good.example@evil.example',
  'https://good.example\\@evil.example',
  'https://reports.example/$(id)',
  'https://reports.example/`id`',
  'https://reports.example/a b',
  'https://reports.example\n',
  'https://reports.example.',
  'https://0x7f.1',
  'https://xn--',
  'ftp://reports.example',
  'sts.amazonaws.com',
  '',
])('isReportAddress() refuses %j', (address) => {
  expect(isReportAddress(address)).toBe(false);
  expect(() => ciAudience(address)).toThrow(TypeError);
});

test('ciAudience() is never that of another party, whatever the address', () => {
  const part = fc.stringMatching(/^[a-z0-9]{1,8}$/);
  const address = fc.oneof(
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.tuple(part, part).map(([host, path]) => `https://${host}.example/${path}`),
    fc.string().map((text) => `https://${text}`),
  );
  fc.assert(
    fc.property(address, (text) => {
      if (!isReportAddress(text)) return;
      const { host } = new URL(text);
      expect(ciAudience(text)).toBe(`stackyard:${host}`);
      expect(text.startsWith(`https://${host}`) || text.startsWith(`http://${host}`)).toBe(true);
      expect(text).toMatch(/^[A-Za-z0-9:/._~-]+$/);
    }),
  );
});
