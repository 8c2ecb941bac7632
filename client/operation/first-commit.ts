/** Makes a new project a repository whose first commit has its builds and the locks of its packages. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ClientError } from '../errors.ts';
import type { Plan } from '../plan/plan.ts';
import { captureProgram } from '../project/start-program.ts';
import { runPackageCommand } from './package-command.ts';

const PACKAGE_LOCKS = ['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'uv.lock'];
const LIMITS = { timeoutMs: 60_000, maxBytes: 100_000 };
/** Without it, git would make up an identity from the names of user and machine. */
const STRICT = ['-c', 'user.useConfigOnly=true'];

/**
 * Commits with the identity that git has for the user. The project stays as it is when that fails.
 * @throws {ClientError} `ERR_GIT`
 */
export async function commitFirst(project: string, plan: Plan, signal: AbortSignal): Promise<void> {
  await git(project, ['init', '--quiet'], signal);
  const identity = [...STRICT, 'var', 'GIT_COMMITTER_IDENT'];
  if ((await captureProgram('git', identity, { ...LIMITS, cwd: project, signal })) === undefined) {
    throw new ClientError(
      'ERR_GIT',
      'The project is complete, but not committed: git has no identity',
      {
        hint: 'set user.name and user.email with "git config --global", then run "git add . && git commit" in the project',
      },
    );
  }
  const paths = [...plan.files, ...plan.edits].map(({ path }) => path).concat(PACKAGE_LOCKS);
  const present = [...new Set(paths)].filter((path) => existsSync(join(project, path))).sort();
  const { id = '', version = '' } = plan.builds.find(({ kind }) => kind === 'foundation') ?? {};
  // A foundation may ignore files that it brings, such as .env.example by ".env*".
  await git(project, ['add', '--force', '--', ...present], signal);
  await git(project, [...STRICT, 'commit', '--quiet', '-m', `Start from ${id} ${version}`], signal);
}

async function git(project: string, args: readonly string[], signal: AbortSignal): Promise<void> {
  try {
    await runPackageCommand(project, { program: 'git', args, isRunnable: true }, signal);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ClientError('ERR_GIT', reason, {
      cause,
      hint: 'correct what git reports, then run "git add . && git commit" in the project',
    });
  }
}
