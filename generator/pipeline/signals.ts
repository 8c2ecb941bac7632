/** Takes over what changed under `signals/`: downloads, reports and flags of builds, and what was measured about their ranges. */
import { parseDocument } from '../../format/document/document.ts';
import { FormatError, StackyardError } from '../../format/errors.ts';
import { finding } from '../../format/finding/finding.ts';
import { MAX_MATRIX_BYTES, Matrix } from '../../format/index/compatibility.ts';
import {
  SIGNALS_FOLDER,
  signalsFileAt,
  signalsPath,
  type Layout,
  type SignalsKind,
} from '../../format/registry/repository-layout.ts';
import { Signals } from '../../format/registry/signals.ts';
import type { Collected } from './collect.ts';
import { changedFiles, type Repository } from '../git/repository.ts';
import { isFolderChanged, type ObjectReader } from '../git/object-reader.ts';
import type { State } from '../state/state.ts';

const MAX_SIGNALS_BYTES = 1_000_000;

/** Reads the signals that differ from the last run into the state and marks their builds. Returns the builds whose matrix is gone. */
export async function collectSignals(
  repository: Repository,
  reader: ObjectReader,
  state: State,
  since: string | undefined,
  collected: Collected,
  layout: Layout,
): Promise<ReadonlySet<string>> {
  const gone = new Set<string>();
  const folder = `${layout.root}${SIGNALS_FOLDER}`;
  if (!(await isFolderChanged(repository, reader, folder, since))) return gone;
  for (const { path, blob } of await changedFiles(repository, folder, since)) {
    const file = signalsFileAt(path, layout.root);
    if (file === undefined) continue;
    const { id, kind } = file;
    state.dropProblems(path);
    // Signals have no history of their own: the problem belongs to the head, and each run reports it again.
    const report = (problem: string): void => {
      const found = finding(INVALID[kind], '', { problem });
      state.addProblem(Number.MAX_SAFE_INTEGER, path, { commit: '', path, finding: found });
    };
    const right = signalsPath(id, kind, layout);
    if (path !== right) {
      if (blob !== undefined) report(`this registry has them at "${right}"`);
      continue;
    }
    collected.builds.add(id);
    if (kind === 'signals') collected.owners.add(id.split('/')[0] ?? '');
    const read = blob === undefined ? undefined : await readSignals(reader, kind, blob);
    const isBad = read instanceof StackyardError;
    if (kind === 'signals') state.setSignals(id, isBad ? undefined : (read as Signals));
    else state.matrix.set(id, isBad ? undefined : (read as Matrix));
    if (kind === 'matrix' && !state.matrix.has(id)) gone.add(id);
    if (isBad) report(read.message);
  }
  return gone;
}

const INVALID = { signals: 'signals-invalid', matrix: 'compatibility-invalid' } as const;

async function readSignals(
  reader: ObjectReader,
  kind: SignalsKind,
  blob: string,
): Promise<Signals | Matrix | StackyardError> {
  const limit = kind === 'matrix' ? MAX_MATRIX_BYTES : MAX_SIGNALS_BYTES;
  const object = await reader.read(blob, { left: limit });
  try {
    if (object?.bytes === undefined) {
      throw new FormatError('ERR_DOCUMENT', `it has over ${limit} bytes`);
    }
    return kind === 'matrix'
      ? parseDocument(Matrix, object.bytes, 'the file')
      : parseDocument(Signals, object.bytes, 'the file');
  } catch (error) {
    if (error instanceof StackyardError) return error;
    throw error;
  }
}
