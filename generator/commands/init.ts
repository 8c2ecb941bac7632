/** The command `init`: makes the repository of a registry. */
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { usageError } from '../errors.ts';
import { initRegistry } from '../init/init-registry.ts';
import { parseRegistryOptions } from '../init/registry-options.ts';
import type { Given } from '../init/registry-options.ts';
import { parseOrRefuse, reportError } from './main/report-error.ts';

const usage = usageError('stackyard-registry init --help');

const USAGE = `Usage: stackyard-registry init <folder> --admin LOGIN:ID [--name NAME] [--base-url URL]

Makes the git repository of a registry, with its configuration, a README for publishers, and workflows that call those
of the software. In a terminal it asks for what is missing.

  --admin LOGIN:ID     an account that may approve pull requests, with its numeric id; may be repeated
  --name NAME          the name of the registry
  --base-url URL       where the index will be served
  --origin NAME        the name of the registry at all its mirrors (default: host and path of the address)
  --repository URL     the address of this repository, for "stackyard publish"
  --upstream URL       a registry in which requirements are looked up as well; may be repeated
  --software O/R@SHA   the repository and the commit of the software whose workflows are called (default: none)
  --help               print this

Exit status: 0 done; 1 the folder holds files or cannot be written; 2 wrong usage.

Example: stackyard-registry init registry --admin alice:123 --base-url https://registry.example.org
`;

const STEPS = `What a person has to do at the code host:
  1. Create an empty repository, and push: git remote add origin <address> && git push -u origin main
  2. Protect the branch main against all but the workflows and admins; GitHub Actions may push to it.
  3. Choose where the index goes: Pages with GitHub Actions as the source, or the variables BUCKET and BUCKET_ENDPOINT
     with the secrets AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. Set the variable BASE_URL to its address.
  4. Make a key for the log: npm run --silent log:key > log.key; the private key becomes the secret STACKYARD_LOG_KEY,
     the printed one "log": { "key": ... } in registry.config.json.
  5. To measure ranges of builds, push the folder measuring/ as a repository of its own, without secrets, and name it in
     the variable MATRIX_REPOSITORY here: measuring runs code of builds.
`;

process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parseWords(argv);
    if (values.help === true) {
      process.stdout.write(USAGE);
      return 0;
    }
    const [folder, second] = positionals;
    if (folder === undefined || second !== undefined) throw usage('Give one folder');
    const given = process.stdin.isTTY && process.stdout.isTTY ? await ask(values) : values;
    const files = initRegistry(folder, parseRegistryOptions(given));
    for (const file of files) console.log(`  + ${file}`);
    console.log(`Made the repository of a registry in "${folder}", with one commit`);
    process.stdout.write(STEPS);
    return 0;
  } catch (error) {
    return reportError(error);
  }
}

/** Asks for what has no option; an empty answer leaves the default. */
async function ask(given: Given): Promise<Given> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const question = async (text: string): Promise<string | undefined> => {
    const answer = (await terminal.question(text)).trim();
    return answer === '' ? undefined : answer;
  };
  try {
    const name = given.name ?? (await question('Name of the registry: '));
    const address =
      given['base-url'] ?? (await question('Where its index will be served (empty: not known): '));
    const admin = given.admin ?? [(await question('Admin, as <login>:<account id>: ')) ?? ''];
    return { ...given, name, 'base-url': address, admin };
  } finally {
    terminal.close();
  }
}

function parseWords(argv: readonly string[]) {
  return parseOrRefuse(
    () =>
      parseArgs({
        args: [...argv],
        allowPositionals: true,
        options: {
          admin: { type: 'string', multiple: true },
          name: { type: 'string' },
          'base-url': { type: 'string' },
          origin: { type: 'string' },
          repository: { type: 'string' },
          upstream: { type: 'string', multiple: true },
          software: { type: 'string' },
          help: { type: 'boolean', short: 'h' },
        },
      }),
    usage,
  );
}
