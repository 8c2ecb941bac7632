/**
 * Whether git can tell without reading trees that a commit did not change a path: its commit-graph has a filter of changed
 * paths for each commit (`git commit-graph write --changed-paths`). git before 2.51 uses them for one path only.
 */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { gitAt } from './repository.ts';
import type { Repository } from './repository.ts';

/** Name of the part of a graph that finds the filter of a commit. */
const FILTERS = 'BIDX';
/** The header of a graph and its table of parts. */
const HEADER_BYTES = 8 + 12 * 16;

const known = new WeakMap<Repository, Promise<boolean>>();

/** Without filters answers are the same, and slower. */
export function hasPathFilters(repository: Repository): Promise<boolean> {
  const answer = known.get(repository) ?? look(repository.folder);
  known.set(repository, answer);
  return answer;
}

async function look(folder: string): Promise<boolean> {
  const names = ['objects/info/commit-graph', 'objects/info/commit-graphs/commit-graph-chain'];
  const asked = names.flatMap((name) => ['--git-path', name]);
  const answer = await gitAt(folder).raw(['rev-parse', ...asked]);
  const [graph = '', chain = ''] = answer.split('\n').map((path) => resolve(folder, path));
  return [graph, ...layersOf(chain)].some((file) => headerOf(file).includes(FILTERS));
}

/** The files of a graph that was written in several steps. */
function layersOf(chain: string): string[] {
  try {
    const names = readFileSync(chain, 'latin1').match(/^[0-9a-f]+$/gm) ?? [];
    return names.map((name) => join(dirname(chain), `graph-${name}.graph`));
  } catch {
    return [];
  }
}

function headerOf(file: string): string {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(HEADER_BYTES);
      return bytes.toString('latin1', 0, readSync(descriptor, bytes));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
}
