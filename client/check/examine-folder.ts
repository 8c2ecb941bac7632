/** Examines the build in a folder as the gate of the registry does. */
import type { ExaminedBuild } from '../../scan/examine-build.ts';
import { examineWithin } from '../../scan/examine-proposal.ts';
import { readFolder, type BuildFolder } from './read-folder.ts';

/** A build folder with the result of its examination. */
interface ExaminedFolder extends BuildFolder, ExaminedBuild {
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
