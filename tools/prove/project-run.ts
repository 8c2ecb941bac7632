/** Runs commands in a project that is being proved, and changes its files for a while. */
import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Edits } from './project-kind.ts';

export interface CommandResult {
  readonly isOk: boolean;
  /** Standard output, then the standard error. */
  readonly output: string;
  readonly seconds: number;
}

/** Runs a command of a shell. */
export function runCommand(
  command: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<CommandResult> {
  return result(spawn(command, { cwd, env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] }));
}

export function runProgram(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<CommandResult> {
  return result(spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }));
}

/** Writes files and edits others, in folder `project`. Returns what takes that back. */
export function change(
  project: string,
  files: Readonly<Record<string, string>> = {},
  edits: Edits = {},
): () => void {
  const paths = [...Object.keys(files), ...Object.keys(edits)];
  const before = paths.map((path) => {
    const file = join(project, path);
    return [file, existsSync(file) ? readFileSync(file) : undefined] as const;
  });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), content);
  }
  for (const [path, changes] of Object.entries(edits)) {
    let content = readFileSync(join(project, path), 'utf8');
    for (const [old, now] of changes) {
      if (!content.includes(old)) throw new Error(`"${path}" has no ${JSON.stringify(old)}`);
      content = content.replace(old, () => now);
    }
    writeFileSync(join(project, path), content);
  }
  return () => {
    for (const [file, bytes] of before) {
      if (bytes === undefined) rmSync(file);
      else writeFileSync(file, bytes);
    }
  };
}

/** Not synchronous, because the registry is served by this very process. */
async function result(
  child: ChildProcessByStdio<null, Readable, Readable>,
): Promise<CommandResult> {
  const started = performance.now();
  const [output, errors, status] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve, reject) => child.on('close', resolve).on('error', reject)),
  ]);
  const seconds = (performance.now() - started) / 1000;
  return { isOk: status === 0, output: output + errors, seconds };
}
