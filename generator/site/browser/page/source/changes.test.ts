import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedFiles, differenceOf } from './changes.ts';

type Texts = Readonly<Record<string, string | Uint8Array>>;

function changes(before: Texts, after: Texts): [string, string, ReturnType<typeof differenceOf>][] {
  const files = (texts: Texts) =>
    Object.entries(texts).map(([path, text]) => ({
      path,
      bytes: Buffer.from(text),
      executable: false,
    }));
  return changedFiles(files(before), files(after)).map((one) => [
    one.path,
    one.kind,
    differenceOf(one),
  ]);
}

const lines = (count: number, text: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => `${text(at)}\n`).join('');

describe('changedFiles() and differenceOf()', () => {
  it('name what was added, removed and changed, by path, with the numbers of lines', () => {
    const before = { 'b.ts': 'one\ntwo\n', 'gone.ts': 'x\n', 'same.ts': 'y\n' };
    const after = { 'b.ts': 'one\n2\n', 'a.ts': 'new\n', 'same.ts': 'y\n' };
    const found = changes(before, after);
    expect(found.map(([path, kind]) => `${kind} ${path}`)).toEqual([
      'added a.ts',
      'changed b.ts',
      'removed gone.ts',
    ]);
    expect(found[1]?.[2]).toEqual({
      added: 1,
      removed: 1,
      lines: [
        { sign: '@', text: 'Lines 1 to 2' },
        { sign: ' ', text: 'one', before: 1, after: 1 },
        { sign: '-', text: 'two', before: 2 },
        { sign: '+', text: '2', after: 2 },
      ],
    });
  });

  it('give the lines of both sides at their numbers', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', '', '+c', '-d'), { minLength: 1, maxLength: 40 })
      .map((all) => all.map((line) => `${line}\n`).join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const [old, now] = [before.split('\n'), after.split('\n')];
        const shown = changes({ x: before }, { x: after })[0]?.[2].lines ?? [];
        for (const { sign, text: line, before: from, after: to } of shown) {
          if (sign === '-' || sign === ' ') expect(old[from! - 1]).toBe(line);
          if (sign === '+' || sign === ' ') expect(now[to! - 1]).toBe(line);
        }
        expect(shown.some(({ sign }) => sign !== ' ' && sign !== '@')).toBe(before !== after);
      }),
    );
  });

  it.each([
    ['only line ends', { x: 'a\r\nb\r\n' }, { x: 'a\nb\n' }],
    ['empty', {}, { x: '' }],
    ['not text, or too long', { x: 'a' }, { x: new Uint8Array([0, 1]) }],
    ['not text, or too long', { x: 'a' }, { x: new Uint8Array([0xff]) }],
    ['not text, or too long', { x: 'a' }, { x: 'y'.repeat(1_000_001) }],
    ['not text, or too long', { x: 'a' }, { x: '\n'.repeat(5_001) }],
    [
      'too many changes',
      { x: lines(3_000, (at) => `a${at}`) },
      { x: lines(3_000, (at) => `b${at}`) },
    ],
  ] as const)('show no lines: %s', (note, before, after) => {
    const [change] = changes(before, after);
    expect(change?.[2]).toMatchObject({ note });
    expect(change?.[2]).not.toHaveProperty('lines');
  });

  it('name a file whose mode alone changed', () => {
    const bytes = Buffer.from('x');
    const [found] = changedFiles(
      [{ path: 'x', bytes, executable: false }],
      [{ path: 'x', bytes, executable: true }],
    );
    expect(differenceOf(found!).note).toBe('only its mode');
  });
});
