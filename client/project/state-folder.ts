/**
 * The folders of this user's state and cache, and what the client remembers of a project there, so that the project contains nothing
 * of it: package commands that did not end, and what the user has agreed to run there.
 *
 *     <state>/projects/<key of the project>.json
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { BUILDS_FOLDER } from '../../format/registry/repository-layout.ts';

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

/**
 * Owner and name by a path such as `builds/<owner>/<name>`; `undefined` for a folder elsewhere.
 * @param folder absolute
 */
export function registeredFolder(folder: string): { owner: string; name: string } | undefined {
  const owner = dirname(folder);
  if (basename(dirname(owner)) !== BUILDS_FOLDER) return undefined;
  return { owner: basename(owner), name: basename(folder) };
}

/**
 * `STACKYARD_CACHE`, otherwise `stackyard` in the platform's folder for caches; `undefined` when there is
 * none. A relative XDG_CACHE_HOME is ignored, as its specification requires.
 */
export function cacheFolder(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string | undefined {
  const named = env['STACKYARD_CACHE'];
  if (named !== undefined && named !== '') return resolve(named);
  const xdg = env['XDG_CACHE_HOME'] ?? '';
  if (isAbsolute(xdg)) return join(xdg, 'stackyard');
  const local = env['LOCALAPPDATA'] ?? '';
  if (platform === 'win32' && local !== '') return join(local, 'stackyard', 'Cache');
  if (!isAbsolute(home)) return undefined;
  return platform === 'darwin'
    ? join(home, 'Library', 'Caches', 'stackyard')
    : join(home, '.cache', 'stackyard');
}

const Words = z.string().max(10_000);
const Memory = z.object({
  memoryVersion: z.literal(1),
  /** Commands that install packages and did not end well. */
  packages: z
    .array(z.object({ program: Words, args: z.array(Words).max(1_000) }))
    .max(20)
    .optional(),
  /** The answer of the user to the commands that prove a change. */
  prove: z
    .object({ answer: z.enum(['agreed', 'never']), commands: z.array(Words).max(100) })
    .optional(),
  /** The answer of the user to the fixers that bring files of builds into the style of the project. */
  style: z
    .object({ answer: z.enum(['agreed', 'never']), commands: z.array(Words).max(100) })
    .optional(),
});
type Memory = z.infer<typeof Memory>;

/** What is remembered; nothing where it cannot be read. */
export async function recall(project: string): Promise<Omit<Memory, 'memoryVersion'>> {
  try {
    const text = await readFile(await memoryFile(project), 'utf8');
    return Memory.safeParse(JSON.parse(text)).data ?? {};
  } catch {
    return {};
  }
}

/**
 * Changes parts of it; `undefined` forgets a part.
 * @throws errors of the file system
 */
export async function remember(
  project: string,
  changes: { [Part in keyof Omit<Memory, 'memoryVersion'>]?: Memory[Part] | undefined },
): Promise<void> {
  const file = await memoryFile(project);
  const { packages, prove, style } = { ...(await recall(project)), ...changes };
  if ([packages, prove, style].every((part) => part === undefined))
    return rm(file, { force: true });
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const memory = { memoryVersion: 1, packages, prove, style };
  await writeFile(file, `${JSON.stringify(memory)}\n`, { mode: 0o600 });
}

async function memoryFile(project: string): Promise<string> {
  return join(stateFolder(), 'projects', `${await projectKey(project)}.json`);
}
