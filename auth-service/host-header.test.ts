import { expect, test } from 'vitest';
import { hasSeveralHosts } from './host-header.ts';

test.each([
  [[], false],
  [['Host', 'a'], false],
  [['Host', 'a', 'Accept', 'host', 'X-Host', 'b'], false],
  [['Host', 'a', 'Accept', '*/*', 'Host', 'b'], true],
  [['host', 'a', 'HOST', 'a'], true],
])('hasSeveralHosts() of %j: %j', (rawHeaders, expected) => {
  expect(hasSeveralHosts({ rawHeaders })).toBe(expected);
});
