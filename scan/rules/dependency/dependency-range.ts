/**
 * Ranges without an upper limit: the next major version, or a hijacked one, is installed without a review. One with a lowest version
 * states what the build was written for, as the range of zod in the specification does: a note. One without any is a warning.
 */
import type { Finding } from '../../../format/finding/finding.ts';
import { isRange, rangesIntersect } from '../../../format/version/semver-range.ts';
import { findingIn, type Rule } from '../../rule.ts';
import { dependenciesOf, type Dependency } from '../../package/dependencies.ts';
import { quote } from '../../text/quote.ts';

export const dependencyRange: Rule = {
  name: 'dependency-range',
  run: (build) =>
    dependenciesOf(build)
      .filter(({ use }) => use === 'runtime')
      .flatMap((one): Finding[] => {
        if (!isUnbounded(one)) return [];
        const { name, range, file, start } = one;
        const args = { name: quote(name), range: range === '' ? '*' : quote(range) };
        const level = hasLowest(range) ? 'info' : 'warn';
        return [findingIn(file, 'dependency-range', args, start, name.length, level)];
      }),
};

function isUnbounded({ registry, range }: Dependency): boolean {
  const text = range.trim();
  if (/[:/@]/.test(text)) return false;
  if (registry === 'pip') return !/(?:==|~=|<)/.test(text);
  return (
    text === '' ||
    text === 'latest' ||
    text === 'next' ||
    (isRange(text) && rangesIntersect(text, '>=999999.0.0'))
  );
}

/** Whether each alternative of the range names a version from which on it holds. */
function hasLowest(range: string): boolean {
  return range.split('||').every((part) => />=?\s*v?\d/.test(part));
}
