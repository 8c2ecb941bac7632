import { describe, expect, it } from 'vitest';
import { testBuild } from '../test-build.ts';
import { suspicionOrder } from './suspicion.ts';

function ordered(files: Readonly<Record<string, string>>): string[] {
  return suspicionOrder(testBuild(files).files).map(({ path }) => path);
}

describe('suspicionOrder()', () => {
  it('puts what runs at install first, then what combines abilities', () => {
    expect(
      ordered({
        'a.js': 'const a = 1;',
        'b.js': "fetch('/a')",
        'c.py': 'exec(base64.b64decode(requests.get(a).text))',
        'd.js': "eval(require('zlib').gunzipSync(a))",
        'p/setup.py': 'setup()',
        'postinstall.js': "require('child_process').exec('a')",
      }),
    ).toEqual(['postinstall.js', 'p/setup.py', 'c.py', 'd.js', 'b.js', 'a.js']);
  });

  it('puts the shorter of equals first, and bundles after code that people write', () => {
    const bundle = `${'a = 1;\n'.repeat(100_000)}eval(atob(fetch(a)))`;
    expect(
      ordered({ 'a.js': bundle, 'b.js': 'eval(a);  ', 'c.js': 'eval(a)', 'd.js': 'eval(b)' }),
    ).toEqual(['c.js', 'd.js', 'b.js', 'a.js']);
  });

  it('gives the same order whatever was read before', () => {
    const files = { 'a.js': 'fetch(a)', 'b.js': 'eval(fetch(a))', 'c.py': 'import os' };
    const before = ordered(files);
    const words = ['exec', 'base64', 'socket', '.ssh', 'import', '\\x41\\x42', 'require("http")'];
    for (const one of words) ordered({ 'a.js': `${one} `.repeat(500), 'b.py': one.repeat(99) });
    expect(ordered(files)).toEqual(before);
  });
});
