/** The checks of a case of `tests/builds/`: from the sources, and bundled as the client is (`packed-check.long.test.ts`). */
import type { Finding } from '../format/finding/finding.ts';
import { parseManifest } from '../format/build/manifest.ts';
import { openBlocks, scanBlocks } from '../scan/examine-build.ts';
import { allRules } from '../scan/rules/all.ts';
import type { BuildFile } from '../scan/scanned-file.ts';
import { openBuild } from '../scan/open-build.ts';
import { scan } from '../scan/scan.ts';

export { examineFolder } from '../client/project/build-folder.ts';

const PLAIN_MANIFEST = `{"name":"case","version":"1.0.0","kind":"module","description":"A case","license":"MIT"}`;

/** The findings in the files of a case; one without `stackyard.json` has a plain one. */
export function judgeCase(files: readonly BuildFile[]): Finding[] {
  const own = files.find(({ path }) => path === 'stackyard.json');
  const manifest = parseManifest(own?.bytes ?? Buffer.from(PLAIN_MANIFEST));
  if (!manifest.ok) throw new Error(JSON.stringify(manifest.findings));
  const build = { id: 'a/case', manifest: manifest.manifest, files };
  const blocks = openBlocks(build);
  return scan(openBuild(build), allRules, blocks === undefined ? [] : scanBlocks(blocks));
}
