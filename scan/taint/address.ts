/**
 * Reads addresses as the runtimes do: as `new URL()`, and as Python, curl and wget where they differ. Publishers write them: what any
 * runtime would contact counts, in every spelling. Which names of hosts are suspicious, `known-hosts.ts` says.
 */
import { unescape } from 'node:querystring';
import { getDomainWithoutSuffix } from 'tldts';
import { wordPattern } from '../parse/word-list.ts';
import { WEBHOOKS, isBeacon, isDynamic, isPaste, isTunnel } from './known-hosts.ts';
import { UNKNOWN } from './value.ts';

/** Why a host is suspicious; `unread`: no runtime reads the address, or two read different hosts in it. */
export type HostKind = 'address' | 'beacon' | 'webhook' | 'paste' | 'tunnel' | 'dynamic' | 'unread';

const WHOLE = /^[a-z][a-z\d+.-]*:\/\//i;
/** `new URL()`: any slashes or none after the scheme, and a backslash is a slash. */
const LAX = /^(?:(?:https?|wss?|ftp):[/\\]*|[/\\]{2,})([^/\\?#]*)/i;
/** The others, to which a backslash is a letter; the scheme may be unknown, but not that of a socket of this machine. */
const STRICT = /^(?:(?!unix:|npipe:)[a-z][a-z\d+.\0-]*:|:)?\/\/([^/?#]*)/i;
/** A name or number alone. IDNA knows four dots. */
const BARE =
  /^((?:[\w-]{1,63}[.\u3002\uff0e\uff61]){1,20}[a-z][a-z\d-]{1,62}|\d{1,3}(?:\.\d{1,3}){3})(?=[:/?#]|$)/i;
/** Of a page or service; the scheme alone is the beginning of one. */
const WEB = /^(?:https?|wss?|ftp):[/\\]*[^/\\]/i;
const BEFORE = /^(?:(?:(?!\0)[\p{Cc}\s])+|\0+(?=:\/\/|(?:https?|wss?|ftp):))/iu;
/** Port, and blanks at the end of an address. */
const END = /(?::[\d\0]*)?(?:(?!\0)[\p{Cc}\s])*$/u;
const NUMBER = /^\d+(?:\.\d+){3}$/;
/** No name is longer, also when each of its letters is written as `%xx`. */
const MAX_HOST = 760;

/** Every host that a runtime would contact for an address, or for the name of a host; none when it is not constant. */
export function hostsIn(text: string): readonly string[] {
  const clean = stripped(text);
  const [lax, strict, bare] = [LAX, STRICT, BARE].map((form) => form.exec(clean)?.[1]);
  const named = bare === undefined || FILE_NAME.test(bare) ? [] : [bare];
  // A database may have several hosts.
  const found = lax === undefined ? (strict?.split(',') ?? named) : [lax, strict ?? lax];
  return [...new Set(found.map(hostIn).filter((host) => host !== undefined))];
}

/** Runtimes ignore tabs, line breaks, and blanks at the start; before an address there may be nothing. */
function stripped(text: string): string {
  return text.replaceAll(/[\t\n\r]/g, '').replace(BEFORE, '');
}

/** The host of `user:password@host:port`, as `new URL()` writes it, without a dot at its end; `undefined` when it is not constant. */
function hostIn(authority: string): string | undefined {
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (host.length > MAX_HOST) return undefined;
  // What follows a whole name is most often a path.
  const name = host.replace(END, '').replace(/([^.\0-])\0+$/, '$1');
  if (name.includes(UNKNOWN)) return undefined;
  const url = URL.parse(`http://[${host}]/`) ?? URL.parse(`http://${name}/`);
  const written = url?.hostname.replace(/\.$/, '');
  return written === '' ? undefined : written;
}

/** The one host of an address, or the name of a host; `undefined` when it is not constant, or has a placeholder. */
export function hostOf(text: string): string | undefined {
  const [host = '', other] = hostsIn(text);
  const isPlain = /^(?:(?!\.)(?=[^a-z\d]*[a-z\d])[\w.-]+|\[[\da-f:]+\])$/.test(host);
  return isPlain && other === undefined ? host : undefined;
}

/** Host and path, decoded, without `..`; `''` when the host is not constant. */
export function placeOf(text: string): string {
  const [host, clean] = [hostOf(text), stripped(text)];
  const address = BARE.test(clean) ? `//${clean}` : clean;
  const { pathname = '', search = '' } = URL.parse(address, 'ftp://h') ?? {};
  return host === undefined ? '' : host + unescape(pathname + search);
}

/** Whether a text begins like the address of a page or service, also when nothing can read it. */
export function isAddressLike(text: string): boolean {
  return [LAX, WHOLE].some((form) => form.test(stripped(text)));
}

/** The addresses that a text may mean below `base`: runtimes disagree about `https:/x` and `//x`. */
export function addressesBelow(base: string, text: string): string[] {
  if (WHOLE.test(stripped(text))) return [text];
  const below = `${base.replace(/\/$/, '')}/${text.replace(/^\//, '')}`;
  return isAddressLike(text) ? [text, below] : [below];
}

/** The name that the owner of a host registered: `b` of `a.b.co.uk` and `b.github.io`. */
export function ownerOf(host: string): string {
  return getDomainWithoutSuffix(host, { allowPrivateDomains: true }) ?? '';
}

/** Only this machine, a private network or an example. */
export function isLocal(host: string): boolean {
  const [, high, low = ''] = /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(host) ?? [];
  const name = high === undefined ? host : hostIn(`0x${high}${low.padStart(4, '0')}`)!;
  return (NUMBER.test(name) ? LOCAL_IPV4 : LOCAL_NAMES).test(name);
}

/** @param text the whole address */
export function suspicionOf(text: string): HostKind | undefined {
  const hosts = hostsIn(text);
  const isUnread = hosts.length > 1 || (hosts.length === 0 && !text.includes(UNKNOWN));
  if (isUnread && WEB.test(stripped(text))) return 'unread';
  const host = hosts.find((one) => !isLocal(one));
  // Of one digit each: resolvers, and examples such as 1.2.3.4.
  if (host === undefined || /^\d(?:\.\d){3}$/.test(host)) return undefined;
  if (host.startsWith('[') || NUMBER.test(host)) return 'address';
  if (isBeacon(host)) return 'beacon';
  if (WEBHOOKS.test(placeOf(text))) return 'webhook';
  if (isPaste(host)) return 'paste';
  if (isTunnel(host)) return 'tunnel';
  return isDynamic(host) ? 'dynamic' : undefined;
}

const LOCAL_NAMES = wordPattern(/^WORDS$/, {
  'this machine, private networks (RFC 4193) and one link': [
    /localhost|\[(?:::[\da-f]{0,4}|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)\]/,
  ],
  'top-level names that no public name server answers (RFC 2606, RFC 6761, RFC 6762)': [
    /.*\.(?:localhost|local|internal|test|invalid|example|lan)/,
  ],
  'reserved for documentation (RFC 2606)': [/(?:.*\.)?example\.(?:com|org|net)/],
});
const LOCAL_IPV4 = wordPattern(/^WORDS/, {
  'this machine': ['0.', '127.'],
  'private networks (RFC 1918)': ['10.', '192.168.', /172\.(?:1[6-9]|2\d|3[01])\./],
  'addresses of one link, and metadata services': ['169.254.'],
  'reserved for documentation (RFC 5737)': ['192.0.2.', '198.51.100.', '203.0.113.'],
  'multicast and reserved': [/22[4-9]\./, /2[345]\d\./],
});
/** Names of files that look like hosts; no domain has these endings. */
const FILE_NAME =
  /\.(?:ini|json|ya?ml|xml|cfg|toml|conf|csv|db|sqlite|lock|map|txt|html?|css|log|png|jpe?g|gif|svg|[mc]?js|ts|exe|dll|jar|whl|gz|tar)$/i;
