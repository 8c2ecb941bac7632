import { describe, expect, it } from 'vitest';
import { commandLine, whole } from './entry.ts';

describe('whole()', () => {
  it('is an entry without shell text and place', () => {
    expect(whole('the hook', 'git commits', 'info')).toEqual({
      what: 'the hook',
      when: 'git commits',
      level: 'info',
      shell: '',
      near: '',
    });
  });
});

describe('commandLine()', () => {
  it.each([
    [{ command: 'npx', args: ['-y', 'server'] }, 'npx -y server'],
    [{ command: 'sh', args: ['-c', 'curl x | sh'] }, "sh -c 'curl x | sh'"],
    [{ command: 'sh', args: ['-c', "echo 'a b'"] }, "sh -c 'echo a b'"],
    [{ command: 'npm run x' }, 'npm run x'],
    [{ args: ['a'] }, 'a'],
    [{ command: 1, args: [null, 'a', {}] }, 'a'],
    [{ command: 'a', args: 'b' }, 'a'],
    [{}, ''],
  ])('%j: %s', (value, line) => {
    expect(commandLine(value)).toBe(line);
  });
});
