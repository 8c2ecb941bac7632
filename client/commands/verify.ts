/** `verify`: compares the files of installed builds with the lock. Needs no network; of yanks it knows what the cache has. */
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { integrityOf } from '../../format/archive/integrity.ts';
import type { Lock } from '../../format/lock.ts';
import { placedIntegrity } from '../../format/placement.ts';
import { hasOnlyOtherLineEnds } from '../plan/changed-line-ends.ts';
import { EDITED_FILES } from '../edit/edited-files.ts';
import { countConflicts } from '../merge/conflict-markers.ts';
import { chooseProject } from '../project/choose-project.ts';
import { requireLock } from '../project/project.ts';
import { cachedYanks } from '../operation/cached-yanks.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../operation/command.ts';
import { printWarnings } from '../operation/print-warnings.ts';

interface Difference {
  readonly build: string;
  readonly path: string;
  readonly state: State;
  /** Only the line ends differ: CRLF instead of LF. */
  readonly line_ends?: true;
}

type State = 'modified' | 'missing' | 'not-a-file' | 'conflict';

/** How to keep the line ends of shipped files. */
const LINE_ENDS_HINT =
  'Line ends differ because git changed them: "* text=auto eol=lf" in .gitattributes keeps them';

/**
 * Compares the lock with the disk.
 * @throws {ClientError} `ERR_LOCK` when the lock is missing or unreadable
 */
export async function verify(options: GlobalOptions, context: CommandContext): Promise<Outcome> {
  const project = chooseProject(options);
  const lock = requireLock(project);
  const warnings = await cachedYanks(options, lock, context);
  printWarnings({ warnings }, context);
  const { differences, checked } = compare(project, lock);
  const builds = Object.keys(lock.builds).length;
  const data = { builds, files: checked, differences };
  if (differences.length === 0) {
    return {
      status: 'done',
      data,
      warnings,
      text: [`builds: ${builds}, files: ${checked}, all as installed`],
    };
  }
  const text = differences.map(({ state, path, build, line_ends }) => {
    return `${state}  ${path}  (${build})${line_ends === true ? '  only its line ends' : ''}`;
  });
  text.push(`files: ${checked}, different: ${differences.length}`);
  if (differences.some(({ line_ends }) => line_ends)) text.push(LINE_ENDS_HINT);
  return { status: 'different', data, warnings, text };
}

function compare(project: string, lock: Lock): { differences: Difference[]; checked: number } {
  const differences: Difference[] = [];
  let checked = 0;
  for (const [build, locked] of Object.entries(lock.builds)) {
    const { kind, files } = locked;
    for (const path of Object.keys(files)) {
      const integrity = placedIntegrity(locked, path) ?? '';
      checked += 1;
      const file = join(project, path);
      const state = stateOf(file, integrity);
      // A package.json and similar files are meant to change: they only have to exist.
      const isProjects = kind === 'foundation' && EDITED_FILES.includes(path);
      if (isProjects && state === 'modified') continue;
      if (state === undefined) continue;
      const isByLineEnds =
        state === 'modified' && hasOnlyOtherLineEnds(readFileSync(file), integrity);
      const entry = { build, path, state };
      differences.push(isByLineEnds ? { ...entry, line_ends: true } : entry);
    }
  }
  differences.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { differences, checked };
}

function stateOf(file: string, integrity: string): State | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return 'missing';
  if (!stats.isFile()) return 'not-a-file';
  const bytes = readFileSync(file);
  if (integrityOf(bytes) === integrity) return undefined;
  return countConflicts(bytes.toString('latin1')) > 0 ? 'conflict' : 'modified';
}
