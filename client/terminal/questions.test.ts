import { describe, expect, it } from 'vitest';
import type { WiringEntry } from '../plan/planned-entries.ts';
import type { Choose } from './choose.ts';
import { askToWire } from './questions.ts';

const HELD: WiringEntry = {
  build: 'a/web',
  step: 2,
  file: 'src/app.ts',
  before: 'one();',
  text: "spawn('sh');",
  action: 'held',
  why: 'its new text can start sh',
  gains: ['start sh'],
};

function answering(key: 'wire' | 'leave', shown: string[]): Choose {
  return async (work) =>
    work({
      choice: async (lines, choices) => {
        shown.push(...lines);
        return choices.find((one) => one.key === key)!.key;
      },
      text: async () => '',
    });
}

describe('askToWire()', () => {
  it.each([
    ['wire', true],
    ['leave', false],
  ] as const)('shows both texts and returns what the user answers: %s', async (key, isWanted) => {
    const shown: string[] = [];
    expect(await askToWire('gains', [HELD], answering(key, shown))).toBe(isWanted);
    expect(shown).toEqual([
      'The update has text for your files that can do more than before:',
      '  ! src/app.ts: step 2  stays without your yes: its new text can start sh',
      '      - one();',
      "      + spawn('sh');",
    ]);
  });
});
