import { describe, expect, it } from 'vitest';
import { resolveModule } from './resolve-module.ts';

const FILES = ['src/a.ts', 'src/b/index.ts', 'src/c.tsx', 'd.mjs'];
const ALIASES = { aliases: [{ pattern: '@/*', targets: ['src/*'] }], baseUrl: undefined };

describe('resolveModule()', () => {
  it.each([
    ['./a', 'src/a.ts'],
    ['./a.js', 'src/a.ts'],
    ['./a.ts', 'src/a.ts'],
    ['./b', 'src/b/index.ts'],
    ['./c.jsx', 'src/c.tsx'],
    ['../d.mjs', 'd.mjs'],
    ['@/a', 'src/a.ts'],
    ['express', undefined],
    ['../../out', undefined],
  ])('%s is %s', (name, path) => {
    expect(resolveModule('src/x.ts', name, ALIASES, (one) => FILES.includes(one))).toBe(path);
  });
});
