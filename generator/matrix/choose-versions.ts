/** Which versions of a tag are measured: the lowest that its range admits, the newest of each major, the newest. */
import {
  admitsTagVersion,
  compareTagVersions,
  isRelease,
  majorOf,
} from '../../format/version/tag-version.ts';

/** Of a range without a lower end, such as `*`: it promises nothing about what is older. */
const MAJORS_WITHOUT_FLOOR = 4;

/**
 * @param available every version that can be had, in any order
 * @returns lowest first; empty when the range admits none
 */
export function chooseVersions(range: string, available: readonly string[]): string[] {
  const admitted = available
    .filter((version) => isRelease(version) && admitsTagVersion(range, version))
    .sort(compareTagVersions);
  const newest = [...Map.groupBy(admitted, majorOf).values()].map((one) => one.at(-1)!);
  newest.sort(compareTagVersions);
  if (admitsTagVersion(range, '0.0.0')) return newest.slice(-MAJORS_WITHOUT_FLOOR);
  const [lowest] = admitted;
  return lowest === undefined || newest[0] === lowest ? newest : [lowest, ...newest];
}

/** The lowest release that a range admits. */
export function lowestOf(range: string, available: readonly string[]): string | undefined {
  const admitted = available.filter((one) => isRelease(one) && admitsTagVersion(range, one));
  return admitted.sort(compareTagVersions)[0];
}
