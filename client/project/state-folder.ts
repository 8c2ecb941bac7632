/**
 * The folders of this user's state and cache, and what the client remembers of a project there, so that the project contains nothing
 * of it: package commands that did not end, and what the user has agreed to run there.
 *
 *     <state>/projects/<key of the project>.json
 */
import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

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
