import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
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
import { baseOf, fetchedFiles } from './fetched-files.ts';
import { ansiQuoted, wordWithVariables } from './word-text.ts';
import type { Word } from './parsed-shell.ts';

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

function word(text: string): Word {
  return { text, start: 0, end: text.length, scripts: [] };
}

describe('ansiQuoted()', () => {
  it.each([
    ["'abc' d", 'abc', 5],
    ["'\\x63\\x75rl'", 'curl', 12],
    ["'\\143'", 'c', 6],
    ["'\\u0063'", 'c', 8],
    ["'a\\nb\\tc'", 'a\nb\tc', 9],
    ["'a\\'b'", "a'b", 6],
    ["'a\\\\'", 'a\\', 5],
    ["'\\q'", 'q', 4],
    ["''", '', 2],
  ])('%s: %j', (text, value, end) => {
    expect(ansiQuoted(text, 0)).toEqual([value, end]);
  });

  it('begins at the given offset', () => {
    expect(ansiQuoted("a$'b' c", 2)).toEqual(['b', 5]);
  });

  it('ends behind the text at the latest, for any text', () => {
    const text = fc.string({ unit: fc.constantFrom(...Array.from("ab\\'xu079n")) });
    fc.assert(
      fc.property(text, (rest) => {
        const [value, end] = ansiQuoted(`'${rest}`, 0);
        expect(value.length).toBeLessThanOrEqual(rest.length + 1);
        // An escape that the text ends in may count one character that is not there.
        expect(end).toBeLessThanOrEqual(rest.length + 3);
      }),
    );
  });
});

describe('wordWithVariables()', () => {
  const variables = new Map([
    ['A', 'cu'],
    ['B', 'curl x'],
    ['EMPTY', ''],
  ]);

  it.each([
    ['plain', ['plain']],
    ['${A}rl', ['curl']],
    ['$A', ['cu']],
    ['$NONE', ['$NONE']],
    ['${NONE}', ['${NONE}']],
    ['$B', ['curl', 'x']],
    ['curl${IFS}x', ['curl', 'x']],
    ['curl$IFS$9x', ['curl', 'x']],
    ['a $B', ['a curl x']],
    ['$EMPTY', ['']],
    ['$', ['$']],
  ])('%s: %j', (text, texts) => {
    expect(wordWithVariables(word(text), variables).map((one) => one.text)).toEqual(texts);
  });

  it('keeps the scripts of the word at its first piece', () => {
    const pieces = wordWithVariables({ ...word('$B'), scripts: [[]] }, variables);
    expect(pieces.map((piece) => piece.scripts.length)).toEqual([1, 0]);
  });

  it('leaves a long word as it is', () => {
    const long = new Map([['A', 'a'.repeat(200)]]);
    expect(wordWithVariables(word('$A'.repeat(5_000)), long)[0]!.text.length).toBe(1_000_000);
    expect(wordWithVariables(word('$A'.repeat(5_001)), long)).toEqual([word('$A'.repeat(5_001))]);
  });
});

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
