/**
 * The Node.js that a project runs on where it pins none: the one that the user's shell finds. It may differ from the
 * one that runs the client: `npm run` puts the programs of this software's own packages in front of the path.
 */
import { execFile } from 'node:child_process';
import { delimiter, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { isVersion } from '../../../format/version/version.ts';
import { isProgram, realPath } from '../find-program.ts';

const NODE_TIMEOUT_MS = 5_000;
const PROGRAM = process.platform === 'win32' ? 'node.exe' : 'node';

interface NodeSearch {
  /** The variable PATH. */
  readonly path: string;
  /** The file of the client. */
  readonly client: string;
  /** The Node.js that runs it. */
  readonly running: { readonly file: string; readonly version: string };
}

/** Such as `24.1.0`. @param project an existing folder: version managers choose by it */
export async function nodeInUse(
  project: string,
  search: NodeSearch = ofProcess(),
): Promise<string> {
  const { path, client, running } = search;
  const found = path
    .split(delimiter)
    // Relative folders would be looked for in the project, which may be anybody's.
    .filter((folder) => isAbsolute(folder) && !isOfSoftware(folder, client))
    .map((folder) => join(folder, PROGRAM))
    .find(isProgram);
  if (found === undefined || realPath(found) === realPath(running.file)) return running.version;
  return (await versionOf(found, project)) ?? running.version;
}

function ofProcess(): NodeSearch {
  const { env, argv, execPath, versions } = process;
  const running = { file: execPath, version: versions.node };
  return { path: env['PATH'] ?? '', client: realPath(argv[1] ?? ''), running };
}

/** Whether `folder` has the packages of the repository that the client runs from; packages of a project are its own. */
function isOfSoftware(folder: string, client: string): boolean {
  const mark = `${sep}node_modules${sep}`;
  const at = `${folder}${sep}`.indexOf(mark);
  if (at < 0) return false;
  const inside = relative(folder.slice(0, at), dirname(client));
  return !inside.startsWith('..') && !isAbsolute(inside) && !`${sep}${inside}`.startsWith(mark);
}

/** What the program prints: a version manager puts a script of its own there, which answers for the folder. */
async function versionOf(program: string, project: string): Promise<string | undefined> {
  try {
    const options = { timeout: NODE_TIMEOUT_MS, cwd: project };
    const { stdout } = await promisify(execFile)(program, ['--version'], options);
    const version = stdout.trim().replace(/^v/, '');
    return isVersion(version) ? version : undefined;
  } catch {
    return undefined;
  }
}
