/** The command `audit`: checks a registry independently, against its log and against a clone of its repository. */
import { parseArgs } from 'node:util';
import { auditIndex } from '../../../format/audit/audit-index.ts';
import { isNoteKey } from '../../../format/log/note-key.ts';
import { usageError } from '../../errors.ts';
import { readPublished } from '../../log/read-published.ts';
import { compareWithClone } from '../../audit/compare-with-clone.ts';
import { parseOrRefuse, reportError } from './report-error.ts';

const usage = usageError('npm run audit -- --help');

const USAGE = `Usage: npm run audit -- <address or folder> [--key KEY] [--repo DIR] [--json]

Downloads the log of a registry, verifies its signature, its root over all entries and every tile, and compares all documents
and tarballs with it and its map, in both directions. With a clone it also builds the index again and compares every file.

  --key KEY   the public key that must have signed (default: the one that the registry states)
  --repo DIR  a clone of the registry's repository, with the commit that the registry states checked out
  --json      print the result as JSON
  --help      print this

Exit status: 0 nothing differs; 1 something does, or the registry cannot be read; 2 wrong usage.

Example: npm run audit -- https://registry.example.org --repo ../registry
`;

export async function main(argv: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parseWords(argv);
    if (values.help === true) {
      process.stdout.write(USAGE);
      return 0;
    }
    const [place, second] = positionals;
    if (place === undefined || second !== undefined) throw usage('Give one address or folder');
    if (values.key !== undefined && !isNoteKey(values.key)) throw usage('Option --key is no key');
    const read = readPublished(place);
    const audit = await auditIndex(read, values.key);
    const repo = values.repo;
    const differing = repo === undefined ? [] : await compareWithClone(read, repo, audit.commit);
    const problems = [...audit.problems, ...differing];
    if (values.json === true) console.log(JSON.stringify({ ...audit, problems }, null, 2));
    else {
      for (const { where, problem } of problems) console.log(`${where}: ${problem}`);
      const { entries, builds, versions, key = 'no key' } = audit;
      console.log(
        `entries: ${entries}, builds: ${builds}, versions: ${versions}, signed by ${key}`,
      );
      console.log(problems.length === 0 ? 'Nothing differs' : `Problems: ${problems.length}`);
    }
    return problems.length === 0 ? 0 : 1;
  } catch (error) {
    return reportError(error);
  }
}

function parseWords(argv: readonly string[]) {
  return parseOrRefuse(
    () =>
      parseArgs({
        args: [...argv],
        allowPositionals: true,
        options: {
          key: { type: 'string' },
          repo: { type: 'string' },
          json: { type: 'boolean' },
          help: { type: 'boolean', short: 'h' },
        },
      }),
    usage,
  );
}
