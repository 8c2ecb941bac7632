/** The files of builds in which conflicts of an update are open. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lock } from '../../format/project/lock.ts';
import { findMarks } from '../edit/merge/conflict-markers.ts';
import type { Warning } from '../plan/plan.ts';
import { statusAt } from './read-file.ts';

interface OpenConflict {
  readonly path: string;
  /** Each byte one character. */
  readonly text: string;
  /** The length of the markers. */
  readonly size: number;
  /** Numbers of the lines that begin with a marker. */
  readonly lines: readonly number[];
}

/** Sorted by path. */
export function openConflicts(project: string, { builds }: Pick<Lock, 'builds'>): OpenConflict[] {
  return Object.values(builds)
    .flatMap(({ files }) => Object.entries(files))
    .flatMap(([path, { conflict: size }]): OpenConflict[] => {
      const file = join(project, path);
      if (size === undefined || statusAt(file)?.isFile() !== true) return [];
      const text = readFileSync(file, 'latin1');
      const lines = findMarks(text, size).map(({ line }) => line);
      return lines.length === 0 ? [] : [{ path, text, size, lines }];
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** One for each file. */
export function conflictWarnings(project: string, lock: Pick<Lock, 'builds'>): Warning[] {
  return openConflicts(project, lock).map(({ path, lines }): Warning => {
    const message = `its conflict is open (${linesOf(lines)}): merge both sides, then "stackyard resolve ${path}"`;
    return { code: 'conflict-open', message, path };
  });
}

/** Such as `markers in the lines 3, 5`. */
export function linesOf(lines: readonly number[]): string {
  return `${lines.length === 1 ? 'a marker in line' : 'markers in the lines'} ${lines.join(', ')}`;
}
