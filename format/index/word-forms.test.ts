import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  SYNONYMS,
  conceptOf,
  formsOfConcept,
  joinWords,
  stemOf,
  tellingWords,
  wordsOf,
} from './word-forms.ts';
import { wordDistance } from './typing-errors.ts';

describe('stemOf()', () => {
  it.each([
    ['migration', 'migrations', 'migrate', 'migrated', 'migrating'],
    ['authentication', 'authenticate', 'authenticated'],
    ['user', 'users'],
    ['library', 'libraries'],
    ['session', 'sessions'],
    ['service', 'services'],
    ['cache', 'caches', 'caching', 'cached'],
    ['log', 'logging', 'logged', 'logs'],
    ['bill', 'billing', 'bills'],
    ['address', 'addresses'],
    ['verify', 'verified', 'verification'],
    ['deploy', 'deploys', 'deployed'],
    ['express', 'expressjs'],
    ['key', 'keys'],
  ])('is the same of the forms of %s', (...forms) => {
    expect(new Set(forms.map(stemOf)).size).toBe(1);
  });

  it.each([
    ['data', 'date'],
    ['express', 'expression'],
    ['string', 'strong'],
    ['status', 'state'],
    ['user', 'use'],
  ])('differs for %s and %s', (a, b) => {
    expect(stemOf(a)).not.toBe(stemOf(b));
  });

  it('is a start of the word, whatever the word', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-z]{1,45}$/)), (word) => {
        expect(word.startsWith(stemOf(word))).toBe(true);
      }),
    );
  });
});

describe('the table of synonyms', () => {
  it('has each word and each stem in one row', () => {
    const rows = new Map<string, string>();
    for (const [word, row] of SYNONYMS) {
      expect(wordsOf(word)).toEqual([word]);
      expect(rows.get(stemOf(word)) ?? row).toBe(row);
      rows.set(stemOf(word), row);
    }
  });

  it('stands for all forms of its words', () => {
    expect(conceptOf('logins')).toBe(conceptOf('signup'));
    expect(conceptOf('databases')).toBe(conceptOf('db'));
    expect(conceptOf('kafka')).toBeUndefined();
    expect(formsOfConcept(conceptOf('db')!)).toContain('sqlit');
  });
});

it.each([
  ['sign up form', ['signup', 'form']],
  ['fast api', ['fastapi']],
  ['express js', ['expressjs']],
  ['rest api', ['rest', 'api']],
  ['js', ['js']],
])('joinWords() reads %s', (text, words) => {
  expect(joinWords(wordsOf(text))).toEqual(words);
});

it('tellingWords() drops words that say nothing, unless there are no others', () => {
  expect(tellingWords(['how', 'to', 'login'])).toEqual(['login']);
  expect(tellingWords(['to', 'the'])).toEqual(['to', 'the']);
});

describe('wordDistance()', () => {
  test.each([
    ['sqlite', 'sqlite', 0],
    ['sq', 'sqlite', undefined],
    ['s', 'sqlite', undefined],
    ['sqlit', 'sqlite', 0.5],
    ['sqllite', 'sqlite', 1],
    ['sqilte', 'sqlite', 1],
    ['squlate', 'sqlite', undefined],
    ['qslite', 'sqlite', 1],
    ['atuhentcation', 'authentication', 2],
    ['sql', 'sal', undefined],
    ['authentcation', 'authentication', 1],
    ['autentcation', 'authentication', 2],
    ['atentcation', 'authentication', undefined],
    ['x', 'x'.repeat(100), undefined],
    ['x'.repeat(100), 'x'.repeat(99), undefined],
  ])('%s from %s is %s', (word, known, expected) => {
    expect(wordDistance(word, known)).toBe(expected);
  });

  test('finds any word with one slip, whatever the letter', () => {
    const word = fc.stringMatching(/^[a-z]{4,12}$/);
    fc.assert(
      fc.property(word, fc.nat(), fc.constantFrom('drop', 'double', 'swap'), (known, n, slip) => {
        const at = n % (known.length - 1);
        const [a, b] = [known[at]!, known[at + 1]!];
        const typed =
          known.slice(0, at) +
          { drop: b, double: a + a + b, swap: b + a }[slip] +
          known.slice(at + 2);
        if (typed.length < 4) return;
        expect(wordDistance(typed, known)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
