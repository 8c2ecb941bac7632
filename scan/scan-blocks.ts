/** Reads the blocks of wired fences as code of the build: what they would do in a project counts like its files. */
import { INTEGRATION_FILE } from '../format/build/build-files.ts';
import { findingGroup, type Finding } from '../format/finding/finding.ts';
import { openBuild } from './open-build.ts';
import { allRules } from './rules/all.ts';
import { scan } from './scan.ts';
import type { BuildContent, ScannedBuild } from './scanned-file.ts';
import { guideOf, wiredFiles, type WiredFile } from './text/wired-files.ts';

/** The wired blocks of a guide, opened as files of a build. */
export interface OpenedBlocks {
  readonly opened: ScannedBuild;
  readonly files: readonly WiredFile[];
}

/** `undefined` for a build without wired blocks. */
export function openBlocks({ id, manifest, files }: BuildContent): OpenedBlocks | undefined {
  const wired = wiredFiles(guideOf(files));
  if (wired.length === 0) return undefined;
  const blocks = wired.map(({ path, text }) => ({
    path,
    bytes: Buffer.from(text),
    executable: false,
  }));
  return { opened: openBuild({ id, manifest, files: blocks }), files: wired };
}

/** The safety findings of blocks, at their places in the guide. */
export function scanBlocks({ opened, files }: OpenedBlocks): Finding[] {
  return scan(opened, allRules).flatMap((found) => {
    const file = files.find(({ path }) => path === found.file);
    if (file === undefined || findingGroup(found) !== 'safety') return [];
    const { place } = found;
    const line = file.lineInGuide(place?.line ?? 1);
    return [{ ...found, file: INTEGRATION_FILE, place: { column: 1, length: 0, ...place, line } }];
  });
}
