import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { checkText, checkWords, wordsIn } from './check-words.ts';
import { EXEMPT } from './unwanted-words.ts';

test('no file uses an unwanted word', () => {
  expect(checkWords(join(import.meta.dirname, '..'), Object.keys(EXEMPT))).toEqual([]);
});

describe('wordsIn()', () => {
  it.each([
    ['It says so', ['says']],
    ['Told once, TOLD twice', ['told', 'told']],
    ['const errorTold = said_so', ['told', 'said']],
    ['what-it-tells.ts', ['tells']],
    ['read in its turn', ['in its turn']],
  ])('finds the words of "%s"', (text, words) => {
    expect(wordsIn(text)).toEqual(words);
  });

  it.each(['essays', 'a stolen token', 'innocently', 'the tellstone', 'asks officials'])(
    'finds nothing in "%s"',
    (text) => {
      expect(wordsIn(text)).toEqual([]);
    },
  );
});

describe('checkText()', () => {
  const problems = (text: string): string[] =>
    checkText('a.ts', text).map(({ line, problem }) => `${line} ${problem.split(':')[0]}`);

  it('names the line', () => {
    expect(checkText('a.ts', 'x\nIt says so\n')).toEqual([
      {
        file: 'a.ts',
        line: 2,
        problem: '"says": a program does not speak: name what it does (states, reports, prints)',
      },
    ]);
  });

  it('accepts a word that is allowed on its line or the line before', () => {
    expect(problems('// allow-word says: quotes a page\nIt says so')).toEqual([]);
    expect(problems('It says so // allow-word says: quotes a page')).toEqual([]);
  });

  it('refuses an exception for another word, without a reason, or without use', () => {
    expect(problems('// allow-word told: quotes a page\nIt says so')).toEqual([
      '1 "told" is allowed and does not occur',
      '2 "says"',
    ]);
    expect(problems('// allow-word says\nIt says so')).toEqual([
      '1 "says" is allowed without a reason',
    ]);
    expect(problems('// allow-word says: quotes a page\nx\nIt says so')).toEqual([
      '1 "says" is allowed and does not occur',
      '3 "says"',
    ]);
  });
});
