import { describe, expect, it } from 'vitest';
import { parseShell } from './parse-shell.ts';
import {
  inlineCode,
  isDecoder,
  isFetcher,
  isInterpreter,
  isShell,
  programOf,
  type Program,
} from './shell-program.ts';

function program(text: string): Program | undefined {
  return programOf(parseShell(text)[0]![0]!);
}

describe('programOf()', () => {
  it.each([
    ['curl x', 'curl', ['x']],
    ['/usr/bin/curl x', 'curl', ['x']],
    ['C:\\\\Windows\\\\curl.exe x', 'curl', ['x']],
    ['@echo off', 'echo', ['off']],
    ['CURL x', 'curl', ['x']],
    ['A=b C=d curl x', 'curl', ['x']],
    ['sudo curl x', 'curl', ['x']],
    ['sudo -u root -E curl x', 'curl', ['x']],
    ['env -i A=b curl x', 'curl', ['x']],
    ['nohup nice -n 5 curl x', 'curl', ['x']],
    ['timeout 5s curl x', 'curl', ['x']],
    ['timeout -k 1 5 curl x', 'curl', ['x']],
    ['xargs -I {} sh -c x', 'sh', ['-c', 'x']],
    ['busybox wget x', 'wget', ['x']],
    ['if ! curl x', 'curl', ['x']],
    ['then sudo bash', 'bash', []],
    ['sudo', 'sudo', []],
    ['$(x) y', '', ['y']],
  ])('%s: %s', (text, name, args) => {
    const found = program(text);
    expect(found?.name).toBe(name);
    expect(found?.args.map((word) => word.text)).toEqual(args);
  });

  it.each(['A=b', 'done', 'if', '(curl x)'])('%s runs none', (text) => {
    expect(program(text)).toBeUndefined();
  });
});

describe('isFetcher(), isShell(), isInterpreter()', () => {
  it.each([
    ['curl', true, false, false],
    ['invoke-webrequest', true, false, false],
    ['bash', false, true, true],
    ['pwsh', false, true, true],
    ['python3.12', false, false, true],
    ['node', false, false, true],
    ['osascript', false, false, true],
    ['iex', false, false, true],
    ['git', false, false, false],
    ['curly', false, false, false],
    ['nodemon', false, false, false],
    ['pythonic', false, false, false],
  ])('%s', (name, fetches, shell, interprets) => {
    expect([isFetcher(name), isShell(name), isInterpreter(name)]).toEqual([
      fetches,
      shell,
      interprets,
    ]);
  });
});

describe('isDecoder()', () => {
  it.each([
    'base64 -d',
    'base64 --decode',
    'base64 -D',
    'base32 -di',
    'xxd -r -p',
    'openssl enc -d -aes-256-cbc',
    "printf '\\x63\\x75'",
    "printf '\\143'",
    'tr a-z n-za-m',
    'rev',
    'gunzip -c',
    'uudecode x',
  ])('%s decodes', (text) => {
    expect(isDecoder(program(text)!)).toBe(true);
  });

  it.each([
    'base64 file',
    'base64 -w0',
    'xxd file',
    'openssl dgst -sha256',
    "printf '%s'",
    "tr -d '\\r'",
    'cat file',
  ])('%s does not', (text) => {
    expect(isDecoder(program(text)!)).toBe(false);
  });
});

describe('inlineCode()', () => {
  it.each([
    ["node -e 'x()'", 'x()'],
    ["node --eval 'x()'", 'x()'],
    ["node -pe 'x()'", 'x()'],
    ["python3 -c 'x'", 'x'],
    ["php -r 'x'", 'x'],
    ["ruby -e 'x'", 'x'],
    ["deno eval 'x'", 'x'],
  ])('%s: %s', (text, code) => {
    expect(inlineCode(program(text)!)?.text).toBe(code);
  });

  it.each(['node a.js', 'node -e', 'python3 -m http.server', "sh -c 'x'", 'git -c x=y log'])(
    '%s has none',
    (text) => {
      expect(inlineCode(program(text)!)).toBeUndefined();
    },
  );
});
