/** What `doctor` reports about installed versions: advisories, yanks, and pins that hold newer versions back. */
import type { Lock } from '../../format/lock/lock.ts';
import type { Warning } from '../plan/plan.ts';
import type { Registries } from '../registry/registries.ts';
import { advisoryNotes, installedHeads, pinNotes, yankedNotes } from './installed-notes.ts';

export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'note' | 'problem';
  readonly message: string;
  /** A command or instruction; empty when there is nothing to do. */
  readonly fix: string;
}

/** One check for each remark; none when there is nothing to report. */
export async function versionChecks(registry: Registries, lock: Lock): Promise<Check[]> {
  const heads = await installedHeads(registry, lock);
  const check = (state: Check['state'], { message }: Warning, fix: string): Check => {
    return { name: 'versions', state, message, fix };
  };
  return [
    ...advisoryNotes(lock, heads).map((found) => check('problem', found, 'stackyard outdated')),
    ...yankedNotes(lock, heads).map((found) =>
      check('note', found, 'stackyard outdated shows the newer ones'),
    ),
    ...pinNotes(lock, heads).map((found) => check('note', found, '')),
  ];
}
