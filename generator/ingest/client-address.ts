/**
 * Which client an address stands for: an IPv4 address, or the /64 network of an IPv6 address, since that
 * is what one household or machine is given and can choose freely within.
 */
import { isIPv4, isIPv6 } from 'node:net';

/** The longest form: an IPv6 address with a zone and a port. */
const MAX_ADDRESS_LENGTH = 80;
const MAPPED: RegExp = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;

/**
 * The client of an address, port and zone removed; `undefined` for what is no IP address.
 * @example
 * clientOf('[2001:db8::1]:443'); // '2001:db8:0:0'
 */
export function clientOf(address: string): string | undefined {
  if (isIPv4(address)) return address;
  if (address.length > MAX_ADDRESS_LENGTH) return undefined;
  const colon = address.indexOf(':');
  if (colon === address.lastIndexOf(':')) {
    const host = address.slice(0, colon);
    return colon >= 0 && /^\d{1,5}$/.test(address.slice(colon + 1)) && isIPv4(host)
      ? host
      : undefined;
  }
  const [, bracketed] = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(address) ?? [];
  const [plain = ''] = (bracketed ?? address).split('%', 1);
  if (!isIPv6(plain)) return undefined;
  const [, mapped] = MAPPED.exec(plain) ?? [];
  return mapped ?? networkOf(plain);
}

/** The first four groups of a valid IPv6 address, without leading zeros. */
function networkOf(address: string): string {
  const [head = '', tail] = address.toLowerCase().split('::', 2);
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  // A dotted end stands for two groups.
  const last = (after.length > 0 ? after : before).at(-1) ?? '';
  const missing =
    tail === undefined ? 0 : 8 - before.length - after.length - (last.includes('.') ? 1 : 0);
  const groups = [...before, ...Array.from({ length: missing }, () => '0'), ...after];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
