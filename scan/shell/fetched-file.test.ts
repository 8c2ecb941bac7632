import { describe, expect, it } from 'vitest';
import { baseOf, fetchedFiles } from './fetched-file.ts';
import { parseShell } from './parse-shell.ts';
import { programOf } from './shell-program.ts';

function files(text: string): string[] {
  const command = parseShell(text)[0]?.[0];
  const program = command === undefined ? undefined : programOf(command);
  const url = /https?:\S+/.exec(text)?.[0] ?? '';
  return command === undefined || program === undefined ? [] : fetchedFiles(command, program, url);
}

describe('fetchedFiles()', () => {
  it.each([
    ['curl -o /tmp/a https://x.io/b', ['a']],
    ['curl -sSLo a.sh https://x.io/b', ['a.sh']],
    ['curl https://x.io/b > /tmp/c', ['c']],
    ['curl -O https://x.io/b.py?v=1', ['b.py']],
    ['wget https://x.io/b.sh', ['b.sh']],
    ['wget -q -O /tmp/c https://x.io/b.sh', ['c']],
    ['Invoke-WebRequest https://x.io/b -OutFile /t/a.exe', ['a.exe']],
    ['base64 -d a > b', ['b']],
  ])('%s: %j', (text, names) => {
    expect(files(text)).toEqual(expect.arrayContaining(names));
  });

  it.each(['curl https://x.io/b', 'curl -o - https://x.io/b', 'curl https://x.io/b > /dev/null'])(
    '%s writes none',
    (text) => {
      expect(files(text)).toEqual([]);
    },
  );
});

describe('baseOf()', () => {
  it.each([
    ['/tmp/a', 'a'],
    ['C:\\t\\a.exe', 'a.exe'],
    ['a', 'a'],
    ['a/', ''],
  ])('%s: %s', (path, name) => {
    expect(baseOf(path)).toBe(name);
  });
});
