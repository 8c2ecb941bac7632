import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRuleCase, type RuleCase } from './rule-case.ts';

const TEXT = `# A download is run.
# It is hidden.
error remote-code src/setup.js:7
warn content-values .env
warn guide-readme-missing

-- src/setup.js --
const fs = require('fs');

-- (a)/run.sh (executable, escaped, no final newline) --
echo "\\u{202E}\\u{5C}u{41}"
\\u{2D}- path --
-- empty --
`;

const CASE: RuleCase = {
  comment: ['A download is run.', 'It is hidden.'],
  expected: [
    { level: 'error', code: 'remote-code', file: 'src/setup.js', line: 7 },
    { level: 'warn', code: 'content-values', file: '.env' },
    { level: 'warn', code: 'guide-readme-missing', file: '' },
  ],
  files: [
    { path: 'src/setup.js', text: "const fs = require('fs');\n\n", executable: false },
    { path: '(a)/run.sh', text: 'echo "\u202e\\u{41}"\n-- path --', executable: true },
    { path: 'empty', text: '', executable: false },
  ],
};

const piece = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '\n',
    '\r\n',
    '-- a --',
    '\n-- a (escaped) --\n',
    '\\u{',
    '41}',
    '\u200b',
    '\0',
    '# ',
  ),
);
const content = fc.array(piece).map((pieces) => pieces.join(''));
describe('parseRuleCase()', () => {
  it('reads comment, findings and files', () => {
    expect(parseRuleCase(TEXT)).toEqual(CASE);
  });

  it('throws nothing but SyntaxError', () => {
    fc.assert(
      fc.property(content, fc.boolean(), (text, hasComment) => {
        try {
          parseRuleCase(`${hasComment ? '# A\n\n-- a (escaped) --\n' : ''}${text}`);
        } catch (error) {
          expect(error).toBeInstanceOf(SyntaxError);
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['no comment', '-- a --\n'],
    ['a finding before the comment', 'warn a b\n# A\n'],
    ['an unknown level', '# A\nfatal a b\n\n-- a --\n'],
    ['line 0', '# A\nwarn a b:0\n\n-- a --\n'],
    ['a third word', '# A\nwarn a b c\n\n-- a --\n'],
    ['an empty line between the findings', '# A\nwarn a\n\nwarn b\n\n-- a --\n'],
    ['an unknown mark', '# A\n\n-- a (binary) --\n'],
    ['a header without a path', '# A\n\n-- --\n'],
    ['a path with a space', '# A\n\n-- a b --\n'],
    ['a last line that does not end', '# A\n\n-- a --\nb'],
    ['a zero-width space', '# A\n\n-- a --\n\u200b\n'],
    ['a carriage return', '# A\n\n-- a --\r\n'],
    ['a no-break space', '# A\u00a0b\n\n-- a --\n'],
    ['an escape above U+10FFFF', '# A\n\n-- a (escaped) --\n\\u{110000}\n'],
    ['half of a surrogate pair', '# A\n\n-- a (escaped) --\n\\u{D800}\n'],
  ])('rejects %s', (_, text) => {
    expect(() => parseRuleCase(text)).toThrow(SyntaxError);
  });
});
