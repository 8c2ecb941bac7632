/**
 * Chooses the folder that a command works in: `-w` names a member of the workspace (`.` is its root), `-C`
 * names the folder itself, and without both it is the nearest project upward. The search ends at the root
 * of the workspace or of the git repository, and never includes the home folder or the root of the disk.
 */
import { existsSync, statSync, readFileSync, lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { parseEnv } from 'node:util';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import { ClientError } from '../errors.ts';
import { PACKAGE_JSON, PYPROJECT, REQUIREMENTS } from '../edit/project-file.ts';
import { DENO_FILES } from './package-managers.ts';
import { withoutPutIn } from '../plan/left-out.ts';
import { findWorkspace, readWorkspace } from './workspace.ts';
import type { Manifest } from '../../format/build/manifest.ts';
import type { Lock, LockedWiring } from '../../format/project/lock.ts';

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

/** The environment variables that installed builds require, and whether a project sets them. */
const ENV_FILES = ['.env', '.env.local'];

interface RequiredVariable {
  readonly name: string;
  /** When, as its description limits it. */
  readonly when: Need;
}

/** `not-development`: unless NODE_ENV is exactly `development` or `test`. */
type Need = 'always' | 'production' | 'not-development';

/** Of two builds that require a variable, the one that does so more often counts. */
const NEEDS: readonly Need[] = ['production', 'not-development', 'always'];

/** Sorted by name. */
export function requiredVariables(manifests: readonly Manifest[]): RequiredVariable[] {
  const found = new Map<string, Need>();
  for (const { env = {} } of manifests) {
    for (const [name, { required, description = '' }] of Object.entries(env)) {
      if (required !== true) continue;
      const [need, other] = [needOf(description), found.get(name) ?? 'production'];
      found.set(name, NEEDS.indexOf(other) > NEEDS.indexOf(need) ? other : need);
    }
  }
  return [...found]
    .map(([name, when]) => ({ name, when }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function needOf(description: string): Need {
  if (/\brequired in production\b/i.test(description)) return 'production';
  const isLimited = /\brequired unless NODE_ENV is (?:exactly )?development or test\b/i;
  return isLimited.test(description) ? 'not-development' : 'always';
}

/** Those that neither this process nor the project's files set; of them those that are needed only later. */
export function unsetVariables(
  project: string,
  required: readonly RequiredVariable[],
): { readonly needed: string[]; readonly later: string[] } {
  const values = new Map<string, string>();
  const read = (variables: NodeJS.Dict<string>): void => {
    for (const [key, value = ''] of Object.entries(variables)) {
      if (value !== '' && !values.has(key)) values.set(key, value);
    }
  };
  read(process.env);
  for (const file of ENV_FILES) {
    const path = join(project, file);
    if (existsSync(path)) read(parseEnv(readFileSync(path, 'utf8')));
  }
  const mode = values.get('NODE_ENV') ?? 'development';
  const unset = required.filter(({ name }) => !values.has(name));
  const isLater = ({ when }: RequiredVariable): boolean =>
    (when === 'production' && mode !== 'production') ||
    (when === 'not-development' && ['development', 'test'].includes(mode));
  return {
    needed: unset.filter((one) => !isLater(one)).map(({ name }) => name),
    later: unset.filter(isLater).map(({ name }) => name),
  };
}

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
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
      return [{ build, path, state: 'missing', step }];
    }
    const isThere = verb === 'file' || findWired(readFileSync(file, 'utf8'), entry) !== undefined;
    return isThere ? [] : [{ build, path, state: 'unwired', step }];
  });
}
