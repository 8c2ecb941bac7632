// Where a request comes from, in the form by which attempts are counted.

import { isIPv4, isIPv6 } from 'node:net';

const MAX_LENGTH = 64;
const MAPPED_IPV4 = /^(?:0{1,4}:){5}ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/**
 * `203.0.113.7` as it is, and `2001:db8:1:2:3::4` as `2001:db8:1:2::/64`: a client commonly has all addresses below the
 * first 64 bits. Other texts are only shortened.
 */
export function toNetwork(address: string): string {
  const [plain = ''] = address.trim().toLowerCase().split('%');
  if (isIPv4(plain) || !isIPv6(plain)) return plain.slice(0, MAX_LENGTH);
  const groups = expand(plain);
  const mapped = MAPPED_IPV4.exec(groups.join(':'));
  if (mapped) return [mapped[1], mapped[2]].map(toOctets).join('.');
  return `${groups.slice(0, 4).join(':')}::/64`;
}

// The eight groups, `::` filled in and a dotted end turned into two groups.
function expand(address: string): string[] {
  const hexadecimal = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) => {
    const group = (high: string, low: string) => (Number(high) * 256 + Number(low)).toString(16);
    return `${group(String(a), String(b))}:${group(String(c), String(d))}`;
  });
  const [first = [], last = []] = hexadecimal
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  return [...first, ...zeros, ...last].map((group) => Number.parseInt(group, 16).toString(16));
}

function toOctets(group = '0'): string {
  const value = Number.parseInt(group, 16);
  return `${value >> 8}.${value & 255}`;
}
