import { expect, test } from 'vitest';
import { optional } from './code-host.ts';
import { Pull } from './github-host.ts';

test('ids of commits have 40 or 64 hexadecimal digits', () => {
  const about = {
    number: 1,
    state: 'open',
    user: { login: 'alice', id: 11 },
    base: { ref: 'main' },
  };
  for (const length of [39, 40, 41, 63, 64, 65]) {
    const sha = 'a'.repeat(length);
    const isId = length === 40 || length === 64;
    expect([length, Pull.safeParse({ ...about, head: { sha } }).success]).toEqual([length, isId]);
    for (const name of ['APPROVED_HEAD', 'GITHUB_SHA'] as const) {
      const read = (): string | undefined => optional({ [name]: sha }, name);
      if (isId) expect(read()).toBe(sha);
      else expect(read).toThrow('not of its form');
    }
  }
});
