import fc from 'fast-check';
import { format } from 'oxfmt';
import { describe, expect, test } from 'vitest';
import { compareSources, MAX_COMPARED_BYTES } from './reformatted-files.ts';
import { SAMPLES, SAME, DIFFERENT } from './compare-samples.ts';

async function compare(path: string, before: string, after: string): Promise<string> {
  return (await compareSources(path, Buffer.from(before), Buffer.from(after))).kind;
}

describe('compareSources() finds only formatting in', () => {
  test.each(SAME)('%s: %s', async (path, before, after) => {
    expect(await compare(path, before, after)).toBe('same');
    expect(await compare(path, after, before)).toBe('same');
  });

  const styles = [
    { printWidth: 40, semi: false, singleQuote: true, useTabs: true, trailingComma: 'none' },
    { printWidth: 160, quoteProps: 'as-needed', arrowParens: 'avoid', bracketSpacing: false },
  ] as const;
  test.each(SAMPLES.filter(([path]) => !path.endsWith('.py')))(
    '%s as oxfmt formats it',
    async (path, text) => {
      for (const style of styles) {
        const { code, errors } = await format(path, text, style);
        expect(errors).toEqual([]);
        expect(code).not.toBe(text);
        expect(await compare(path, text, code), code).toBe('same');
      }
    },
  );

  test.each(SAMPLES)('%s with CRLF, tabs and a byte order mark', async (path, text) => {
    const changed = text.replaceAll('\n', '\r\n').replaceAll(/(?<=^ *) {4}/gm, '\t');
    expect(await compare(path, text, `\uFEFF${changed}`)).toBe('same');
  });
});

describe('compareSources() finds an edit in', () => {
  test.each(DIFFERENT)('%s: %s', async (path, before, after) => {
    expect(await compare(path, before, after)).toBe('different');
  });

  test.each(SAMPLES)('%s where any word is changed', async (path, text) => {
    const words = [...text.matchAll(/[\w$]+/g)];
    await fc.assert(
      fc.asyncProperty(fc.nat(words.length - 1), async (at) => {
        const { index, 0: word } = words[at]!;
        const changed = `${text.slice(0, index)}${word}q${text.slice(index + word.length)}`;
        expect(await compare(path, text, changed), changed.slice(index - 20, index + 20)).not.toBe(
          'same',
        );
      }),
      { numRuns: 40 },
    );
  });

  test.each(SAMPLES)('%s where any line is left out', async (path, text) => {
    const lines = text.split('\n');
    const full = lines.flatMap((line, at) => (/\w/.test(line) ? [at] : []));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...full), async (at) => {
        const changed = lines.toSpliced(at, 1).join('\n');
        expect(await compare(path, text, changed), lines[at]).not.toBe('same');
      }),
      { numRuns: 20 },
    );
  });
});

describe('compareSources() compares by bytes', () => {
  const twoMegabytes = `const a = [${'1,\n'.repeat(1_000_000)}];\n`;
  test.each<[string, string, string, string]>([
    [
      'a.ts',
      twoMegabytes,
      twoMegabytes.replaceAll('\n', ''),
      `it has more than ${MAX_COMPARED_BYTES} bytes`,
    ],
    ['a.ts', `a${'('.repeat(100_000)}`, 'a', 'its syntax cannot be read'],
    ['a.ts', `${'['.repeat(40_000)}${']'.repeat(40_000)}`, '[]', 'its syntax cannot be read'],
    ['a.json', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, '[]', 'its syntax cannot be read'],
    ['a.py', `${'('.repeat(300_000)}${')'.repeat(300_000)}`, '()', 'its syntax cannot be read'],
    ['a.py', `f'${"{f'".repeat(10_000)}`, 'a', 'its syntax cannot be read'],
    ['a.ts', 'const = 1', 'const  = 1', 'its syntax cannot be read'],
    ['a.py', 'a = (', 'a  = (', 'its syntax cannot be read'],
    ['a.py', 'if a:\n    b\n  c\n', 'if a:\n  b\n  c\n', 'its syntax cannot be read'],
    ['a.json', '{"a": }', '{"a":}', 'its syntax cannot be read'],
    ['a.ts', 'a\0', 'a \0', 'it is not UTF-8 text'],
    ['a.html', '<p>', '< p>', 'its format is not compared'],
    ['a.css', 'a{}', 'a {}', 'its format is not compared'],
    ['a.md', '* a', '- a', 'its format is not compared'],
  ])('%s: %#', async (path, before, after, why) => {
    const compared = await compareSources(path, Buffer.from(before), Buffer.from(after));
    expect(compared).toEqual({ kind: 'unknown', why });
  });

  test('bytes that are not UTF-8', async () => {
    const compared = await compareSources('a.ts', Buffer.from([0xff]), Buffer.from([0xfe]));
    expect(compared).toEqual({ kind: 'unknown', why: 'it is not UTF-8 text' });
  });

  test('any text without an exception', async () => {
    const part = fc.constantFrom(
      ...' \n\t()[]{}\'"`\\/*#@.,:;=<>$!-+&|'.split(''),
      'f"',
      'a',
      'if',
      'for',
      '1',
      '"""',
      '${',
      '/*',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('a.ts', 'a.tsx', 'a.js', 'a.json', 'package.json', 'a.py'),
        fc.array(part, { maxLength: 30 }),
        fc.array(part, { maxLength: 30 }),
        async (path, before, after) => {
          const kind = await compare(path, before.join(''), after.join(''));
          expect(['same', 'different', 'unknown']).toContain(kind);
        },
      ),
      { numRuns: 300 },
    );
  });
});
