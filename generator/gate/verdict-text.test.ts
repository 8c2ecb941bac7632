import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GateVerdict } from './gate-verdict.ts';
import {
  codeMarkdown,
  escapeCommandProperty,
  escapeMarkdown,
  formatAnnotations,
  formatMarkdown,
  formatPlainText,
} from './verdict-text.ts';

const EVIL = [
  'a\n::error::b',
  '\r\n::set-output name=x::y',
  '##[set-env name=PATH]x',
  '@everyone #1 user/repo#2',
  '![x](https://evil.example/y.png) [click](javascript:alert(1))',
  '<img src=x onerror=alert(1)></code><script>',
  'a | b\n| --- |\n</details>',
  'www.evil.example http://evil.example bob@evil.example',
  '%0A::error::x',
  '\u202e\u200b\u0000',
];
const text = fc.oneof(
  fc.constantFrom(...EVIL),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc
    .array(fc.constantFrom(...EVIL, '`', '\\', '&', '*', '~', '_', '\n'), { maxLength: 8 })
    .map((a) => a.join('')),
);

/** What an escaped text may consist of. */
const HARMLESS = /^(?:[A-Za-z0-9 ,"'/().-]|&#\d+;)*$/;

function verdictWith(evil: string): GateVerdict {
  const oid = 'a'.repeat(40);
  const lists = {
    hosts: [evil],
    environment: [],
    reads: [evil],
    writes: [],
    processes: [],
    dynamic_code: false,
    unread: [],
  };
  return {
    interface: 1,
    verdict: 'review',
    base: oid,
    head: oid,
    author: { login: 'a', id: 1 },
    reasons: [
      { level: 'review', code: 'gate-x', file: evil, line: 3, message: evil, remedy: evil },
    ],
    builds: [
      {
        id: evil,
        version: evil,
        previous: evil,
        findings: [{ level: 'warn', code: 'x', file: evil, line: 0, message: evil }],
        gained: lists,
        lost: lists,
        files: [{ path: evil, change: 'added', added: 1, removed: 0 }],
        more_files: 0,
      },
    ],
    review_hours: 1,
  };
}

describe('escapeMarkdown() and codeMarkdown()', () => {
  it('leave nothing that Markdown, HTML or a code host takes for more than text', () => {
    fc.assert(
      fc.property(text, (evil) => {
        expect(escapeMarkdown(evil)).toMatch(HARMLESS);
        expect(escapeMarkdown(evil)).not.toMatch(/&#(?:64|35);(?!&#8203;)/);
        expect(codeMarkdown(evil)).toMatch(/^<code>.*<\/code>$/);
        expect(codeMarkdown(evil).slice(6, -7)).toMatch(HARMLESS);
      }),
    );
  });

  it('keep addresses from being made of dots', () => {
    expect(escapeMarkdown('Use 1.0.0 of www.evil.example. Now.')).toBe(
      'Use 1.0.0 of www&#46;evil&#46;example. Now.',
    );
  });
});

describe('formatMarkdown()', () => {
  it('has the structure of its own table and nothing of the text in it', () => {
    const shape = (page: string): string => page.replaceAll(/&#\d+;|[A-Za-z0-9 ,"'/().+-]/g, '');
    const plain = shape(formatMarkdown(verdictWith('a')));
    fc.assert(
      fc.property(text, (evil) => {
        expect(shape(formatMarkdown(verdictWith(`a${evil}`)))).toBe(plain);
      }),
    );
  });

  it('stays within what a comment holds', () => {
    const verdict = verdictWith('x'.repeat(400));
    const many = { ...verdict, builds: Array.from({ length: 500 }, () => verdict.builds[0]!) };
    expect(formatMarkdown(many).length).toBeLessThan(65_000);
  });
});

describe('formatPlainText()', () => {
  it('has its own lines only, and no control characters, whatever the text', () => {
    const count = formatPlainText(verdictWith('a')).split('\n').length;
    fc.assert(
      fc.property(text, (evil) => {
        const page = formatPlainText(verdictWith(`a${evil}`));
        expect(page.split('\n')).toHaveLength(count);
        // oxlint-disable-next-line no-control-regex
        expect(page).not.toMatch(/[\u{0}-\u{9}\u{B}-\u{1F}\u{7F}-\u{9F}\u{202A}-\u{202E}]/u);
      }),
    );
  });

  it('shows characters as they are', () => {
    expect(formatPlainText(verdictWith('Use "a" & <b> of #1')).split('\n').slice(3, 6)).toEqual([
      'review  gate-x  Use "a" & <b> of #1:3',
      '  Use "a" & <b> of #1',
      '  Use "a" & <b> of #1',
    ]);
  });
});

describe('formatAnnotations()', () => {
  it('gives one command a line, whatever the text', () => {
    fc.assert(
      fc.property(text, (evil) => {
        const lines = formatAnnotations(verdictWith(evil));
        expect(lines).toHaveLength(2);
        for (const line of lines) {
          expect(line).toMatch(/^::(?:notice|warning) [^\r\n]*$/);
          expect(line).not.toContain('##[');
          expect(line.split('::').slice(0, 2).join('::')).toMatch(/^::\w+ [^:]*$/);
        }
      }),
    );
    expect(escapeCommandProperty('a,b:c%\n')).toBe('a%2Cb%3Ac%25');
  });
});
