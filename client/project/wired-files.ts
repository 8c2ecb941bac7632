/** Wired text in the files of a project: whether it is there, and the files without it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lock, LockedWiring } from '../../format/project/lock.ts';
import { withoutPutIn } from '../plan/foundation-texts.ts';
import { statusAt } from './read-file.ts';

/** The content of a file without the text that was wired or put into it; as it is where that text was changed. */
type WithoutWiring = (path: string, bytes: Uint8Array) => Uint8Array;

export async function withoutWiredText({ builds }: Lock): Promise<WithoutWiring> {
  const entries = Object.values(builds).flatMap(({ wiring = [] }) => wiring);
  if (entries.length === 0) return withoutPutIn;
  const { withoutWiring } = await import('../wire/take-out-entries.ts');
  return (path, bytes) => {
    const own = entries.filter(({ file, verb }) => file === path && verb !== 'file');
    const text =
      own.length === 0 ? undefined : withoutWiring(Buffer.from(bytes).toString('utf8'), own);
    return withoutPutIn(path, text === undefined ? bytes : Buffer.from(text));
  };
}

/** Wired text that is not in the project as it was put in. */
interface WiredDifference {
  readonly build: string;
  readonly path: string;
  readonly state: 'missing' | 'unwired';
  readonly step: number;
}

/** Files that wiring created are the user's to edit: they only have to be there. */
export async function wiredDifferences(
  project: string,
  { builds }: Lock,
): Promise<WiredDifference[]> {
  const entries = Object.entries(builds).flatMap(([build, { wiring = [] }]) =>
    wiring.flatMap((entry): [string, LockedWiring][] =>
      entry.action === 'added' ? [[build, entry]] : [],
    ),
  );
  if (entries.length === 0) return [];
  const { findWired } = await import('../wire/find-wired.ts');
  return entries.flatMap(([build, entry]): WiredDifference[] => {
    const { file: path, step, verb } = entry;
    const file = join(project, path);
    if (statusAt(file)?.isFile() !== true) {
      return [{ build, path, state: 'missing', step }];
    }
    const isThere = verb === 'file' || findWired(readFileSync(file, 'utf8'), entry) !== undefined;
    return isThere ? [] : [{ build, path, state: 'unwired', step }];
  });
}
