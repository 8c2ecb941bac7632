/** The folder for data of this user that belongs to no project. */
import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, basename, dirname, relative, sep } from 'node:path';
import { readFileSync } from 'node:fs';
import {
  BUILDS_FOLDER,
  CONFIG_FILE,
  FLAT,
  layoutIn,
  placeAt,
  type Layout,
} from '../../format/registry/repository-layout.ts';

/**
 * The folder for state that outlasts a run (XDG Base Directory Specification: "state"; `STACKYARD_STATE`
 * replaces it).
 */
export function stateFolder(
  environment: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const named = (name: string): string | undefined => {
    const value = environment[name];
    return value === undefined || value === '' ? undefined : value;
  };
  const chosen = named('STACKYARD_STATE');
  if (chosen !== undefined) return chosen;
  if (platform === 'win32') {
    return join(named('LOCALAPPDATA') ?? join(homedir(), 'AppData', 'Local'), 'stackyard', 'state');
  }
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'stackyard');
  return join(named('XDG_STATE_HOME') ?? join(homedir(), '.local', 'state'), 'stackyard');
}

/** The name of a project in the state folder: no other project of this machine has it. */
export async function projectKey(project: string): Promise<string> {
  const path = await realpath(project);
  return createHash('sha256').update(path).digest('hex').slice(0, 32);
}

/** How many folders up `builds` can be: of the sharded layout, then of the flat one. */
const DEPTHS = [5, 3];

/**
 * Owner and name by a path such as `builds/<owner>/<name>`; `undefined` for a folder elsewhere.
 * @param folder absolute
 */
export function registeredFolder(folder: string): { owner: string; name: string } | undefined {
  for (const depth of DEPTHS) {
    let builds = folder;
    for (let up = 1; up < depth; up += 1) builds = dirname(builds);
    if (basename(builds) !== BUILDS_FOLDER) continue;
    const root = dirname(builds);
    // Without a configuration beside "builds", the folder may be any project's: then it has the flat form.
    const layout = depth === 3 ? FLAT : layoutOf(root);
    const place = placeAt(relative(root, folder).split(sep).join('/'), layout);
    if (place.kind !== 'build' || place.file !== '') continue;
    return { owner: place.owner, name: place.name };
  }
  return undefined;
}

function layoutOf(root: string): Layout {
  try {
    return layoutIn(readFileSync(join(root, CONFIG_FILE)));
  } catch {
    return FLAT;
  }
}
