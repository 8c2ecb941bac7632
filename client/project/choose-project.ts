/**
 * Chooses the folder that a command works in: `-w` names a member of the workspace (`.` is its root), `-C`
 * names the folder itself, and without both it is the nearest project upward. The search ends at the root
 * of the workspace or of the git repository, and never includes the home folder or the root of the disk.
 */
import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import { PACKAGE_JSON, PYPROJECT, REQUIREMENTS } from '../edit/edited-files.ts';
import { ClientError } from '../errors.ts';
import { DENO_FILES } from './package-managers.ts';
import { findWorkspace, readWorkspace } from './workspace.ts';

export interface ProjectChoice {
  readonly cwd: string;
  /** Whether the user gave `cwd`: then it is used without a search. */
  readonly isCwdGiven: boolean;
  /** Name or path of a member. */
  readonly workspace: string | undefined;
  /** Whether a folder without any file of a project is good enough. */
  readonly isAnyFolder?: boolean;
}

const MARKS = [PACKAGE_JSON, PYPROJECT, REQUIREMENTS];
/** Other files of projects, which builds do not edit. */
const MORE_MARKS = [LOCK_FILE, 'Pipfile', 'environment.yml', 'environment.yaml', ...DENO_FILES];

/**
 * The absolute path of the chosen project.
 * @throws {ClientError} `ERR_USAGE` when the folder or member does not exist, or when only the root of a
 * workspace is found; `ERR_NO_PROJECT` when there is no project
 */
export function chooseProject(choice: ProjectChoice): string {
  const { cwd, isCwdGiven, workspace, isAnyFolder = false } = choice;
  const folder = resolve(cwd);
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw new ClientError('ERR_USAGE', `There is no folder "${folder}"`, {
      hint: 'give the folder of your project with -C',
    });
  }
  if (workspace !== undefined) return chooseMember(folder, workspace);
  if (isCwdGiven) {
    if (isProject(folder) || isAnyFolder) return folder;
    throw noProject(folder);
  }
  const found = findUpward(folder);
  if (found === undefined) {
    if (isAnyFolder && !isHomeOrRoot(folder)) return folder;
    throw noProject(folder);
  }
  const around = readWorkspace(found);
  // A root that has builds installed is a project like others.
  if (around === undefined || around.members.length === 0 || around.isProject) return found;
  if (existsSync(join(found, LOCK_FILE))) return found;
  throw new ClientError('ERR_USAGE', `"${found}" is the root of a workspace`, {
    hint: `choose a project: ${membersOf(around)}; -w . is the root itself`,
  });
}

function chooseMember(folder: string, wanted: string): string {
  const workspace = findWorkspace(folder);
  if (workspace === undefined) {
    throw new ClientError('ERR_USAGE', `There is no workspace in or above "${folder}"`, {
      hint: 'leave out -w, or give a folder of the workspace with -C',
    });
  }
  const { root, members } = workspace;
  if (wanted === '.') return root;
  // Windows paths are accepted too.
  const path = wanted.replaceAll('\\', '/').replace(/^\.\//, '').replace(/\/+$/, '');
  const here = relative(root, resolve(folder, path)).split(sep).join('/');
  const byName = members.filter((member) => member.name === wanted);
  const found =
    byName.length > 0 ? byName : members.filter((m) => m.path === path || m.path === here);
  const [member, second] = found;
  if (member !== undefined && second === undefined) return join(root, member.path);
  const problem =
    second === undefined
      ? `No member of the workspace "${root}" is "${wanted}"`
      : `Several members of the workspace "${root}" have the name "${wanted}"`;
  throw new ClientError('ERR_USAGE', problem, {
    hint: second === undefined ? `it has ${membersOf(workspace)}` : 'give the path of one with -w',
  });
}

/** The nearest folder from `start` upward that contains a project. */
function findUpward(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const isTop = dirname(folder) === folder || folder === homedir();
    if (isTop && folder !== start) return undefined;
    if (isProject(folder) || readWorkspace(folder) !== undefined) return folder;
    if (isTop || existsSync(join(folder, '.git'))) return undefined;
  }
}

function isProject(folder: string): boolean {
  return [...MARKS, ...MORE_MARKS].some((file) => existsSync(join(folder, file)));
}

/** Files of all kinds are there: nobody means to install builds among them. */
function isHomeOrRoot(folder: string): boolean {
  return folder === homedir() || dirname(folder) === folder;
}

const MAX_LISTED = 20;

function membersOf({ members }: NonNullable<ReturnType<typeof findWorkspace>>): string {
  if (members.length === 0) return 'no members';
  const listed = members.slice(0, MAX_LISTED).map(({ name, path }) => `-w ${name ?? path}`);
  return listed.join(', ') + (members.length > MAX_LISTED ? ', ...' : '');
}

function noProject(folder: string): ClientError {
  return new ClientError(
    'ERR_NO_PROJECT',
    `There is no project in "${folder}": no ${MARKS.join(', no ')}`,
    {
      hint: 'give the folder of your project with -C, or start one: stackyard new <foundation> <folder>, or npm init -y',
    },
  );
}
