/** Takes over what changed under `signals/`: downloads, reports and flags of builds. */
import { isBuildId } from '../../format/build/build-id.ts';
import { parseDocument } from '../../format/document/document.ts';
import { StackyardError } from '../../format/errors.ts';
import { finding } from '../../format/finding/finding.ts';
import { Signals } from '../../format/registry/signals.ts';
import type { Collected } from './collect.ts';
import { changedFiles } from '../git/changed-files.ts';
import { isFolderChanged } from '../git/is-folder-changed.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import type { Repository } from '../git/repository.ts';
import type { State } from '../state/state.ts';

export const SIGNALS_FOLDER = 'signals';
const MAX_SIGNALS_BYTES = 1_000_000;

/** Reads the signals that differ from the last run into the state and marks their builds. */
export async function collectSignals(
  repository: Repository,
  reader: ObjectReader,
  state: State,
  since: string | undefined,
  collected: Collected,
): Promise<void> {
  if (!(await isFolderChanged(repository, reader, SIGNALS_FOLDER, since))) return;
  for (const { path, blob } of await changedFiles(repository, SIGNALS_FOLDER, since)) {
    const id = path.slice(SIGNALS_FOLDER.length + 1).replace(/\.json$/, '');
    if (!path.endsWith('.json') || !isBuildId(id)) continue;
    state.dropProblems(path);
    state.setSignals(id, undefined);
    collected.builds.add(id);
    collected.owners.add(id.split('/')[0] ?? '');
    if (blob === undefined) continue;
    try {
      const object = await reader.read(blob, { left: MAX_SIGNALS_BYTES });
      state.setSignals(id, parseDocument(Signals, object?.bytes ?? new Uint8Array(), 'the file'));
    } catch (error) {
      if (!(error instanceof StackyardError)) throw error;
      const found = finding('signals-invalid', '', { problem: error.message });
      // Signals have no history of their own: the problem belongs to the head, and each run reports it again.
      state.addProblem(Number.MAX_SAFE_INTEGER, path, { commit: '', path, finding: found });
    }
  }
}
