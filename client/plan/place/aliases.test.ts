import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aliasFor, resolveAlias } from './aliases.ts';

const ALL = {
  aliases: [
    { pattern: '@/*', targets: ['src/*', 'generated/*'] },
    { pattern: '@/lib/*', targets: ['packages/lib/*'] },
    { pattern: 'db', targets: ['src/db/index.ts'] },
    { pattern: '#x/*.js', targets: ['src/x/*.ts'] },
  ],
  baseUrl: undefined,
};

describe('resolveAlias()', () => {
  test.each([
    ['@/a/b', ['src/a/b', 'generated/a/b']],
    ['@/lib/a', ['packages/lib/a']],
    ['db', ['src/db/index.ts']],
    ['db/x', []],
    ['#x/a/b.js', ['src/x/a/b.ts']],
    ['#x/.js', ['src/x/.ts']],
    ['#x/a.ts', []],
    ['@', []],
  ])('%s', (name, paths) => {
    expect(resolveAlias(ALL, name)).toEqual(paths);
  });

  test('names from baseUrl', () => {
    const from = { aliases: [], baseUrl: 'src' };
    expect(resolveAlias(from, 'a/b')).toEqual(['src/a/b']);
    expect(resolveAlias({ aliases: [], baseUrl: '' }, 'a')).toEqual(['a']);
    expect(['./a', '#a', '/a', 'node:fs'].flatMap((name) => resolveAlias(from, name))).toEqual([]);
  });

  test('a dollar sign in a path is not a pattern', () => {
    expect(resolveAlias(ALL, '@/$&/$1')).toEqual(['src/$&/$1', 'generated/$&/$1']);
  });
});

describe('aliasFor()', () => {
  test('does not take a name that a more specific alias has', () => {
    expect(aliasFor(ALL, ['src/lib/a'])).toBeUndefined();
    expect(aliasFor(ALL, ['packages/lib/a'])).toBe('@/lib/a');
  });

  test('is the inverse of resolveAlias()', () => {
    const part = fc.constantFrom('src', 'lib', 'db', 'index.ts', 'x', 'a', 'packages', '@', 'a.ts');
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
        const path = parts.join('/');
        const name = aliasFor(ALL, [path]) ?? 'none';
        expect([path, undefined]).toContain(resolveAlias(ALL, name)[0]);
      }),
    );
  });
});
