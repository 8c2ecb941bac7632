/**
 * What the client remembers of a project, so that the project contains nothing of it: package commands that did not end, and
 * what the user has agreed to run there.
 *
 *     <state>/projects/<key of the project>.json
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { projectKey, stateFolder } from './state-folder.ts';

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
