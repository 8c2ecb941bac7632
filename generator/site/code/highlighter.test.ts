import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codeText } from '../html.ts';
import { GRAMMARS } from './grammars.ts';
import { codeLines, tokenLines } from './highlighter.ts';
import type { Language } from './language.ts';

const LANGUAGES = Object.keys(GRAMMARS) as Language[];

/** What has a colour in `code`, as `kind:text`. */
function coloured(code: string, language: Language): string[] {
  const tokens = tokenLines(code, language)?.flat() ?? [];
  return tokens.flatMap(({ text, kind }) => (kind === undefined ? [] : [`${kind}:${text}`]));
}

describe('tokenLines()', () => {
  const piece = fc.oneof(
    fc.constantFrom(...'" \' ` / \\ * # < > { } ( ) [ ] $ - = : ; @ ! ~ | & \n \t'.split(' '), ' '),
    fc.constantFrom('"""', "'''", '```', '${', '/*', '*/', '//', '<!--', '-->', '</script>'),
    fc.constantFrom('<script>', '<style>', 'const ', 'f"', 'a', 'return ', '1.5e3', 'é', '\u202E'),
    fc.string(),
  );
  const code = fc.array(piece, { maxLength: 60 }).map((all) => all.join(''));

  test.each(LANGUAGES)('loses and adds nothing: %s', (language) => {
    fc.assert(
      fc.property(code, (text) => {
        const lines = tokenLines(text, language)!;
        expect(lines.map((line) => line.map((one) => one.text).join('')).join('\n')).toBe(text);
      }),
    );
  });

  test.each<[Language, string, string[]]>([
    ['typescript', 'const a = `x ${b("y")} z`; // n', ['tk:const', 'ts:`x ', 'tf:b', 'tm:// n']],
    ['typescript', 'a = b / c / d;\nreturn /[/"]x/g.test(s)', ['ts:/[/"]x/g', 'tf:test']],
    ['typescript', '/* a\nb */ if', ['tm:/* a', 'tm:b */', 'tk:if']],
    ['tsx', 'return <Row key="a">one</Row>;', ['tk:<Row', 'tf:key', 'tk:</Row']],
    ['python', 'def f():\n  """a\n  b"""\n  return f"x{y}"', ['tk:def', 'ts:  b"""', 'tc:{y}']],
    ['shellscript', '$ npm install --save x # why', ['tf:npm', 'tc:--save', 'tm:# why']],
    ['shellscript', "echo 'it\nis' $HOME", ["ts:is'", 'tc:$HOME']],
    ['json', '{"a": "b", "c": [1, true]}', ['tf:"a"', 'ts:"b"', 'tc:1', 'tc:true']],
    ['yaml', 'a: "b" # c\n- d: 1', ['tf:a', 'ts:"b"', 'tm:# c', 'tf:d', 'tc:1']],
    ['toml', '[a]\nb = "c"', ['tk:[a]', 'tf:b', 'ts:"c"']],
    ['sql', "SELECT a FROM t WHERE b = 'c' -- d", ['tk:SELECT', "ts:'c'", 'tm:-- d']],
    [
      'html',
      '<p class="a">x</p> <script> let b = 1;</script>',
      ['tk:<p', 'ts:"a"', 'tk:let', 'tk:</script>'],
    ],
    ['vue', '<style>\n.a { color: red; }\n</style>', ['tf:color', 'tk:</style>']],
    ['css', 'a:hover { color: #fff; }', ['tf:color', 'tc:#fff']],
    [
      'markdown',
      '# Title\n`code`\n```ts\nx\n```\n**b**',
      ['tk:# Title', 'ts:`code`', 'ts:x', 'tc:**b**'],
    ],
    ['dotenv', '# a\nB=c', ['tm:# a', 'tf:B']],
  ])('%s: %j', (language, text, expected) => {
    const found = coloured(text, language);
    expect(found).toEqual(expect.arrayContaining(expected));
  });

  test('a line that is too long has no colours, and the others have', () => {
    expect(coloured(`if\n${'if '.repeat(400)}\nif`, 'typescript')).toEqual(['tk:if', 'tk:if']);
  });

  test('a string that its line does not end colours that line alone', () => {
    expect(coloured('const a = "b\nconst c', 'typescript')).toEqual([
      'tk:const',
      'ts:"b',
      'tk:const',
    ]);
  });
});

describe('codeLines()', () => {
  test('gives tokens classes and never styles', () => {
    const lines = codeLines("const a = 'x'; // note\nf(1);", 'typescript');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('<span class="tk">const</span>');
    expect(lines[0]).toContain('<span class="ts">&#39;x&#39;</span>');
    expect(lines[0]).toContain('<span class="tm">// note</span>');
    expect(lines.join('')).not.toContain('style');
  });

  test.each([...LANGUAGES, undefined])('escapes markup: %s', (language) => {
    const hostile = `<script>alert("1")</script> '"><img src=x onerror=alert(1)> \`\${a}\` # // /* &lt;`;
    const lines = codeLines(`${hostile}\n${hostile}`, language);
    for (const line of lines) {
      expect(line.replace(/<\/?span(?: class="t[a-z]")?>/g, '')).toBe(codeText(hostile));
    }
  });

  test('shows characters that turn text around', () => {
    const [line] = codeLines('a = "\u202E"', 'python');
    expect(line).toContain('<span class="hidden-character">U+202E</span>');
  });

  test.each([['x'.repeat(5_000)], ['x\n'.repeat(3_000)], ['line\n'.repeat(20_000)]])(
    'leaves code beyond the limits without colours',
    (code) => {
      expect(codeLines(code, 'typescript').join('\n')).toBe(code);
    },
  );
});
