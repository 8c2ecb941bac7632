/** Versions that may follow a published one. */
import semver from 'semver';

/** `set "version" to "1.0.1" (a fix), "1.1.0" (an addition) or "2.0.0" (a break)`. */
export function suggestVersions(newest: string): string {
  const [fix, addition, breaking] = (['patch', 'minor', 'major'] as const).map((part) =>
    semver.inc(newest, part),
  );
  return `set "version" to "${fix}" (a fix), "${addition}" (an addition) or "${breaking}" (a break)`;
}

/** Whether two versions have the same major version. */
export function isSameLine(a: string, b: string): boolean {
  return semver.major(a) === semver.major(b);
}
