import { describe, expect, it } from 'vitest';
import type { CapabilityLists } from '../format/index/capabilities.ts';
import { NO_CAPABILITIES, deriveCapabilities } from './capabilities.ts';
import { isTestOrExamplePath } from './text/file-kind.ts';
import { testBuild } from './test-build.ts';

function capabilities(files: Readonly<Record<string, string>>): CapabilityLists {
  const derived = deriveCapabilities(testBuild(files));
  // It has tests of its own.
  return { ...derived, language: [] };
}

const NONE: CapabilityLists = { ...NO_CAPABILITIES, language: [] };

describe('deriveCapabilities()', () => {
  it.each([
    ["fetch('https://b.io/x'); fetch('https://a.io')", { hosts: ['a.io', 'b.io'] }],
    ['fetch(f())', { hosts: ['*'] }],
    ["fetch('https://[a]')", { hosts: ['https://[a]'] }],
    ["fetch(f() + 'https://a.io')", { hosts: ['*', 'a.io'] }],
    ["require('child_process').exec('curl https:/a.io')", { hosts: ['a.io'], processes: ['curl'] }],
    ["require('dns').lookup('a.io', g)", { hosts: ['a.io'] }],
    ['process.env.B; process.env.A', { environment: ['A', 'B'] }],
    ['process.env[f()]', { environment: ['*'] }],
    ["require('fs').readFileSync('a/b')", { reads: ['a/b'] }],
    ["require('fs').readFileSync('a/' + f())", { reads: ['a/*'] }],
    ["require('fs').writeFileSync(f(), 'x')", { writes: ['*'] }],
    ["require('fs').rmSync('a'); require('fs').chmodSync('b')", { writes: ['a', 'b'] }],
    ["require('child_process').exec('A=1 /bin/ls -l')", { processes: ['ls'] }],
    [
      "require('child_process').exec('curl https://a.io/x')",
      { hosts: ['a.io'], processes: ['curl'] },
    ],
    ["process.env['a-b']", { environment: ['*'] }],
    ['fetch(f(), { body: JSON.stringify(process.env) })', { hosts: ['*'], environment: ['*'] }],
    ["require('child_process').exec(f())", { processes: ['*'] }],
    ['eval(f())', { dynamic_code: true }],
    ["setTimeout('a()', fetch)", { dynamic_code: true }],
    ['setTimeout(f, fetch)', {}],
    ['f(fetch)', {}],
  ])('%s', (text, expected) => {
    expect(capabilities({ 'a.js': text })).toEqual({ ...NONE, ...expected });
  });

  it('leaves out what tests and examples do that no other code names', () => {
    const files = { 'fixtures/a.js': "fetch('https://a.io')" };
    expect(capabilities(files)).toEqual(NONE);
    const { hosts } = capabilities({ ...files, 'index.js': "import './fixtures/a.js'" });
    expect(hosts).toEqual(['a.io']);
  });

  it('lists the files that could not be analysed', () => {
    const text = `fetch(${'['.repeat(9_000)}${']'.repeat(9_000)})`;
    const files = { 'a.js': text, 'b.php': '', 'c.vue': '', 'd.css': '', 'e.d.ts': '' };
    expect(capabilities(files).unread).toEqual(['a.js', 'b.php', 'c.vue']);
    const blocks = testBuild({ 'app.ts': 'app.use(;' });
    expect(deriveCapabilities(testBuild({}), blocks).unread).toEqual(['INTEGRATION.md']);
  });

  it('cuts long lists and long names, so that what is cut off counts as well', () => {
    const many = (last: string): string[] => {
      const names = [...Array.from({ length: 300 }, (_, n) => `A${n}`), last];
      return capabilities({ 'a.js': names.map((n) => `process.env.${n};`).join('') }).environment;
    };
    expect(many('Z')).toHaveLength(202);
    expect(many('Z')).toContain('*');
    expect(many('Z')).not.toEqual(many('Y'));
    const host = `${'a'.repeat(60)}.${'b'.repeat(60)}.evil.com`;
    const [name = ''] = capabilities({ 'a.js': `fetch('https://${host}/')` }).hosts;
    expect(name).toHaveLength(120);
    expect(name).toMatch(/b\.evil\.com$/);
  });
});

describe('isTestOrExamplePath()', () => {
  it.each([
    'test/a.js',
    'a/tests/b.js',
    'a/__tests__/b.js',
    'examples/a.py',
    'a.test.ts',
    'a.spec.js',
  ])('%s', (path) => {
    expect(isTestOrExamplePath(path)).toBe(true);
  });
  it.each(['conftest.py', 'a/test_b.py', 'fixtures/a', 'benchmarks/a'])('%s', (path) => {
    expect(isTestOrExamplePath(path)).toBe(true);
  });

  it.each(['src/a.js', 'latest/a.js', 'test_a.js', 'tests', 'attest.py'])('not %s', (path) => {
    expect(isTestOrExamplePath(path)).toBe(false);
  });
});
