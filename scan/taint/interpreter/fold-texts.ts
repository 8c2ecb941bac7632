/** The texts that a call returns when its arguments are constant. */
import { UNKNOWN } from '../value.ts';
import type { Arguments } from './arguments.ts';
import { foldCall } from './fold.ts';

/** Arguments of one call that are folded. */
const MAX_ARGUMENTS = 2_000;

/** One text for each text of the first argument; none when the API `name` is not folded. */
export function foldTexts(name: string, args: Arguments): string[] {
  const lists = args.list.slice(0, MAX_ARGUMENTS).map((value) => value.texts);
  const [firsts = [], ...others] = lists;
  if (lists.length === 0) return [];
  const rest = others.map((texts) => texts[0]);
  const found: string[] = [];
  for (const first of firsts) {
    const folded = foldCall(name, [first, ...rest]);
    if (folded !== undefined) found.push(folded);
  }
  if (found.length === 0 && /path\.(?:join|resolve)$/.test(name)) {
    const known = firsts.find((text) => text.lastIndexOf(UNKNOWN) === 0)?.slice(1) ?? '';
    // A path whose first part is unknown keeps the parts that follow.
    const folded = foldCall(name, [`*${known}`, ...rest]);
    if (folded !== undefined) found.push(UNKNOWN + folded.slice(1));
  }
  return found;
}
