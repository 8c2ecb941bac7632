import { describe, expect, it } from 'vitest';
import { planReading } from './reading-plan.ts';
import { isOrdinary, suspicionOrder } from './suspicion.ts';
import { testBuild } from '../test-build.ts';

type ReadingPlan = ReturnType<typeof planReading>;

function planned(files: Readonly<Record<string, string>>): ReadingPlan {
  return planReading(testBuild(files).files);
}

function paths(files: Iterable<{ readonly path: string }>): string[] {
  return Array.from(files, ({ path }) => path);
}

/** Harmless code of `size` characters that has to do with the system. */
function filler(size: number, line = 'export const a = (b) => process.env.HOME + b;\n'): string {
  return line.repeat(Math.ceil(size / line.length));
}

describe('planReading()', () => {
  it('reads all of a build of usual size', () => {
    const plan = planned({ 'a.js': 'eval(a)', 'b.js': 'a = 1', 'c.md': 'eval(a)' });
    expect(plan).toMatchObject({ keepsTrees: true, unparsed: new Set() });
    expect(paths(plan.relevant)).toEqual(['a.js']);
    expect(paths(plan.analysed)).toEqual(['a.js']);
  });

  it('reads all of a large build that is within the limits, without keeping trees', () => {
    const plan = planned({ 'a.js': filler(900_000), 'b.js': filler(900_000) });
    expect([plan.keepsTrees, plan.unparsed.size]).toEqual([false, 0]);
    expect(paths(plan.analysed)).toEqual(['a.js', 'b.js']);
  });

  it('reads the most suspicious files of a very large build, in the order of the build', () => {
    const large = Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [`b/${n}.py`, filler(950_000, 'import os\n')]),
    );
    const dropper = "require('child_process').exec(atob(await (await fetch(a)).text()))";
    const files = { 'a.js': 'process.env.A', ...large, 'setup.py': 'import os', 'z.js': dropper };
    const plan = planned(files);
    expect(paths(plan.analysed).filter((path) => !path.startsWith('b/'))).toEqual([
      'a.js',
      'setup.py',
      'z.js',
    ]);
    expect(plan.relevant).toHaveLength(15);
    expect(plan.analysed.length).toBeLessThan(9);
    expect(plan.unparsed.size).toBeGreaterThan(0);
    for (const file of plan.analysed) expect(plan.unparsed.has(file)).toBe(false);
  });

  it('does not count what is too large to be parsed at all', () => {
    const plan = planned({ 'a.js': 'a = 1;'.repeat(1_000_000), 'b.js': 'eval(a)' });
    expect(plan.unparsed.size).toBe(0);
  });
});

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

describe('isOrdinary()', () => {
  it.each([
    ['src/a.js', "const https = require('https');", true],
    ['src/a.js', "const https = require('https'); f(process.env)", false],
    ['test/a.js', "const https = require('https'); f(process.env)", true],
    ['test/a.js', "require('child_process')", false],
    ['src/a.py', 'eval(text)', false],
  ])('%s: %s', (path, text, isOne) => {
    expect(isOrdinary(testBuild({ [path]: text }).files[0]!)).toBe(isOne);
  });
});
