/** A range of which only withdrawn versions are left. Pure. */
import type { Head } from '../../format/index/head.ts';
import { withdrawnProblem } from '../../format/index/withdrawn-version.ts';
import { satisfies } from '../../format/version/semver-range.ts';
import { namesExactly } from './request.ts';

/** What to say about it; `undefined` when another version is in `range`: one that is yanked only can be asked for. */
export function withdrawnReason(
  head: Head,
  range: string,
): { readonly text: string; readonly hint: string } | undefined {
  const inRange = head.versions.filter(({ version }) => {
    return namesExactly({ range }, version) || satisfies(version, range);
  });
  const [first] = inRange;
  if (first === undefined || inRange.some((one) => one.withdrawn !== true)) return undefined;
  return withdrawnProblem(head, first.version);
}
