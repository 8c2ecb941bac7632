import { describe, expect, it } from 'vitest';
import { awsKeyPairs } from './aws-key-pair.ts';

const ID = ['AKIA', 'QYLPMN5HHHFPZAM2'].join('');
const SECRET = ['1tUm636uS1yOEcfP5pvf', 'qJ/ml36mF7AkyHsEU0IU'].join('');

describe('awsKeyPairs()', () => {
  it.each([
    `KEY = "${ID}"\nSECRET = "${SECRET}"`,
    `${SECRET}:${ID}`,
    `{"id":"${ID}","value":"${SECRET}"}`,
  ])('finds the secret in %s', (text) => {
    const [pair] = awsKeyPairs(text);
    expect(text.slice(pair?.start, pair?.end)).toBe(SECRET);
  });

  it.each([
    '',
    `KEY = "${ID}"`,
    `SECRET = "${SECRET}"`,
    `${ID} ${'0123456789abcdef'.repeat(3).slice(0, 40)}`,
    `${ID}${' '.repeat(400)}${SECRET}`,
    `X${ID} ${SECRET}`,
  ])('none: %j', (text) => {
    expect(awsKeyPairs(text)).toEqual([]);
  });

  it('is bounded', () => {
    expect(awsKeyPairs(`${ID} ${SECRET}\n`.repeat(20_000))).toHaveLength(10);
    expect(awsKeyPairs('A'.repeat(2_000_000))).toEqual([]);
  });
});
