/** The client of a logged address, which counts once for each version and day. */
import ipaddr from 'ipaddr.js';

const { IPv4, IPv6 } = ipaddr;

/** The longest form: an IPv6 address with a zone and a port. */
const MAX_ADDRESS_LENGTH = 80;

/**
 * The client of an address, port and zone removed: an IPv4 address, or the /64 network of an IPv6 address, since that is what one
 * household or machine is given and can choose freely within. `undefined` for text that is no IP address.
 * @example
 * clientOf('[2001:db8::1]:443'); // '2001:db8:0:0'
 */
export function clientOf(address: string): string | undefined {
  if (address.length > MAX_ADDRESS_LENGTH) return undefined;
  const [, four, six] =
    /^(?:([\d.]+)(?::\d{1,5})?|\[([\da-f:.]+)(?:%\w+)?\](?::\d{1,5})?)$/i.exec(address) ?? [];
  if (four !== undefined) return IPv4.isValidFourPartDecimal(four) ? four : undefined;
  const text = (six ?? address.replace(/%.*$/, '')).toLowerCase();
  if (!IPv6.isValid(text)) return undefined;
  const ip = IPv6.parse(text);
  // The library also takes ::192.0.2.7 for a mapped address.
  if (ip.isIPv4MappedAddress() && text.includes('ffff')) return ip.toIPv4Address().toString();
  return ip.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}
