/** The command `log:keep`: writes the log of a published index into a branch of the registry's repository. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { GeneratorError, usageError } from '../../errors.ts';
import { ObjectReader } from '../../git/object-reader.ts';
import { gitAt, openRepository } from '../../git/repository.ts';
import { LOG_BRANCH, keepLog } from '../../pipeline/kept-log.ts';
import { readPublished } from '../../log/read-published.ts';
import { parseOrRefuse, reportError } from './report-error.ts';

const usage = usageError('npm run log:keep -- --help');

const USAGE = `Usage: npm run log:keep -- [--repo DIR] [--published PLACE] [--push REMOTE]

Writes checkpoint and entries of the log into the branch "${LOG_BRANCH}" of the repository. "npm run generate" continues that log where
the index is lost: what was published then stays published, with the same bytes, whatever the rules are now.
Run it after every deployment.

  --repo DIR         the repository of the registry (default: .)
  --published PLACE  the address or folder of the published index (default: index)
  --push REMOTE      pushes the branch to this remote
  --help             print this

Exit status: 0 done. 1 the log does not continue the one that is kept, or it cannot be read, written or pushed. 2 wrong usage.

Example: npm run log:keep -- --published https://registry.example --push origin
`;

export async function main(argv: readonly string[]): Promise<number> {
  try {
    const { repo = '.', published = 'index', push, help: isHelp } = parseValues(argv);
    if (isHelp === true) {
      process.stdout.write(USAGE);
      return 0;
    }
    const { folder } = await openRepository(resolve(repo));
    const reader = new ObjectReader(folder);
    try {
      const { size, added } = await keepLog(folder, reader, readPublished(published));
      console.log(`kept ${size} entries of the log in "${LOG_BRANCH}", ${added} of them new`);
    } finally {
      reader.close();
    }
    if (push !== undefined) await pushBranch(folder, push);
    return 0;
  } catch (error) {
    return reportError(error);
  }
}

async function pushBranch(folder: string, remote: string): Promise<void> {
  const branch = `refs/heads/${LOG_BRANCH}`;
  try {
    await gitAt(folder).raw(['push', '--quiet', '--end-of-options', remote, `${branch}:${branch}`]);
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message.trim() : String(cause);
    throw new GeneratorError('ERR_GIT', `Cannot push "${LOG_BRANCH}" to "${remote}": ${problem}`, {
      cause,
      hint: `fetch "${LOG_BRANCH}" first when another process pushed it; the entries are in the local branch`,
    });
  }
}

function parseValues(argv: readonly string[]) {
  return parseOrRefuse(
    () =>
      parseArgs({
        args: [...argv],
        options: {
          repo: { type: 'string' },
          published: { type: 'string' },
          push: { type: 'string' },
          help: { type: 'boolean', short: 'h' },
        },
      }).values,
    usage,
  );
}
