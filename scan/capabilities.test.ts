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
    ["require('child_process').exec(f())", { processes: ['*'] }],
    ['eval(f())', { dynamic_code: true }],
    ["setTimeout('a()', fetch)", { dynamic_code: true }],
    ['setTimeout(f, fetch)', {}],
    ['f(fetch)', {}],
  ])('%s', (text, expected) => {
    expect(capabilities({ 'a.js': text })).toEqual({ ...NONE, ...expected });
  });

  it('leaves out what tests and examples do', () => {
    expect(capabilities({ 'tests/a.js': "fetch('https://a.io')" })).toEqual(NONE);
  });

  it('lists the files that could not be analysed', () => {
    const text = `fetch(${'['.repeat(9_000)}${']'.repeat(9_000)})`;
    expect(capabilities({ 'a.js': text }).unread).toEqual(['a.js']);
  });

  it('cuts long lists and long names', () => {
    const many = Array.from({ length: 300 }, (_, n) => `process.env.A${n};`).join('');
    const { environment } = capabilities({ 'a.js': many });
    expect(environment).toHaveLength(201);
    expect(environment).toContain('*');
    const long = `require('fs').readFileSync('${'a'.repeat(121)}')`;
    expect(capabilities({ 'a.js': long }).reads).toEqual([`${'a'.repeat(119)}*`]);
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
