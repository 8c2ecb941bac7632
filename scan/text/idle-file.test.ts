import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { testBuild } from '../test-build.ts';
import {
  isCiPath,
  isDocumentPath,
  isIdleFile,
  isInstallScript,
  isLifecycleScript,
} from './idle-file.ts';
import { findLookAlikes } from './look-alikes.ts';

function isIdle(path: string, others: Record<string, string> = {}): boolean {
  return isIdleFile(testBuild({ [path]: 'x', ...others }), path);
}

describe('isIdleFile()', () => {
  it.each([
    'tests/run.sh',
    'fixtures/a.zip',
    'docs/install.md',
    'README.md',
    '.github/workflows/ci.yml',
    'examples/index.js',
  ])('%s', (path) => {
    expect(isIdle(path)).toBe(true);
  });

  it.each(['run.sh', 'src/index.js', 'lib/key.pem', 'tests/conftest.py'])('not: %s', (path) => {
    expect(isIdle(path)).toBe(false);
  });

  it.each([
    ['tests/run.sh', 'index.js', "spawn('sh', ['tests/run.sh'])"],
    ['tests/run.py', 'lib.py', 'from tests import run'],
    ['tests/run.py', 'lib.py', 'import tests.run'],
    ['tests/run.sh', 'lib.py', 'os.path.join("tests", "run.sh")'],
    ['tests/index.js', 'index.js', "require('./tests')"],
    ['fixtures/a.zip', 'setup.sh', 'unzip fixtures/a.zip'],
    ['tests/run.sh', 'package.json', '{"scripts":{"postinstall":"sh tests/run.sh"}}'],
    ['tests/.run', 'index.js', "abc\nspawn('tests/.run')"],
  ])('not %s, which %s starts: %s', (path, other, text) => {
    expect(isIdle(path, { [other]: text })).toBe(false);
  });

  it.each([
    ['tests/run.sh', 'package.json', '{"scripts":{"test":"sh tests/run.sh"}}'],
    ['tests/run.sh', 'index.js', 'run();\n// see tests'],
    ['tests/run.sh', 'tests/other.js', "spawn('tests/run.sh')"],
    ['tests/run.sh', 'README.md', 'tests/run.sh'],
    ['tests/.run', 'index.js', 'abc\n// see tests'],
  ])('%s, although %s holds: %s', (path, other, text) => {
    expect(isIdle(path, { [other]: text })).toBe(true);
  });

  it('is bounded on large files', () => {
    expect(isIdle('tests/run.sh', { 'a.js': 'tests run '.repeat(400_000) })).toBe(false);
    expect(isIdle('tests/run.sh', { 'a.js': 'testsrun'.repeat(400_000) })).toBe(true);
    expect(isIdle('tests/run.sh', { 'a.js': 'run\n'.repeat(400_000) })).toBe(true);
  });
});

it('reads a file to its end for the name of another', () => {
  const text = `// ${'x'.repeat(5_100_000)}\nspawn('sh', ['tests/run.sh'])`;
  expect(isIdle('tests/run.sh', { 'a.js': text })).toBe(false);
});

describe('isCiPath(), isDocumentPath()', () => {
  it.each([
    ['.github/workflows/a.yml', true, false],
    ['.travis.yml', true, false],
    ['docs/a.pem', false, true],
    ['README.md', false, true],
    ['src/docs.js', false, false],
  ])('%s', (path, isCi, isDocument) => {
    expect([isCiPath(path), isDocumentPath(path)]).toEqual([isCi, isDocument]);
  });
});

describe('isInstallScript(), isLifecycleScript()', () => {
  it.each([
    ['postinstall', true, true],
    ['prepare', true, true],
    ['prepublishOnly', false, true],
    ['dependencies', false, true],
    ['build', false, false],
    ['postbuild', false, false],
    ['toString', false, false],
    ['', false, false],
  ])('%s: %j, %j', (name, isInstall, isLifecycle) => {
    expect([isInstallScript(name), isLifecycleScript(name)]).toEqual([isInstall, isLifecycle]);
  });
});

describe('findLookAlikes()', () => {
  it.each([
    ['const \u0430dmin = 1', '\u0430dmin', 'admin', 6],
    ['p\u0430ssword', 'p\u0430ssword', 'password', 0],
    ['user \u03bfffset', '\u03bfffset', 'offset', 5],
    ['\uff41dmin', '\uff41dmin', 'admin', 0],
    ['cop \u0441\u043e\u0440', '\u0441\u043e\u0440', 'cop', 4],
  ])('%j', (text, word, latin, start) => {
    expect(findLookAlikes(text)).toEqual([{ word, latin, start }]);
  });

  it.each([
    'plain text',
    '\u043f\u0440\u0438\u0432\u0435\u0442',
    '\u0441\u043e\u0440',
    'a\u0436b',
    '\u0430b',
    'na\u00efve caf\u00e9',
    '\u03b1\u03b2\u03b3',
    '',
  ])('%j has none', (text) => {
    expect(findLookAlikes(text)).toEqual([]);
  });

  it('leaves very long words alone', () => {
    expect(findLookAlikes(`${'a'.repeat(200)}\u0430`)).toEqual([]);
    expect(findLookAlikes(`\u0430${'a'.repeat(1_000_000)}`)).toEqual([]);
  });

  it('has words that stand at their places, for any text', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '\u0430', '\u0441', '\u03bf', ' ', '_', '\u{1F600}'),
    });
    fc.assert(
      fc.property(text, (content) => {
        for (const { word, latin, start } of findLookAlikes(content)) {
          expect(content.slice(start, start + word.length)).toBe(word);
          expect(latin).toMatch(/^[\w$]+$/);
          expect(latin).not.toBe(word);
        }
      }),
    );
  });
});
