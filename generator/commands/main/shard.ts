/** The command `shard`: moves the builds of a repository to another layout. The only catch. */
import { parseArgs } from 'node:util';
import { LAYOUTS } from '../../../format/registry/repository-layout.ts';
import { usageError } from '../../errors.ts';
import { moveBuilds } from '../../layout/move-builds.ts';
import { parseOrRefuse, reportError } from './report-error.ts';

const usage = usageError('npm run shard -- --help');

const USAGE = `Usage: npm run shard -- [--repo DIR] [--layout sharded | flat]

Moves the builds of a registry's repository to another layout, in one commit on the branch that is checked out:

  flat      builds/<owner>/<name>, for up to some thousand owners
  sharded   builds/<ab>/<cd>/<owner>/<name>, by the first letters of the SHA-256 of the owner

The commit also sets "layout" in registry.config.json. It publishes nothing: ids, log, dates and the index stay the
same. Bring it to the base branch as a pull request of an admin, which the gate knows.

  --repo DIR     the repository (default: this folder)
  --layout NAME  the layout to move to (default: sharded)
  --help         print this

Exit status: 0 done, or it has the layout already; 1 it failed, and nothing changed; 2 wrong usage.

Example: npm run shard -- --repo ../registry
`;

export async function main(argv: readonly string[]): Promise<number> {
  try {
    const { repo = '.', layout = 'sharded', help } = parseValues(argv);
    if (help === true) {
      process.stdout.write(USAGE);
      return 0;
    }
    const to = LAYOUTS.find((one) => one === layout);
    if (to === undefined) {
      throw usage(`Option --layout is "${layout}": it must be one of ${LAYOUTS.join(', ')}`);
    }
    const { commit, owners } = await moveBuilds(repo, to);
    console.log(
      commit === undefined
        ? `The repository has the layout "${to}" already`
        : `Moved the folders of ${owners} owners to the layout "${to}": commit ${commit}`,
    );
    return 0;
  } catch (error) {
    return reportError(error);
  }
}

function parseValues(argv: readonly string[]) {
  return parseOrRefuse(
    () =>
      parseArgs({
        args: [...argv],
        options: {
          repo: { type: 'string' },
          layout: { type: 'string' },
          help: { type: 'boolean', short: 'h' },
        },
      }).values,
    usage,
  );
}
