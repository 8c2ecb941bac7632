/** Asks once whether the steps of guides are carried out, where someone can answer. */
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
