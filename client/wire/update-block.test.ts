import { describe, expect, it } from 'vitest';
import { integrityOf } from '../../format/archive/integrity.ts';
import type { LockedWiring } from '../../format/project/lock.ts';
import { readStyle } from './code-style.ts';
import { updateBlock } from './update-block.ts';
import { projectOf } from '../../tests/client/wire-fixture.ts';

const OLD = 'one();\nconst a = 1;\n';
const CONTEXT = {
  home: 'src',
  rewrite: ({ text }: { text: string }) => text,
  prefixes: [],
  styleOf: () => readStyle(''),
};

/** Updates the file `a.ts`, which was created with `OLD`, to the text `next`. */
function update(
  present: string | undefined,
  next: string,
  isRepeated = false,
  onConflict: 'fail' | 'ours' = 'fail',
) {
  const block = { language: 'ts', verb: 'file', target: 'a.ts', text: next, line: 1 } as const;
  const digest = integrityOf(Buffer.from(OLD));
  const old: LockedWiring = {
    step: 1,
    verb: 'file',
    target: 'a.ts',
    file: 'a.ts',
    block: digest,
    text: OLD,
    action: 'added',
  };
  const texts = projectOf(present === undefined ? {} : { 'a.ts': present });
  const { kind } = updateBlock(block, old, texts, {
    context: CONTEXT,
    isRepeated,
    onConflict,
    namesIn: () => new Set(),
  });
  return [kind, texts.get('a.ts')];
}

describe('updateBlock()', () => {
  const NEXT = 'one();\nconst a = 2;\n';
  it.each([
    ['replaces what is as it was put in', OLD, NEXT, ['replaced', NEXT]],
    [
      'leaves edits where the block is the same',
      `${OLD}mine();\n`,
      OLD,
      ['unchanged', `${OLD}mine();\n`],
    ],
    ['merges edits', `mine();\n${OLD}`, NEXT, ['replaced', `mine();\n${NEXT}`]],
    [
      'does not merge what both changed',
      OLD.replace('1', '3'),
      NEXT,
      ['conflict', OLD.replace('1', '3')],
    ],
    ['leaves what the user removed', undefined, NEXT, ['gone', undefined]],
  ])('%s', (_, present, next, expected) => {
    expect(update(present, next)).toEqual(expected);
  });

  it('keeps the side of the user on request', () => {
    const mine = OLD.replace('1', '3');
    expect(update(mine, NEXT, false, 'ours')).toEqual(['unchanged', mine]);
  });

  it('puts in what was removed only where the user asks for it', () => {
    expect(update(undefined, OLD, true)).toEqual(['added', OLD]);
    expect(update(`${OLD}mine();\n`, OLD, true)).toEqual(['unchanged', `${OLD}mine();\n`]);
  });
});
