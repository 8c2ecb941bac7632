/**
 * Reads the cases of `tests/corpus/`: one text file each, in the manner of Go's txtar, so that nothing in the
 * repository can be run or scanned by mistake.
 *
 *     -- package.json --
 *     { "name": "x" }
 *     -- bin/tool (base64) --
 *     f0VMRg==
 *
 * Hosts are written under `.example` and addresses in the ranges for documentation, where nothing answers. Checks
 * know those for examples, so each is read as a host that could be somebody's.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import type { BuildFile } from '../checks/scanned-file.ts';

export interface CorpusCase {
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
  const [, ...parts] = text.split(/^-- (\S+)( \(base64\))? --\n/m);
  const files: BuildFile[] = [];
  for (let at = 0; at + 2 < parts.length; at += 3) {
    const body = withHosts(parts[at + 2] ?? '');
    files.push({
      path: parts[at] ?? '',
      bytes: Buffer.from(body, parts[at + 1] === undefined ? 'utf8' : 'base64'),
      executable: false,
    });
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Hosts that could be somebody's: the addresses are of the range for benchmarks, which no network routes. */
function withHosts(text: string): string {
  return text
    .replaceAll(/(?<=[\w-])\.example\b/g, '.host-of-nobody.io')
    .replaceAll(/\b(?:192\.0\.2|198\.51\.100|203\.0\.113)(?=\.\d)/g, '198.18.7');
}
