/** Every spelling of an address that a runtime reads, in every call that sends: what a build sends there is seen. */
import { describe, expect, it } from 'vitest';
import { capabilitiesBeyond } from '../../format/index/capabilities.ts';
import { NO_CAPABILITIES, deriveCapabilities } from '../capabilities.ts';
import { riskOf } from '../risk.ts';
import { allRules } from '../rules/all.ts';
import { scan } from '../scan.ts';
import { testBuild } from '../test-build.ts';
import {
  SENDERS,
  SENDING_LINES,
  SENDING_REDIRECTS,
  SPELLINGS,
  hostOf,
} from '../../tests/spelled-addresses.ts';

function judge(path: string, code: string): { risk: string; gained: readonly string[] } {
  const build = testBuild({ [path]: code });
  const before = { ...NO_CAPABILITIES, hosts: ['*'] };
  const { hosts } = capabilitiesBeyond(deriveCapabilities(build), before);
  return { risk: riskOf(scan(build, allRules)), gained: hosts };
}

describe('an address that sends the environment', () => {
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

  it.each(SENDING_LINES)('is seen in %s, in a file and in code', (command) => {
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

  it.each(SENDING_REDIRECTS)('is seen in %s', (command) => {
    const missed = SPELLINGS.map((text) => hostOf(text).replaceAll(/[[\]]/g, '')).filter((host) => {
      const line = command.replace('TO', () => host);
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
