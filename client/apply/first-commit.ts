/** Makes a new project a git repository with one commit. Settings, hooks and signing are those of the user. */
import { dirname } from 'node:path';
import { isOnPath } from '../project/find-program.ts';
import { folderGit } from '../project/folder-git.ts';
import { runProgram } from '../project/start-program.ts';
import { silentEnvironment } from '../registry/credentials.ts';
import { oneLine } from '../terminal/printable.ts';

const LIMITS = { timeoutMs: 60_000, maxBytes: 1_000_000, errors: 'pipe' } as const;
/** Also where no .gitignore leaves them out. */
const NEVER = ['node_modules', '.venv'].map((name) => `:(exclude,glob)**/${name}/**`);

/**
 * The files stay in every case, and the repository where only the commit fails. Nothing interrupts it: the project is in place.
 * @param isWanted `undefined`: where no repository is around the project
 * @returns what did not work, as a sentence
 */
export async function makeRepository(
  project: string,
  isWanted: boolean | undefined,
): Promise<string | undefined> {
  if (isWanted === false) return undefined;
  if (!isOnPath('git'))
    return 'The project is no repository: install git, then run "git init" in it';
  const around = await folderGit(dirname(project), ['rev-parse', '--git-dir']);
  if (isWanted === undefined && around !== undefined) return undefined;
  const steps = [
    ['init', '--quiet'],
    ['add', '--all', '--', '.', ...NEVER],
    ['commit', '--quiet', '--message', 'Start the project'],
  ];
  for (const args of steps) {
    const env = silentEnvironment(process.env);
    const ran = await runProgram('git', args, { ...LIMITS, cwd: project, env });
    if ('status' in ran && ran.status === 0) continue;
    const lines = 'problem' in ran ? ran.problem : ran.stderr.trim().split('\n').at(-1)!;
    const then =
      args[0] === 'commit' ? 'the repository has no commit yet' : 'there is no repository';
    return `The project is complete, but "git ${args[0]}" failed, so ${then}: ${oneLine(lines)}`;
  }
  return undefined;
}
