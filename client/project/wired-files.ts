/** What this client put into the files of a project: whether wired text is there, and the files without all of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lock, LockedBuild, LockedWiring } from '../../format/project/lock.ts';
import { EDITED_FILES } from '../edit/edited-files.ts';
import { withLf } from '../edit/project-file.ts';
import { ClientError } from '../errors.ts';
import { withoutPutIn } from '../plan/foundation-texts.ts';
import { planUninstallEdits } from '../plan/uninstall-edits.ts';
import { statusAt } from './read-file.ts';

/**
 * What of a file of `build` this client did not put in, with LF as its line ends: without text of steps, of `new`, and entries of
 * other builds. Text that was changed since stays.
 */
type OwnText = (build: string, path: string, bytes: Uint8Array) => Uint8Array;

export async function ownTexts({ builds, made }: Lock): Promise<OwnText> {
  const entries = Object.values(builds).flatMap(({ wiring = [] }) => wiring);
  const wire = entries.length === 0 ? undefined : await import('../wire/take-out-entries.ts');
  return (build, path, bytes) => {
    const text = withoutPutIn(path, withLf(bytes));
    if (EDITED_FILES.includes(path)) {
      const others = new Map(Object.entries(builds).filter(([id]) => id !== build));
      return withoutEntries(path, text, others, new Set(made));
    }
    const own = entries.filter(({ file, verb }) => file === path && verb !== 'file');
    if (own.length === 0) return text;
    const rest = wire?.withoutWiring(Buffer.from(text).toString('utf8'), own);
    return rest === undefined ? text : Buffer.from(rest);
  };
}

function withoutEntries(
  path: string,
  bytes: Uint8Array,
  leaving: ReadonlyMap<string, LockedBuild>,
  created: ReadonlySet<string>,
): Uint8Array {
  try {
    const project = new Map([[path, bytes]]);
    const { files } = planUninstallEdits({ leaving, staying: new Map(), created, project });
    const text = files.get(path);
    return text === undefined ? bytes : Buffer.from(text);
  } catch (error) {
    // The user wrote what cannot be parsed.
    if (error instanceof ClientError) return bytes;
    throw error;
  }
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
