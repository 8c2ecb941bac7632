/** Examines the build in a folder as the gate of the registry does. */
import type { ExaminedBuild } from '../../examine/examine-build.ts';
import { examineProposal } from '../../examine/examine-proposal.ts';
import type { SourceBuild } from '../../examine/validate.ts';
import { MAX_SCAN_SECONDS, OverTime, withinTime } from '../../examine/within-time.ts';
import { watchReading } from '../../checks/reading.ts';
import type { BuildFolder } from './read-folder.ts';
import { readFolder } from './read-folder.ts';

/** A build folder with the result of its examination. */
export interface ExaminedFolder extends BuildFolder, ExaminedBuild {
  /** One for each file of the folder that is not part of the build. */
  readonly warnings: readonly { code: string; message: string; path: string }[];
}

/**
 * Reads and examines the build in `folder`.
 * @param owner replaces the owner that the path gives
 * @throws {ClientError} `ERR_NO_PROJECT`, `ERR_PROJECT_FILE`
 */
export async function examineFolder(folder: string, owner?: string): Promise<ExaminedFolder> {
  const read = await readFolder(folder);
  const { name, source } = read;
  const examined = examineWithin({ owner: owner ?? read.owner, name, source });
  const warnings = read.notes.map((message) => ({ code: 'left-out', message, path: '' }));
  return { ...read, ...examined, warnings };
}

/**
 * `examineProposal`; a scan that does not end becomes a finding.
 *
 * @param limit seconds of processor time
 */
export function examineWithin(
  source: SourceBuild,
  limit: number = MAX_SCAN_SECONDS,
): ExaminedBuild {
  let file = '';
  watchReading((path) => (file = path));
  // On a busy machine the clock runs faster than the processor time.
  for (let seconds = limit; ; seconds *= 4) {
    const { user } = process.cpuUsage();
    try {
      return withinTime(seconds * 1_000, () => examineProposal(source));
    } catch (error) {
      if (!(error instanceof OverTime)) throw error;
      if ((process.cpuUsage().user - user) / 1e6 < limit * 0.9) continue;
      return examineProposal(source, { cause: 'time', detail: `${limit}`, file });
    }
  }
}
