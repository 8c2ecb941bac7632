/** Runs commands in a project that is being proved, and changes its files for a while. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runProgram } from '../../generator/matrix/run-program.ts';
import type { Edits } from './projects.ts';

export interface CommandResult {
  readonly isOk: boolean;
  /** Standard output, then the standard error. */
  readonly output: string;
  readonly seconds: number;
}

/** Runs a command of a shell; not synchronous, because the registry is served by this very process. */
export async function runCommand(
  command: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<CommandResult> {
  const started = performance.now();
  const { isOk, stdout, stderr } = await runProgram('sh', ['-c', command], { cwd, env });
  return { isOk, output: stdout + stderr, seconds: (performance.now() - started) / 1000 };
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
