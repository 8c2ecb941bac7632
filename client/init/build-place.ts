/** Finds the project around a build folder, and the place of the folder in it. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { isFilePath } from '../../format/build/file-path.ts';
import { PACKAGE_JSON, PYPROJECT, REQUIREMENTS } from '../edit/edited-files.ts';
import { ClientError } from '../errors.ts';
import { registeredFolder } from '../project/registered-folder.ts';

export interface BuildPlace {
  /** The folder of the build, absolute. */
  readonly folder: string;
  /** The folder of the project around it; the build's own folder if there is none. */
  readonly project: string;
  /** `undefined` when the folder is the whole project. */
  readonly base: string | undefined;
  /** Whether `project` contains a file that marks a project. */
  readonly isProject: boolean;
  /** From the path in a registry's repository, such as `builds/<owner>/<name>`. */
  readonly registered: { readonly owner: string; readonly name: string } | undefined;
}

const MARKS = [PACKAGE_JSON, PYPROJECT, REQUIREMENTS];

/**
 * Searches from `folder` upward, at most to the top of its git repository.
 * @throws {ClientError} `ERR_USAGE` when no manifest could name the folder
 */
export function findBuildPlace(folder: string): BuildPlace {
  const registered = registeredFolder(folder);
  if (registered !== undefined) {
    return { folder, project: folder, base: undefined, isProject: hasMark(folder), registered };
  }
  const project = projectAbove(folder);
  const alone = { folder, project: folder, base: undefined, registered: undefined };
  if (project === undefined || project === folder)
    return { ...alone, isProject: project === folder };
  const base = relative(project, folder).split(sep).join('/');
  if (!isFilePath(base)) {
    throw new ClientError('ERR_USAGE', `The folder "${base}" cannot be the "base" of a build`, {
      hint: 'rename it: parts of the path are plain names, without spaces at an end or control characters',
    });
  }
  return { folder, project, base, isProject: true, registered: undefined };
}

function projectAbove(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    if (hasMark(folder)) return folder;
    const isTop = dirname(folder) === folder || folder === homedir();
    if (isTop || existsSync(join(folder, '.git'))) return undefined;
  }
}

function hasMark(folder: string): boolean {
  return MARKS.some((file) => existsSync(join(folder, file)));
}
