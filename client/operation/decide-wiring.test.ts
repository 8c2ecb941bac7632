import { describe, expect, it } from 'vitest';
import type { MadePlan } from '../plan/plan.ts';
import type { WiringEntry } from '../plan/planned-entries.ts';
import type { Choose } from '../terminal/choose.ts';
import { decideGains } from './decide-wiring.ts';

const HELD: WiringEntry = {
  build: 'a/web',
  step: 2,
  file: 'src/app.ts',
  before: 'one();',
  text: "spawn('sh');",
  action: 'held',
  why: 'its new text starts sh',
  gains: ['starts sh'],
};

/** A plan with the step, which is carried out with the wish. */
async function make(wire: boolean): Promise<MadePlan> {
  const wiring: WiringEntry[] = [wire ? { ...HELD, action: 'replaced' } : HELD];
  return { plan: { wiring } } as unknown as MadePlan;
}

function answering(key: 'wire' | 'leave', shown: string[]): Choose {
  return async (work) =>
    work({
      choice: async (lines, choices) => {
        shown.push(...lines);
        return choices.find((one) => one.key === key)?.key;
      },
      text: async () => undefined,
    });
}

describe('decideGains()', () => {
  it.each([
    ['wire', 'replaced'],
    ['leave', 'held'],
  ] as const)('shows both texts and does what the user answers: %s', async (key, action) => {
    const shown: string[] = [];
    const made = await decideGains(false, answering(key, shown), make);
    expect(made.plan.wiring?.map((entry) => entry.action)).toEqual([action]);
    expect(shown).toEqual([
      'The update has text for your files that can do more than before:',
      '  ! src/app.ts: step 2  stays without your yes: its new text starts sh',
      '      - one();',
      "      + spawn('sh');",
    ]);
  });

  it('asks nobody with the wish, and leaves the text where nobody can answer', async () => {
    const shown: string[] = [];
    const wished = await decideGains(true, answering('leave', shown), make);
    const alone = await decideGains(false, undefined, make);
    const actions = [wished, alone].map(({ plan }) => plan.wiring?.[0]?.action);
    expect([actions, shown]).toEqual([['replaced', 'held'], []]);
  });
});
