import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runs } from '../../../tests/run/runs.ts';
import { mergeText } from './merge-text.ts';

/** One letter, one line. */
const text = (letters: string, end = '\n') => letters.replaceAll(/./g, (letter) => letter + end);
const numbered = (count: number, prefix = '') =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`);
const joined = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

const anyText = fc
  .array(fc.tuple(fc.constantFrom('a', 'b', '', '}'), fc.constantFrom('\n', '\r\n')), {
    maxLength: 12,
  })
  .chain((lines) =>
    fc
      .tuple(fc.constantFrom('', '\uFEFF'), fc.constantFrom('', 'a', '\r'))
      .map(([mark, last]) => mark + lines.flat().join('') + last),
  );

describe('mergeText()', () => {
  test.each([
    { name: 'both edits', base: 'abcde', ours: 'Abcde', theirs: 'abcdE', merged: 'AbcdE' },
    { name: 'both insertions', base: 'abc', ours: 'xabc', theirs: 'abcy', merged: 'xabcy' },
    { name: 'both deletions', base: 'abcde', ours: 'bcde', theirs: 'abcd', merged: 'bcd' },
    { name: 'the same edit once', base: 'abc', ours: 'aXc', theirs: 'aXc', merged: 'aXc' },
    {
      name: 'a shared edit and one of each',
      base: 'abcdefg',
      ours: 'AbcXefg',
      theirs: 'abcXefG',
      merged: 'AbcXefG',
    },
    { name: 'into an emptied file', base: 'ab', ours: '', theirs: '', merged: '' },
  ])('mergeText() takes $name', ({ base, ours, theirs, merged }) => {
    const result = mergeText(text(base), text(ours), text(theirs));
    expect(result).toEqual({ kind: 'clean', text: text(merged) });
  });

  test.each([
    { name: 'one line edited twice', base: 'abc', ours: 'aXc', theirs: 'aYc' },
    { name: 'edits of neighbour lines', base: 'abcd', ours: 'aXcd', theirs: 'abYd' },
    { name: 'insertions at one place', base: 'ab', ours: 'aXb', theirs: 'aYb' },
    { name: 'a deletion against an edit', base: 'abc', ours: 'ac', theirs: 'aYc' },
    { name: 'two new texts', base: '', ours: 'a', theirs: 'b' },
  ])('mergeText() refuses $name', ({ base, ours, theirs }) => {
    const result = mergeText(text(base), text(ours), text(theirs));
    expect(result).toMatchObject({ kind: 'conflict', conflicts: 1 });
  });

  test('mergeText() marks conflicts in diff3 style, with labels and the line end of the user', () => {
    const labels = { ours: 'yours', base: 'base 1.0.0', theirs: 'theirs 1.1.0' };
    const result = mergeText(text('abcdefg'), text('aXcdefG', '\r\n'), text('aYcdefg'), { labels });
    const lines = [
      'a',
      '<<<<<<< yours',
      'X',
      '||||||| base 1.0.0',
      'b',
      '=======',
      'Y',
      '>>>>>>> theirs 1.1.0',
      'c',
      'd',
      'e',
      'f',
      'G',
      '',
    ];
    expect(result).toEqual({
      kind: 'conflict',
      conflicts: 1,
      text: lines.join('\r\n'),
    });
  });

  test('mergeText() ends the last marker, whether or not the texts end in a newline', () => {
    const result = mergeText('a', 'b', 'c');
    expect(result.text).toBe('<<<<<<< yours\nb\n||||||| base\na\n=======\nc\n>>>>>>> theirs\n');
  });

  test('mergeText() counts conflicts and keeps clean edits between them', () => {
    const result = mergeText(text('abcdefghi'), text('Xbcdefghi1'), text('YbcdEfghi2'));
    expect(result).toMatchObject({ kind: 'conflict', conflicts: 2 });
    expect(result.text).toContain('\nE\n');
  });

  test.each([
    {
      name: 'the CRLF of the user',
      base: 'a\nb\nc\n',
      ours: 'a\r\nb\r\nc\r\n',
      theirs: 'a\nB\nc\n',
      merged: 'a\r\nB\r\nc\r\n',
    },
    {
      name: 'the LF of the user',
      base: 'a\r\nb\r\nc\r\n',
      ours: 'a\nb\nc\n',
      theirs: 'a\r\nB\r\nc\r\n',
      merged: 'a\nB\nc\n',
    },
    {
      name: 'mixed ends',
      base: 'a\nb\nc\nd\n',
      ours: 'a\r\nb\nc\r\nD\n',
      theirs: 'A\nb\nc\nd\n',
      merged: 'A\nb\nc\r\nD\n',
    },
    {
      name: 'a lone carriage return',
      base: 'a\rb\nc\nd\n',
      ours: 'a\rb\nc\nD\n',
      theirs: 'a\rB\nc\nd\n',
      merged: 'a\rB\nc\nD\n',
    },
    {
      name: 'a user without a final newline',
      base: 'a\nb\nc\n',
      ours: 'a\nb\nc',
      theirs: 'A\nb\nc\n',
      merged: 'A\nb\nc',
    },
    {
      name: 'a new version without one',
      base: 'a\nb\nc\n',
      ours: 'A\nb\nc\n',
      theirs: 'a\nb\nc',
      merged: 'A\nb\nc',
    },
    {
      name: 'a final newline added',
      base: 'a\nb\nc',
      ours: 'A\nb\nc',
      theirs: 'a\nb\nc\n',
      merged: 'A\nb\nc\n',
    },
    {
      name: 'lines behind one without newline',
      base: 'a\nb',
      ours: 'A\nb',
      theirs: 'a\nb\nc',
      merged: 'A\nb\nc',
    },
    {
      name: 'one line without any end',
      base: 'a',
      ours: 'a\n',
      theirs: 'a\r\nb',
      merged: 'a\nb\n',
    },
    {
      name: 'a byte order mark',
      base: '\uFEFFa\nb\nc\n',
      ours: '\uFEFFA\nb\nc\n',
      theirs: '\uFEFFa\nb\nC\n',
      merged: '\uFEFFA\nb\nC\n',
    },
    {
      name: 'a byte order mark that the user took away',
      base: '\uFEFFa\nb\n',
      ours: 'a\nb\n',
      theirs: '\uFEFFA\nb\n',
      merged: 'A\nb\n',
    },
    {
      name: 'a byte order mark that is new',
      base: 'a\nb\nc\n',
      ours: 'A\nb\nc\n',
      theirs: '\uFEFFa\nb\nc\n',
      merged: '\uFEFFA\nb\nc\n',
    },
  ])('mergeText() keeps $name', ({ base, ours, theirs, merged }) => {
    expect(mergeText(base, ours, theirs)).toEqual({ kind: 'clean', text: merged });
  });

  test('mergeText() returns the other side when one has no edits', () => {
    fc.assert(
      fc.property(anyText, anyText, (base, side) => {
        expect(mergeText(base, base, side)).toEqual({ kind: 'clean', text: side });
        expect(mergeText(base, side, base)).toEqual({ kind: 'clean', text: side });
        expect(mergeText(base, side, side)).toEqual({ kind: 'clean', text: side });
      }),
    );
  });

  test('mergeText() is clean or not whichever side is the user, with the same lines', () => {
    const plain = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 12 });
    fc.assert(
      fc.property(plain, plain, plain, (base, ours, theirs) => {
        const one = mergeText(text(base), text(ours), text(theirs));
        const other = mergeText(text(base), text(theirs), text(ours));
        expect(other.kind).toBe(one.kind);
        if (one.kind === 'clean') expect(other).toEqual(one);
        else expect(other).toMatchObject({ conflicts: one.kind === 'conflict' && one.conflicts });
      }),
      { numRuns: runs(1000) },
    );
    fc.assert(
      fc.property(anyText, anyText, anyText, (base, ours, theirs) => {
        expect(mergeText(base, theirs, ours).kind).toBe(mergeText(base, ours, theirs).kind);
      }),
    );
  });

  test('mergeText() of a copy that differs in line ends alone is the new text with those ends', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b', 'c') }), fc.string(), (a, b) => {
        const theirs = text(b.replaceAll(/[\r\n\uFEFF]/g, ''));
        const result = mergeText(text(a), text(a, '\r\n'), theirs);
        const end = a === '' ? '\n' : '\r\n';
        expect(result).toEqual({ kind: 'clean', text: theirs.replaceAll('\n', end) });
      }),
    );
  });

  test('mergeText() treats a comparison that times out as one conflict of all that is not shared', () => {
    const lines = numbered(5000);
    const base = joined(['first', ...lines, 'last']);
    const ours = joined(['first', ...lines.toReversed(), 'last']);
    const theirs = joined(['first', ...lines.with(2500, 'x'), 'last']);
    const result = mergeText(base, ours, theirs, { timeoutMs: 1 });
    expect(result).toMatchObject({ kind: 'conflict', conflicts: 1 });
    expect(result.text.startsWith('first\n')).toBe(true);
    expect(result.text.endsWith('>>>>>>> theirs\nlast\n')).toBe(true);
  });

  // A merge without limits takes seconds to minutes for some of these; the test's own time limit is 5 s.
  test.each([
    { name: '3,000 repeated lines', size: 3000, line: () => 'same' },
    { name: '50,000 repeated lines', size: 50_000, line: () => '' },
    { name: '50,000 lines, two of them in turns', size: 50_000, line: (at: number) => `${at % 2}` },
    { name: '50,000 different lines', size: 50_000, line: (at: number) => `${at}` },
  ])('mergeText() gets through $name', ({ size, line }) => {
    const lines = Array.from({ length: size }, (_, at) => line(at));
    const result = mergeText(
      joined(lines),
      joined(['x', ...lines]),
      joined([...lines.slice(0, -100), 'y']),
    );
    const merged = joined(['x', ...lines.slice(0, -100), 'y']);
    expect(result).toEqual({ kind: 'clean', text: merged });
  });

  test('mergeText() gets through 5,000 lines that are different in each text', () => {
    const [base = '', ours = '', theirs = ''] = ['a', 'b', 'c'].map((prefix) =>
      joined(numbered(5000, prefix)),
    );
    expect(mergeText(base, ours, theirs)).toMatchObject({ kind: 'conflict', conflicts: 1 });
  });

  test('mergeText() gets through 50,000 lines in another order', () => {
    const lines = numbered(50_000);
    const ours = joined(lines.toReversed());
    const theirs = joined(lines.toSorted());
    expect(mergeText(joined(lines), ours, theirs, { timeoutMs: 100 }).kind).toBe('conflict');
  });
});

describe('mergeText() and git merge-file', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'merge-text-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  /** What git makes of it; `undefined` for a conflict. */
  function gitMerge(base: string, ours: string, theirs: string): string | undefined {
    const files = Object.entries({ ours, base, theirs }).map(([name, content]) => {
      writeFileSync(join(folder, name), content);
      return name;
    });
    const { status, stdout } = spawnSync('git', ['merge-file', '-p', '-q', ...files], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(status).not.toBeNull();
    expect(status).toBeLessThan(128);
    return status === 0 ? stdout : undefined;
  }

  interface Tally {
    bothClean: number;
    bothConflict: number;
    otherText: number;
    onlyGitClean: number;
    onlyOursClean: number;
  }

  /** Merges many texts in both ways. A seed, so that every run has the same cases. */
  function compare(line: fc.Arbitrary<string>, maxLength: number, seed: number): Tally {
    const edit = fc.record({
      at: fc.nat(),
      remove: fc.nat(2),
      add: fc.array(line, { maxLength: 3 }),
    });
    const edits = fc.array(edit, { minLength: 1, maxLength: 3 });
    const applied = (
      base: readonly string[],
      list: readonly { at: number; remove: number; add: string[] }[],
    ) =>
      list.reduce(
        (lines, { at, remove, add }) => lines.toSpliced(at % (lines.length + 1), remove, ...add),
        base,
      );
    const tally = {
      bothClean: 0,
      bothConflict: 0,
      otherText: 0,
      onlyGitClean: 0,
      onlyOursClean: 0,
    };
    const lines = fc.array(line, { minLength: 1, maxLength, size: 'max' });
    fc.assert(
      fc.property(lines, edits, edits, fc.boolean(), (base, ourEdits, theirEdits, newline) => {
        const all = [base, applied(base, ourEdits), applied(base, theirEdits)];
        const [b = '', o = '', t = ''] = all.map((l) => (newline ? joined(l) : l.join('\n')));
        const ours = mergeText(b, o, t);
        const git = gitMerge(b, o, t);
        if (ours.kind === 'clean') expectBothEdits(b, o, t, ours.text);
        if (git === undefined) tally[ours.kind === 'clean' ? 'onlyOursClean' : 'bothConflict']++;
        else if (ours.kind === 'conflict') tally.onlyGitClean++;
        else tally[ours.text === git ? 'bothClean' : 'otherText']++;
      }),
      { numRuns: runs(300), seed },
    );
    return tally;
  }

  /**
   * The merge is no farther from either side than the other side's edits are long: had it lost or
   * undone an edit of one side, it would be.
   */
  function expectBothEdits(base: string, ours: string, theirs: string, merged: string): void {
    const failing = JSON.stringify({ base, ours, theirs, merged });
    expect(distance(ours, merged), failing).toBeLessThanOrEqual(distance(base, theirs));
    expect(distance(theirs, merged), failing).toBeLessThanOrEqual(distance(base, ours));
  }

  /** How many lines to remove and to add make `a` into `b`: by the book, not by jsdiff. */
  function distance(a: string, b: string): number {
    const [aLines, bLines] = [a, b].map((content) => content.replace(/\n$/, '').split('\n'));
    let row = Array.from({ length: (bLines?.length ?? 0) + 1 }, (_, at) => at);
    for (const [at, line] of (aLines ?? []).entries()) {
      const next = [at + 1];
      for (const [other, otherLine] of (bLines ?? []).entries()) {
        const changed = Math.min(row[other + 1] ?? 0, next[other] ?? 0) + 1;
        next.push(line === otherLine ? (row[other] ?? 0) : changed);
      }
      row = next;
    }
    return row.at(-1) ?? 0;
  }

  const unique = fc.nat(100_000).map((number) => `const x${number} = ${number};`);
  const code = fc.oneof({ weight: 3, arbitrary: unique }, fc.constantFrom('}', '  }', '{', '*/'));
  const letters = (count: number) => fc.nat(count - 1).map((at) => `line ${at}`);

  test.each([
    { name: 'code', line: code, maxLength: 60, seed: 1, otherTexts: 0 },
    { name: 'twelve lines repeated', line: letters(12), maxLength: 40, seed: 2, otherTexts: 0 },
    { name: 'four lines repeated', line: letters(4), maxLength: 20, seed: 3, otherTexts: 0 },
    { name: 'two lines repeated', line: letters(2), maxLength: 12, seed: 4, otherTexts: 3 },
  ])(
    'mergeText() agrees with git: $name',
    ({ line, maxLength, seed, otherTexts }) => {
      const tally = compare(line, maxLength, seed);
      expect(tally.bothClean).toBeGreaterThan(runs(80));
      expect(tally.bothConflict).toBeGreaterThan(runs(25));
      expect(tally.onlyGitClean).toBeLessThanOrEqual(6);
      // Among repeated lines there is more than one right answer, and git's own choice is a heuristic.
      expect(tally.otherText).toBeLessThanOrEqual(otherTexts);
    },
    300_000,
  );
});
