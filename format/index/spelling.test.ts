import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wordDistance } from './spelling.ts';

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
