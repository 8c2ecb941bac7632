import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { MAX_SHOWN_CHARACTERS, readGuide, readMarkdown, shownPart } from './markdown.ts';
import { parseWiring } from './wiring.ts';

const FENCE = '```ts wire import @express\na();\n```\n';

function indented(by: string, text = FENCE): string {
  return text.replaceAll(/^(?=.)/gm, by);
}

/** The texts of the fences that a page shows, and why it does not show the others. */
function fencesOf(text: string): { shown: string[]; hidden: string[] } {
  const { fences } = readGuide(text);
  const isShown = (fence: { hidden?: string }): boolean => fence.hidden === undefined;
  return {
    shown: fences.filter(isShown).map((fence) => fence.text),
    hidden: fences.flatMap(({ hidden }) => (hidden === undefined ? [] : [hidden])),
  };
}

describe('readGuide() reads the fences that a page shows', () => {
  it.each<[string, string, string[]]>([
    ['at the start of a line', FENCE, ['a();\n']],
    ['in an item', `1. x\n\n${indented('   ')}`, ['a();\n']],
    ['after an item', `1. x\n\n${FENCE}`, ['a();\n']],
    ['on the line of the marker', '1. ```ts\n   a();\n   ```\n', ['a();\n']],
    ['in an item that starts with a tab', '1.\t```ts\n\ta();\n\t```\n', ['a();\n']],
    ['not with four columns more than its item', `1. x\n\n${indented('       ')}`, []],
    ['not in indented code', indented('    '), []],
    ['not after a wide marker', '1.     ```ts\n       a();\n       ```\n', []],
    ['with tildes', '~~~ts\na();\n~~~\n', ['a();\n']],
    ['with tildes and a backtick behind them', '~~~ts `x`\na();\n~~~\n', ['a();\n']],
    ['not with a backtick behind backticks', '```ts `x`\na();\n', []],
    ['without an end', '```ts\na();\n', ['a();\n']],
    ['without an end in an item', '- ```ts\n  a();\nb\n', ['a();\n']],
    ['with marks in it that are indented', '```\na();\n    ```\nb\n```\n', ['a();\n    ```\nb\n']],
    ['with another fence in it', `~~~md\n${FENCE}~~~\n`, [FENCE]],
    ['in a quotation', indented('> '), ['a();\n']],
    ['in a quotation without an end', '> ```ts\n> a();\n\nb\n', ['a();\n']],
    ['after a quotation', `> x\n${FENCE}`, ['a();\n']],
    ['after the start of a comment in a paragraph', `a <!-- b\n${FENCE}-->\n`, ['a();\n']],
    ['in what is no title of a definition', `[a]: b\n"\n${FENCE}"\n`, ['a();\n']],
    ['after HTML that ends', `<div>x</div>\n\n${FENCE}`, ['a();\n']],
    [
      'after tags in a paragraph',
      `<b>x</b> <br> \`<div>\` \\<div> <https://a.b>\n\n${FENCE}`,
      ['a();\n'],
    ],
    ['after a comment', `<!-- <div> -->\n\n${FENCE}`, ['a();\n']],
    ['with the line ends of other systems', FENCE.replaceAll('\n', '\r\n'), ['a();\n']],
    ['behind a byte order mark', `\uFEFF${FENCE}`, ['a();\n']],
  ])('%s', (_, text, shown) => {
    expect(fencesOf(text)).toEqual({ shown, hidden: [] });
  });

  const OPEN = (name: string): string => `inside the HTML element <${name}> of line 1`;
  const UNCLEAR = 'behind HTML in line 1 of which it is not clear where it ends';
  const INSIDE = 'inside the HTML of line 1';
  it.each([
    ['in a hidden element', `<div hidden>\n${FENCE}</div>\n`, INSIDE],
    ['in a hidden element, after an empty line', `<div hidden>\n\n${FENCE}\n</div>\n`, OPEN('div')],
    ['in details', `<details>\n<summary>x</summary>\n\n${FENCE}\n</details>\n`, OPEN('details')],
    ['in a comment', `<!--\n${FENCE}-->\n`, INSIDE],
    ['on the line of a comment', `<!-- ${FENCE}-->\n`, INSIDE],
    ['in the cell of a table', `<table><tr><td>\n\n${FENCE}\n</td></tr></table>\n`, OPEN('td')],
    ['in a cell, without an empty line', `<table><tr><td>\n${FENCE}</td></tr></table>\n`, INSIDE],
    ['in a processing instruction', `<?php\n${FENCE}?>\n`, INSIDE],
    ['in a custom element', `<x-y>\n${FENCE}</x-y>\n`, INSIDE],
    ['in a script', `<script>\n${FENCE}</script>\n`, INSIDE],
    ['in an element that a paragraph opens', `x <details>\n\n${FENCE}`, UNCLEAR],
    [
      'in an element whose end is in an attribute',
      `<details title="</details>">\n\n${FENCE}`,
      OPEN('details'),
    ],
    [
      'in an element whose end is in a comment',
      `<details><!-- </details> -->\n\n${FENCE}`,
      OPEN('details'),
    ],
    ['in an element whose end is in a cell', `<details><table><td></details>\n\n${FENCE}`, UNCLEAR],
    [
      'in an element whose end is in a list',
      `<details>\n\n- </details>\n\n${FENCE}`,
      UNCLEAR.replace('1', '3'),
    ],
    ['behind a tag without an end', `<div a="\n\n${FENCE}`, UNCLEAR],
    [
      'behind a comment that browsers end elsewhere',
      `<!-- --!> <div hidden> -->\n\n${FENCE}`,
      UNCLEAR,
    ],
    ['behind text that browsers read otherwise', `<textarea></textarea>\n\n${FENCE}`, UNCLEAR],
    [
      'in deep lists',
      `${'- '.repeat(15)}x\n\n${indented(' '.repeat(30))}`,
      'in too many lists inside of each other',
    ],
    [
      'behind what pages show',
      `${'x\n'.repeat(MAX_SHOWN_CHARACTERS / 2)}\n${FENCE}`,
      `behind the first ${MAX_SHOWN_CHARACTERS} characters`,
    ],
    ['beside characters that are white space for some', `<div\vhidden>\n${FENCE}`, INSIDE],
    [
      'after characters that are white space for some',
      `x\f\n\n${FENCE}`,
      'in a text with NUL, vertical tabs, form feeds or invisible separators of lines',
    ],
  ])('and names the reason for the others: %s', (_, text, hidden) => {
    expect(fencesOf(text)).toEqual({ shown: [], hidden: [hidden] });
    // No client carries it out, and its publisher hears of it.
    const { steps, findings } = parseWiring(text.replace(/^/, '## Steps\n\n1. x\n\n'));
    expect(steps).toEqual([]);
    expect(findings.map(({ code }) => code)).toEqual(['wiring-hidden']);
  });
});

test('readGuide() reads escapes and entities behind the marks', () => {
  const infos = readGuide('```ts w&#105;re \\@express  \n```\n').fences.map(({ info }) => info);
  expect(infos).toEqual(['ts wire @express']);
});

test('readGuide() takes no heading, item or "Otherwise" from what is not shown', () => {
  const text = `<div hidden>\n\n## Steps\n\n1. x\n\nOtherwise\n\n</div>\n\na <!--\nOtherwise -->\n\n1. y\n`;
  const { marks, prose } = readGuide(text);
  expect(marks).toEqual([{ kind: 'item', line: 14 }]);
  expect([...prose.values()]).toEqual(['y']);
});

interface Example {
  readonly example: number;
  readonly markdown: string;
  readonly html: string;
}

describe('the examples of CommonMark', () => {
  const { examples } = JSON.parse(
    readFileSync(join(import.meta.dirname, 'commonmark-fences.json'), 'utf8'),
  ) as { examples: Example[] };

  it.each(examples)('$example', ({ markdown, html }) => {
    const wanted = Array.from(
      html.matchAll(/<pre><code(?: class="language-([^"]*)")?>([^]*?)<\/code><\/pre>/g),
      ([, language = '', code = '']) => ({ language, code: unescaped(code) }),
    );
    const { fences, indented: others } = readMarkdown(markdown);
    expect(fences.length + others.length).toBe(wanted.length);
    for (const { info, text, hidden } of fences) {
      expect(hidden).toBeUndefined();
      expect(wanted).toContainEqual({ language: info.split(' ')[0], code: text });
    }
  });
});

function unescaped(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

describe('for any text', () => {
  const text = fc
    .array(
      fc.constantFrom(
        ...'```|~~~|````|~~~~|\n|\n\n|\r\n|\t|    |   |  | |- |1. |> |a|ts wire import @express|<!--|-->|<div hidden>|</div>|<a title="|">|<details>|</details>|<script>|[a]: b|"|# Steps|-|=|\\|`|\v|\uFEFF|<|>'.split(
          '|',
        ),
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join(''));

  it('has fences in order, each within its lines', () => {
    fc.assert(
      fc.property(text, (markdown) => {
        const { fences } = readGuide(markdown);
        const lines = markdown.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
        let last = 0;
        for (const { line, endLine, text: content, isClosed } of fences) {
          expect(line).toBeGreaterThan(last);
          last = Math.max(line, endLine);
          expect(endLine).toBeLessThanOrEqual(lines.length);
          // The marks, the content, and the marks again.
          const inside = content.split('\n').length - 1;
          if (isClosed) expect(endLine - line - 1).toBe(inside);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('shows no fence that only some HTML around it has ended', () => {
    fc.assert(
      fc.property(text, text, (before, inside) => {
        const { fences } = readGuide(`<details>\n\n${before}${inside}`);
        const open = `${before}${inside}`.includes('</details>');
        const shown = fences.filter(({ hidden }) => hidden === undefined);
        expect(open || shown.length === 0).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('needs a time that grows with its length', () => {
    for (const part of [
      '> ',
      '- ',
      '1. ',
      '`',
      '``` \n',
      '<!--',
      '<a ',
      '<div>\n\n',
      '[',
      '- a\n',
      '-|-\n',
      '[a]: b\n',
    ]) {
      const { fences } = readGuide(part.repeat(Math.ceil(200_000 / part.length)));
      expect(fences.length).toBeLessThan(50_000);
    }
  });
});

test('shownPart() ends with a line', () => {
  expect(shownPart('\uFEFFa\n')).toBe('a\n');
  expect(shownPart('ab\n'.repeat(MAX_SHOWN_CHARACTERS))).toMatch(/ab$/);
  expect(shownPart('a'.repeat(MAX_SHOWN_CHARACTERS + 1))).toHaveLength(MAX_SHOWN_CHARACTERS);
});
