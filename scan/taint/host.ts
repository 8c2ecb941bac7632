/** Classifies hosts: those on this machine, and those under which nobody publishes legitimately. */
import { wordPattern } from '../parse/word-list.ts';
import { UNKNOWN } from '../taint/value.ts';
import { BEACONS, DYNAMIC, PASTES, TUNNELS, WEBHOOKS } from './known-hosts.ts';

/** Why a host is suspicious. */
export type HostKind = 'address' | 'beacon' | 'webhook' | 'paste' | 'tunnel' | 'dynamic';

/** The host of an address, or of a bare host name; `undefined` when it is not constant. */
export function hostOf(text: string): string | undefined {
  const match =
    /^(?:[a-z][a-z0-9+.-]{1,20}:)?\/\/(?:[^/?#@\0]{0,200}@)?([^/?#:\0]{1,253}|\[[0-9a-f:]{2,45}\])/i.exec(
      text,
    );
  const bare = /^[\w-]{1,63}(?:\.[\w-]{1,63}){1,20}(?=[/:]|$)/.exec(text)?.[0];
  const host = match?.[1] ?? (bare !== undefined && FILE_NAME.test(bare) ? undefined : bare);
  if (host === undefined || host.includes(UNKNOWN)) return undefined;
  return /^(?:[\w.-]+|\[[0-9a-f:]+\])$/i.test(host) && /[a-z\d]/i.test(host)
    ? host.toLowerCase()
    : undefined;
}

/** Only this machine, a private network or an example. */
export function isLocal(host: string): boolean {
  return LOCAL_NAMES.test(host) || LOCAL_IPV4.test(host) || /^\[?(?:::1|f[cd]|fe80)/.test(host);
}

/** @param text the whole address */
export function suspicionOf(text: string): HostKind | undefined {
  const host = hostOf(text);
  if (host === undefined || isLocal(host)) return undefined;
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(host) || host.startsWith('[')) {
    // Of one digit each: resolvers, and examples such as 1.2.3.4.
    return /^\d(?:\.\d){3}$/.test(host) ? undefined : 'address';
  }
  if (BEACONS.test(host)) return 'beacon';
  if (WEBHOOKS.test(text)) return 'webhook';
  if (PASTES.test(host)) return 'paste';
  if (TUNNELS.test(host)) return 'tunnel';
  return DYNAMIC.test(host) ? 'dynamic' : undefined;
}

const LOCAL_NAMES = wordPattern(/^WORDS$/, {
  'this machine': ['localhost'],
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
const FILE_NAME = wordPattern(/\.WORDS$/i, {
  'settings and data': [/ini|json|ya?ml|xml|cfg|toml|conf|csv|db|sqlite|lock|map/],
  'text and pages': ['txt', /html?/, 'css', 'log'],
  pictures: ['png', /jpe?g/, 'gif', 'svg'],
  'code and programs': ['js', 'mjs', 'cjs', 'ts', 'exe', 'dll', 'jar', 'whl'],
  archives: ['gz', 'tar'],
});
