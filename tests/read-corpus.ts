/**
 * Reads the cases of `tests/corpus/`: one text file each (`tests/file-sections.ts`), so that nothing in the
 * repository can be run or scanned by mistake.
 *
 *     -- package.json --
 *     { "name": "x" }
 *     -- bin/tool (base64) --
 *     f0VMRg==
 *
 * The cases use hosts under `.example` and addresses in the ranges for documentation, which do not exist. The checks
 * ignore such examples, so each is replaced by a host that could be real.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import type { BuildFile } from '../scan/scanned-file.ts';
import { splitSections } from './file-sections.ts';

interface CorpusCase {
  /** `<family>/<name>` */
  readonly name: string;
  readonly files: readonly BuildFile[];
}

/** The cases below the folder `root`, sorted by name. */
export function readCorpus(root: string): CorpusCase[] {
  return fastGlob
    .sync('**/*.txtar', { cwd: root })
    .sort()
    .map((path) => {
      const files = parseCase(readFileSync(join(root, path), 'utf8'));
      if (files.length === 0) throw new Error(`${path} holds no file`);
      return { name: path.replace(/\.txtar$/, ''), files };
    });
}

function parseCase(text: string): BuildFile[] {
  const files = splitSections(text).sections.map(({ path, marks, body }) => {
    const encoding = marks.includes('base64') ? 'base64' : 'utf8';
    return { path, bytes: Buffer.from(withHosts(body), encoding), executable: false };
  });
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Replaces examples by hosts that could be real: the addresses are in the benchmark range, which no network routes. */
function withHosts(text: string): string {
  return text
    .replaceAll(/(?<=[\w-])\.example\b/g, '.host-of-nobody.io')
    .replaceAll(/\b(?:192\.0\.2|198\.51\.100|203\.0\.113)(?=\.\d)/g, '198.18.7');
}
