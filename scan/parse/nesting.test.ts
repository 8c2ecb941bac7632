import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SAFE_DEPTH, depthOf, INFIX_WEIGHT, NestingCount, WEIGHT } from './nesting.ts';

describe('depthOf()', () => {
  it.each([
    ['', 'shallow'],
    ['a = [b ? [c] : d]', 'shallow'],
    ['#!/usr/bin/env node (((\na', 'shallow'],
    ['((', 'shallow'],
    ['))', 'shallow'],
  ])('%j: %s', (text, depth) => {
    expect(depthOf(text)).toBe(depth);
  });

  it.each([
    ['brackets', (n: number) => '['.repeat(n)],
    ['operators without an end', (n: number) => `${'!'.repeat(n)}a`],
    ['a block', (n: number) => 'if(a){'.repeat(n)],
    ['templates', (n: number) => '`${'.repeat(n)],
    ['heads on lines of their own', (n: number) => 'if (a)\n'.repeat(n)],
    ['operators on lines of their own', (n: number) => 'a\n=\n'.repeat(n)],
    ['words on lines of their own', (n: number) => 'keyof\n'.repeat(n)],
    ['an else on a line of its own', (n: number) => 'if (a) b\nelse '.repeat(n)],
    [
      'types that are named case',
      (n: number) => `type A = ${'case extends case ? b : '.repeat(n)}c`,
    ],
    [
      'conditional types on lines of their own',
      (n: number) => `type A = ${'{}\nextends b ? c : '.repeat(n)}d`,
    ],
    ['casts on lines of their own', (n: number) => `a${'\nas b'.repeat(n)}`],
  ])('counts %s', (_, text) => {
    expect(depthOf(text(SAFE_DEPTH + 1))).toBe('deep');
    expect(depthOf(text(10))).toBe('shallow');
  });

  it.each([
    ['strings', `"${'('.repeat(1_000)}"`],
    ['escaped quotes', `"\\"${'('.repeat(1_000)}"`],
    ['templates', `\`${'('.repeat(1_000)}\``],
    ['line comments', `//${'('.repeat(1_000)}`],
    ['block comments', `/*${'('.repeat(1_000)}*/`],
    ['regular expressions', `a = /${'['.repeat(1_000)}]/`],
    ['classes of characters', `a = /[/"${'('.repeat(1_000)}]/`],
    ['statements after each other', 'a = !b;'.repeat(10_000)],
    ['items of a list', `[${'!a,'.repeat(10_000)}]`],
    ['statements on lines of their own', 'const a = !b\nf(!a)\nreturn a\n'.repeat(1_000)],
    ['methods with types on lines of their own', `class A {${'a(): B<C> {}\n'.repeat(1_000)}}`],
    ['cases of a switch', `switch (a) {${"case 'b':\n".repeat(1_000)}}`],
    [
      'members of a type on lines of their own',
      `interface A {${'a?: (b: B) => C\n'.repeat(1_000)}}`,
    ],
  ])('does not count %s', (_, text) => {
    expect(depthOf(text)).toBe('shallow');
  });

  it.each([
    'a = "unclosed',
    "a = 'b\nc'",
    '`unclosed',
    '/* unclosed',
    'a = /unclosed',
    '<!-- html',
    '} /"/',
  ])('leaves %j open', (text) => {
    expect(depthOf(text)).toBe('open');
  });

  it('never throws, and never reports text with few brackets and operators as deep', () => {
    const text = fc.string({
      unit: fc.constantFrom(...Array.from('ab(){}[]"\'`/\\*$!=<>-+;,\n ')),
      maxLength: 200,
    });
    fc.assert(
      fc.property(text, (content) => {
        expect(['shallow', 'open']).toContain(depthOf(content));
      }),
      { numRuns: 500 },
    );
  });

  it.each(['/', '`', '`${', '"', "'\\", '/*', '//', '<!--', 'a/', ')/', '}/'])(
    'is bounded on many %j',
    (part) => {
      expect(['shallow', 'open', 'deep']).toContain(depthOf(part.repeat(100_000)));
    },
  );
});

it('counts open brackets, and operators until their statement ends', () => {
  const count = new NestingCount();
  count.add(WEIGHT);
  count.open();
  count.add(INFIX_WEIGHT);
  expect(count.total).toBe(2 * WEIGHT + INFIX_WEIGHT);
  count.settle();
  expect(count.total).toBe(2 * WEIGHT);
  count.close();
  count.settle();
  expect(count.total).toBe(0);
});

it('keeps what an else adds until its bracket closes', () => {
  const count = new NestingCount();
  count.open();
  count.add(WEIGHT);
  count.keep();
  count.settle();
  expect(count.total).toBe(2 * WEIGHT);
  count.close();
  count.close();
  expect(count.total).toBe(0);
});
