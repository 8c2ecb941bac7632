/**
 * Which client an address identifies: an IPv4 address, or the /64 network of an IPv6 address, since that
 * is what one household or machine is given and can choose freely within.
 */

/** The longest form: an IPv6 address with a zone and a port. */
const MAX_ADDRESS_LENGTH = 80;
const COLON = 0x3a;
const DOT = 0x2e;
const GROUPS = 8;
const PORT: RegExp = /^\d{1,5}$/;

/**
 * The client of an address, port and zone removed; `undefined` for text that is no IP address.
 * @example
 * clientOf('[2001:db8::1]:443'); // '2001:db8:0:0'
 */
export function clientOf(address: string): string | undefined {
  const colon = address.indexOf(':');
  if (colon < 0) return isIpv4(address) ? address : undefined;
  if (address.length > MAX_ADDRESS_LENGTH) return undefined;
  if (colon === address.lastIndexOf(':')) {
    const host = address.slice(0, colon);
    return PORT.test(address.slice(colon + 1)) && isIpv4(host) ? host : undefined;
  }
  return networkOf(withoutPort(address));
}

function isIpv4(text: string): boolean {
  return text.length <= 15 && ipv4End(text, 0) === text.length;
}

/** Where four octets end that begin at `from`; -1 when there are none. */
function ipv4End(text: string, from: number): number {
  let at = from;
  for (let octet = 0; octet < 4; octet += 1) {
    if (octet > 0) {
      if (text.charCodeAt(at) !== DOT) return -1;
      at += 1;
    }
    const start = at;
    let value = 0;
    for (; at < start + 3; at += 1) {
      const digit = text.charCodeAt(at) - 0x30;
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
    }
    // A leading zero could mean an octal number.
    const hasLeadingZero = at > start + 1 && text.charCodeAt(start) === 0x30;
    if (at === start || value > 255 || hasLeadingZero) return -1;
  }
  return at;
}

/** Takes the brackets, the port and the zone off. */
function withoutPort(address: string): string {
  let text = address;
  if (text.startsWith('[')) {
    const close = text.indexOf(']');
    const port = text.slice(close + 1);
    if (close < 0 || (port !== '' && !(port.startsWith(':') && PORT.test(port.slice(1)))))
      return '';
    text = text.slice(1, close);
  }
  const zone = text.indexOf('%');
  return zone < 0 ? text : text.slice(0, zone);
}

/** The /64 network of an IPv6 address, or the IPv4 address that is mapped into it (RFC 4291, 2.5.5.2). */
function networkOf(text: string): string | undefined {
  const groups: number[] = [];
  let gap = -1;
  let at = 0;
  if (text.startsWith('::')) {
    gap = 0;
    at = 2;
  }
  while (at < text.length) {
    const [start, group] = [at, groups.length];
    let value = 0;
    for (; at < start + 4; at += 1) {
      const digit = hexDigit(text.charCodeAt(at));
      if (digit < 0) break;
      value = value * 16 + digit;
    }
    if (text.charCodeAt(at) === DOT || (at - start === 4 && text.charCodeAt(at + 1) === DOT)) {
      if (ipv4End(text, start) !== text.length) return undefined;
      const [a = 0, b = 0, c = 0, d = 0] = text.slice(start).split('.').map(Number);
      groups.push(a * 256 + b, c * 256 + d);
      break;
    }
    if (at === start || group === GROUPS) return undefined;
    groups.push(value);
    if (at === text.length) break;
    if (text.charCodeAt(at) !== COLON) return undefined;
    at += 1;
    if (text.charCodeAt(at) === COLON) {
      if (gap >= 0) return undefined;
      gap = groups.length;
      at += 1;
    } else if (at === text.length) return undefined;
  }
  if (gap < 0 ? groups.length !== GROUPS : groups.length >= GROUPS) return undefined;
  while (groups.length < GROUPS) groups.splice(gap, 0, 0);
  return formatNetwork(groups);
}

function formatNetwork(groups: readonly number[]): string {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups;
  if ((a | b | c | d | e) === 0 && f === 0xffff) {
    return `${g >> 8}.${g & 255}.${h >> 8}.${h & 255}`;
  }
  return `${a.toString(16)}:${b.toString(16)}:${c.toString(16)}:${d.toString(16)}`;
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = (code | 0x20) - 0x61;
  return letter >= 0 && letter <= 5 ? letter + 10 : -1;
}
