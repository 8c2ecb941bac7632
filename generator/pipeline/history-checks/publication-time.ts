/** A version that is dated before one that its build had: one of two clocks was wrong, or a time was made up. */
import { finding, type Finding } from '../../../format/finding/finding.ts';
import type { State } from '../../state/state.ts';

/** @param state has every version that was published before */
export function checkPublicationTime(state: State, id: string, version: string): Finding[] {
  const args = state.backdated(id, version);
  return args === undefined ? [] : [finding('publication-time-before', '', args)];
}
