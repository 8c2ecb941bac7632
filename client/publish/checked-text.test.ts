import { describe, expect, it } from 'vitest';
import { checkedText } from './checked-text.ts';

describe('checkedText()', () => {
  it('gives the text on one line, without what controls a terminal', () => {
    expect(checkedText(' It fails\non Node 24\u200B ', '--reason', 300)).toBe(
      'It fails on Node 24',
    );
  });

  it.each([undefined, '', ' ', '\u200B', '\uFE0F', '\u2800', '\u3164', 'x'.repeat(301)])(
    'refuses %j',
    (text) => {
      expect(() => checkedText(text, '--reason', 300)).toThrow(
        expect.objectContaining({ code: 'ERR_USAGE' }),
      );
    },
  );

  it('refuses personal data', () => {
    expect(() => checkedText('Ask bob@example.org', '--reason', 300)).toThrow(
      expect.objectContaining({ code: 'ERR_PERSONAL_DATA' }),
    );
  });
});
