/** Asks whether the steps of guides are carried out, and whether their new text may do more, where someone can answer. */
import type { MadePlan } from '../plan/plan.ts';
import type { Choose } from '../terminal/choose.ts';
import { describeWiring } from './wiring-lines.ts';

/**
 * @param wish whether the user gave `--wire`
 * @param choose `undefined` when nobody can answer: then nothing is wired without the wish
 * @param make plans with or without the steps
 */
export async function decideWiring<Made extends MadePlan | undefined>(
  wish: boolean,
  choose: Choose | undefined,
  make: (wire: boolean) => Promise<Made>,
): Promise<Made> {
  if (wish || choose === undefined) return make(wish);
  const made = await make(true);
  const entries = made?.plan.wiring ?? [];
  const added = entries.filter(({ action }) => action === 'added');
  if (added.length === 0) return make(false);
  const answer = await choose((ask) =>
    ask.choice(
      ['These steps can be carried out in your files:', ...describeWiring(added)],
      [
        { key: 'wire', label: ': carry them out' },
        { key: 'leave', label: ' them to me' },
      ],
    ),
  );
  return answer === 'wire' ? made : make(false);
}

/**
 * @param wish whether the user gave `--wire`
 * @param choose `undefined` when nobody can answer: then text that can do more than before is not put in without the wish
 * @param make plans an update with or without such text
 */
export async function decideGains<Made extends MadePlan | undefined>(
  wish: boolean,
  choose: Choose | undefined,
  make: (wire: boolean) => Promise<Made>,
): Promise<Made> {
  const made = await make(wish);
  const held = (made?.plan.wiring ?? []).filter(({ action }) => action === 'held');
  if (choose === undefined || held.length === 0) return made;
  const answer = await choose((ask) =>
    ask.choice(
      ['The update has text for your files that can do more than before:', ...describeWiring(held)],
      [
        { key: 'wire', label: ': put it in' },
        { key: 'leave', label: ' the present text' },
      ],
    ),
  );
  return answer === 'wire' ? make(true) : made;
}
