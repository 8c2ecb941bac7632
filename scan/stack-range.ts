/**
 * Ranges of a version that the compatibility matrix had proved wrong with the version before it. The matrix is data of the
 * registry, so this is no rule of the scanner: the generator and the gate call it with what `signals/` has.
 */
import type { Manifest } from '../format/build/manifest.ts';
import { MANIFEST_FILE } from '../format/build/build-files.ts';
import { finding, type Finding } from '../format/finding/finding.ts';
import type { MeasuredVersion } from '../format/index/compatibility.ts';
import { unprovenRanges } from '../format/index/known-good.ts';

/** @param publishedAt the time of publication; `undefined` before it */
export function checkStackRanges(
  manifest: Manifest,
  publishedAt: string | undefined,
  matrix: readonly MeasuredVersion[],
): Finding[] {
  return unprovenRanges(manifest.version, manifest, publishedAt, matrix).map((found) =>
    finding('stack-range-unproven', MANIFEST_FILE, { ...found }),
  );
}
