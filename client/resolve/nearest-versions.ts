/** Finds the versions to suggest when the requested one does not exist. Pure. */
import { compareVersions } from '../../format/version/semver-range.ts';

const MAX_NEAREST = 5;

/** Up to five versions of `versions` that lie nearest to the lowest one that `range` names. */
export function nearestVersions(versions: readonly string[], range: string): string[] {
  const sorted = [...versions].sort((a, b) => compareVersions(b, a));
  const numbers = /(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(range);
  if (numbers === null) return sorted.slice(0, MAX_NEAREST);
  const target = `${numbers[1]}.${numbers[2] ?? 0}.${numbers[3] ?? 0}`;
  const above = sorted.filter((version) => compareVersions(version, target) >= 0).reverse();
  const below = sorted.filter((version) => compareVersions(version, target) < 0);
  const nearest: string[] = [];
  for (let at = 0; at < sorted.length && nearest.length < MAX_NEAREST; at += 1) {
    for (const version of [below[at], above[at]]) if (version !== undefined) nearest.push(version);
  }
  return nearest.slice(0, MAX_NEAREST).sort((a, b) => compareVersions(b, a));
}

/** `the nearest versions are 2.0.0, 1.4.0` */
export function nearestHint(nearest: readonly string[]): string {
  const verb = nearest.length === 1 ? 'version is' : 'versions are';
  return `the nearest ${verb} ${nearest.join(', ')}`;
}
