/** Builds for the tests of the scanner: a path and a content per file, the manifest filled in. */
import type { ScannedBuild, ScannedFile } from './scanned-file.ts';
import type { Fact } from './taint/api.ts';
import type { Manifest } from '../format/build/manifest.ts';
import { openBuild } from './open-build.ts';

const MANIFEST: Manifest = {
  name: 'x',
  version: '1.0.0',
  kind: 'module',
  description: 'd',
  license: 'MIT',
};

/** A build `a/x` that is opened for a scan. */
export function testBuild(
  files: Readonly<Record<string, string | Uint8Array>>,
  manifest: Partial<Manifest> = {},
): ScannedBuild {
  const list = Object.entries(files).map(([path, content]) => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    return { path, bytes, executable: false };
  });
  return openBuild({ id: 'a/x', manifest: { ...MANIFEST, ...manifest }, files: list });
}

/** A build of one file, opened. */
export function testFile(path: string, content: string | Uint8Array): ScannedFile {
  return testBuild({ [path]: content }).files[0]!;
}

/** What the taint analysis finds in one file of code. */
export function testFacts(code: string, path = 'a.js'): readonly Fact[] {
  return testBuild({ [path]: code }).taint.facts;
}
