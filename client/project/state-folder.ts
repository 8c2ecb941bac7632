/** The folder for data of this user that belongs to no project. */
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
