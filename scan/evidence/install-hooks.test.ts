import { describe, expect, it } from 'vitest';
import { testBuild } from '../test-build.ts';
import { filesAtInstall, scriptsOf } from './commands.ts';

const HOOKED = JSON.stringify({
  scripts: { postinstall: 'node lib/setup.js', test: 'node test.js' },
});

describe('scriptsOf()', () => {
  it('reads the scripts of each package.json and of the manifest', () => {
    const build = testBuild({
      'package.json': HOOKED,
      'pkg/package.json': '{"scripts":{"prepare":"tsc"}}',
      'stackyard.json': '{"scripts":{"build":"x"}}',
    });
    expect(scriptsOf(build)).toMatchObject([
      {
        name: 'postinstall',
        command: 'node lib/setup.js',
        isHook: true,
        at: HOOKED.indexOf('"post'),
      },
      { name: 'test', command: 'node test.js', isHook: false },
      { name: 'prepare', command: 'tsc', isHook: true },
      { name: 'build', command: 'x', isHook: false },
    ]);
    expect(scriptsOf(build)).toBe(scriptsOf(build));
  });

  it.each([
    '',
    'null',
    '[]',
    '{"scripts":[]}',
    '{"scripts":null}',
    '{"scripts":{"install":1}}',
    '{"scripts":',
    '"scripts"',
  ])('finds none in %j', (text) => {
    expect(scriptsOf(testBuild({ 'package.json': text }))).toEqual([]);
  });

  it('leaves other JSON files alone', () => {
    expect(scriptsOf(testBuild({ 'my-package.json': HOOKED }))).toEqual([]);
  });
});

describe('filesAtInstall()', () => {
  it.each([
    ['node lib/setup.js', 'lib/setup.js'],
    ['node ./lib/setup', 'lib/setup.js'],
    ['node lib', 'lib/index.js'],
    ['sh "scripts/a.sh"', 'scripts/a.sh'],
    ['NODE_OPTIONS=--require=./lib/setup.js npm run x', 'lib/setup.js'],
    ['npm run lib', 'scripts/a.sh'],
    ['yarn lib', 'scripts/a.sh'],
    ['pnpm run -s lib', 'scripts/a.sh'],
  ])('%s leads to %s', (command, path) => {
    const build = testBuild({
      'package.json': JSON.stringify({ scripts: { preinstall: command, lib: 'sh scripts/a.sh' } }),
      'lib/index.js': '',
      'lib/setup.js': '',
      'scripts/a.sh': '',
      'other.js': '',
    });
    expect([...filesAtInstall(build)]).toEqual([path]);
  });

  it('loads no folder that another tool gets', () => {
    const scripts = { prepare: 'yarn build', build: 'rm -rf lib && eslint lib' };
    const build = testBuild({ 'package.json': JSON.stringify({ scripts }), 'lib/index.js': '' });
    expect([...filesAtInstall(build)]).toEqual([]);
  });

  it('follows what these files import', () => {
    const build = testBuild({
      'package.json': HOOKED,
      'lib/setup.js': "require('./steal'); require('child_process')",
      'lib/steal.js': 'process.env',
      'lib/other.js': 'process.env',
    });
    expect([...filesAtInstall(build)].sort()).toEqual(['lib/setup.js', 'lib/steal.js']);
  });

  it('counts setup.py and binding.gyp, and nothing else without a hook', () => {
    const build = testBuild({
      'package.json': '{"scripts":{"test":"node a.js"}}',
      'a.js': '',
      'setup.py': '',
      'native/binding.gyp': '',
    });
    expect([...filesAtInstall(build)].sort()).toEqual(['native/binding.gyp', 'setup.py']);
  });

  it('does not leave the build', () => {
    const build = testBuild({
      'package.json': '{"scripts":{"install":"node ../../etc/passwd; node /etc/passwd"}}',
      'etc/x.js': '',
    });
    expect([...filesAtInstall(build)]).toEqual([]);
  });

  it('is bounded on a long command', () => {
    const command = 'node a/'.repeat(100_000);
    const build = testBuild({ 'package.json': JSON.stringify({ scripts: { install: command } }) });
    expect([...filesAtInstall(build)]).toEqual([]);
  });
});
