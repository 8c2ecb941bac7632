import { describe, expect, it } from 'vitest';
import { fileChanges } from './file-changes.ts';
import type { FileChange } from './file-changes.ts';

type Texts = Readonly<Record<string, string | Uint8Array>>;

function changes(before: Texts, after: Texts): readonly FileChange[] {
  const files = (texts: Texts) =>
    Object.entries(texts).map(([path, text]) => ({ path, bytes: Buffer.from(text) }));
  return fileChanges(files(before), files(after));
}

const lines = (count: number, text: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => `${text(at)}\n`).join('');

describe('fileChanges()', () => {
  it('names what was added, removed and changed, by path, and nothing else', () => {
    const before = { 'b.ts': 'one\ntwo\n', 'gone.ts': 'x\n', 'same.ts': 'y\n' };
    const after = { 'b.ts': 'one\n2\n', 'a.ts': 'new\n', 'same.ts': 'y\n' };
    expect(changes(before, after)).toEqual([
      { path: 'a.ts', kind: 'added', added: 1, removed: 0, lines: ['@ Lines 1 to 1', '+new'] },
      {
        path: 'b.ts',
        kind: 'changed',
        added: 1,
        removed: 1,
        lines: ['@ Lines 1 to 2', ' one', '-two', '+2'],
      },
      { path: 'gone.ts', kind: 'removed', added: 0, removed: 1, lines: [expect.any(String), '-x'] },
    ]);
  });

  it.each([
    ['only line ends', { x: 'a\r\nb\r\n' }, { x: 'a\nb\n' }],
    ['not text, or too long', { x: 'a' }, { x: new Uint8Array([0, 1]) }],
    ['not text, or too long', { x: 'a' }, { x: new Uint8Array([0xff]) }],
    ['not text, or too long', { x: 'a' }, { x: 'y'.repeat(2_001) }],
    ['not text, or too long', { x: 'a' }, { x: '\n'.repeat(5_001) }],
    [
      'too many changes',
      { x: lines(3_000, (at) => `a${at}`) },
      { x: lines(3_000, (at) => `b${at}`) },
    ],
  ] as const)('shows no lines: %s', (note, before, after) => {
    const [change] = changes(before, after);
    expect(change).toMatchObject({ path: 'x', note });
    expect(change).not.toHaveProperty('lines');
  });

  it('shows no more lines than a page may have, and counts all', () => {
    const many = Object.fromEntries(
      Array.from({ length: 5 }, (_, at) => [`f${at}`, lines(1_500, (line) => String(line))]),
    );
    const all = changes({}, many);
    expect(all.flatMap((change) => change.lines ?? []).length).toBeLessThanOrEqual(4_000);
    expect(all.map(({ added }) => added)).toEqual([1_500, 1_500, 1_500, 1_500, 1_500]);
    expect(all.at(-1)?.note).toBe('not shown: the page is long');
  });
});
