/** The commands that read the registry. */
import type { Command } from 'commander';
import { Option } from 'commander';
import { ClientError } from '../errors.ts';
import type { Execute } from './options.ts';
import { collect, globals, withAge, withGlobals } from './options.ts';

export function addReadingCommands(program: Command, execute: Execute): void {
  withAge(withGlobals(program.command('search [words...]')))
    .summary('find builds')
    .description('Finds builds that have all the words, best first: in name, tags and description')
    .addOption(
      new Option('--kind <kind>', 'only builds of this kind').choices(['module', 'foundation']),
    )
    .addOption(
      new Option('--provides <tag>', 'only what provides this stack tag').argParser(collect),
    )
    .addOption(
      new Option('--requires <tag>', 'only what requires this stack tag').argParser(collect),
    )
    .option('--fits', 'only modules that could be added to the project', false)
    .addOption(new Option('--limit <count>', 'how many to show').argParser(parseLimit).default(20))
    .addHelpText('after', '\nExample: stackyard search sqlite --kind module --fits -C my-app')
    .action(async (words: string[], options) => {
      const { search } = await import('../commands/search.ts');
      await execute('search', (context) =>
        search(words, { ...globals(options), ...options }, context),
      );
    });
  withGlobals(program.command('view <build> [file]'))
    .summary('show the files of a build')
    .description('Lists the files of a build, or prints one, without installing it')
    .option('--raw', 'print the bytes of a file as they are, on a terminal too', false)
    .addHelpText('after', '\nExample: stackyard view stackyard/sqlite@^1.0.0 README.md')
    .action(async (build: string, file: string | undefined, options) => {
      const { view } = await import('../commands/view.ts');
      const isTerminal = process.stdout.isTTY;
      await execute('view', (context) =>
        view(build, file, { ...globals(options), ...options, isTerminal }, context),
      );
    });
  withAge(withGlobals(program.command('fit <builds...>')))
    .summary('check whether builds can be installed')
    .description(
      'Checks whether builds can be installed into the project; exit status 4 and the reason when not',
    )
    .option('--why', 'print step by step why they do not', false)
    .addHelpText('after', '\nExample: stackyard fit stackyard/account -C my-app')
    .action(async (builds: string[], options) => {
      const { fit } = await import('../commands/fit.ts');
      await execute('fit', (context) => fit(builds, { ...globals(options), ...options }, context));
    });
  withGlobals(program.command('info <build>'))
    .summary('show the package record of a build')
    .description('Shows the package record of a build: <owner>/<name>[@range]')
    .option('--readme', 'print its README.md instead', false)
    .option('--integration', 'print its INTEGRATION.md instead', false)
    .option('--provenance', 'verify and print which commit it comes from instead', false)
    .addHelpText('after', '\nExample: stackyard info stackyard/sqlite@^1.0.0')
    .action(async (build: string, options) => {
      const { info } = await import('../commands/info.ts');
      await execute('info', (context) => info(build, { ...globals(options), ...options }, context));
    });
  withAge(withGlobals(program.command('outdated')))
    .summary('compare installed versions with the registry')
    .description('Compares the installed versions with those of the registry')
    .option('--exit-code', 'end with status 10 when there is something to report', false)
    .addHelpText('after', '\nExample: stackyard outdated -C my-app --exit-code')
    .action(async (options) => {
      const { outdated } = await import('../commands/outdated.ts');
      await execute('outdated', (context) =>
        outdated({ ...globals(options), ...options }, context),
      );
    });
  withGlobals(program.command('advisories'))
    .summary('list known faults of installed versions')
    .description(
      'Lists the advisories about installed versions, with the first good version; exit status 10 when there are any that the project does not ignore',
    )
    .option(
      '--ignore <id>',
      'record in the lock that this advisory is not reported; needs --reason',
    )
    .option('--reason <text>', 'why it is ignored')
    .option('--undo', 'with --ignore: report it again', false)
    .option('--dry-run', 'with --ignore: write nothing', false)
    .addHelpText('after', '\nExample: stackyard advisories -C my-app --json')
    .action(async (options) => {
      const { advisories } = await import('../commands/advisories.ts');
      await execute('advisories', (context) =>
        advisories({ ...globals(options), ...options }, context),
      );
    });
  withGlobals(program.command('audit'))
    .summary('compare all that a registry serves with its transparency log')
    .description(
      'Downloads the log of the registry and all that it publishes, and compares them; exit status 6 when something differs',
    )
    .addHelpText('after', '\nExample: stackyard audit --registry https://registry.example.org')
    .action(async (options) => {
      const { audit } = await import('../commands/audit.ts');
      await execute('audit', (context) => audit(globals(options), context));
    });
  withGlobals(program.command('diff [what...]'))
    .summary('show your edits of installed files')
    .description(
      'Compares installed files with what was shipped, of all builds or of some builds or paths',
    )
    .option('--upstream', 'compare the installed version with the newest that fits', false)
    .option('--exit-code', 'end with status 10 when there is a difference', false)
    .addHelpText('after', '\nExample: stackyard diff stackyard/account -C my-app')
    .action(async (what: string[], options) => {
      const { diff } = await import('../commands/diff.ts');
      await execute('diff', (context) => diff(what, { ...globals(options), ...options }, context));
    });
}

function parseLimit(text: string): number {
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (limit > 0) return limit;
  throw new ClientError('ERR_USAGE', `Option --limit is ${JSON.stringify(text)}`, {
    hint: 'give a number from 1 to 99999',
  });
}
