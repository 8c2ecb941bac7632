import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeEnv } from './merge-env.ts';

const BASE = 'HOST=\nPORT=3000\n\n# Origins\nORIGINS=\n';
const BLOCK = '\n# acme/mail\nMAIL_URL=\n';

describe('mergeEnv()', () => {
  test('puts appended variables after those that the new version appends', () => {
    const theirs = `${BASE}\nDOCS=\n`;
    expect(mergeEnv(BASE, BASE + BLOCK, theirs)).toEqual({ kind: 'clean', text: theirs + BLOCK });
  });

  test('also where the new version moves the last variable, and the user edits another', () => {
    const theirs = 'HOST=\nPORT=3000\n\n# Docs\nDOCS=\n';
    const ours = BASE.replace('HOST=', 'HOST=::') + BLOCK;
    expect(mergeEnv(BASE, ours, theirs)).toEqual({
      kind: 'clean',
      text: theirs.replace('HOST=', 'HOST=::') + BLOCK,
    });
  });

  test('ends the last line of the new version first', () => {
    expect(mergeEnv('A=1', 'A=1\nB=1\n', 'A=1\nC=1')).toEqual({
      kind: 'clean',
      text: 'A=1\nC=1\nB=1\n',
    });
  });

  test('is a conflict where both have the variable, or both edit a line', () => {
    expect(mergeEnv(BASE, `${BASE}DOCS=on\n`, `${BASE}\nDOCS=off\n`).kind).toBe('conflict');
    const ours = BASE.replace('3000', '1') + BLOCK;
    expect(mergeEnv(BASE, ours, BASE.replace('3000', '2')).kind).toBe('conflict');
  });

  test('takes the favoured side of a conflict', () => {
    const ours = BASE.replace('3000', '1') + BLOCK;
    const { kind, text } = mergeEnv(BASE, ours, BASE.replace('3000', '2'), { favor: 'ours' });
    expect([kind, text]).toEqual(['clean', ours]);
  });

  test('loses no variable of either side', () => {
    const variables = (names: string[]): fc.Arbitrary<string[]> => fc.subarray(names);
    const text = (names: readonly string[]): string => names.map((name) => `${name}=\n`).join('');
    fc.assert(
      fc.property(
        variables(['A', 'B', 'C']),
        variables(['D', 'E']),
        variables(['F', 'G', 'H']),
        (base, appended, added) => {
          const theirs = text([...base, ...added]);
          const merge = mergeEnv(text(base), text([...base, ...appended]), theirs);
          expect(merge.kind).toBe('clean');
          const names = [...base, ...added, ...appended];
          expect(Object.keys(parseEnv(merge.text)).sort()).toEqual(names.sort());
        },
      ),
    );
  });
});
