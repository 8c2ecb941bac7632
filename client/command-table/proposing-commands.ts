/** The commands that open pull requests at a registry. */
import { Argument, InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import type { Execute } from './options.ts';
import { globals, serviceOption, withGlobals } from './options.ts';

const FLAG_REASONS = ['malware', 'secrets', 'licence', 'impersonation', 'broken', 'other'];

export function addProposingCommands(program: Command, execute: Execute): void {
  withAccount(withProposal(program.command('publish [folder]')))
    .summary('propose a version of a build to a registry')
    .description(
      "Checks the build in a folder, puts it on a branch of the registry's repository or of your fork, and opens a pull request where GITHUB_TOKEN is set",
    )
    .option('--owner <login>', 'who publishes; default: the account of GITHUB_TOKEN')
    .addHelpText('after', '\nExample: stackyard publish src/dates --owner alice --dry-run')
    .action(async (folder: string | undefined, options) => {
      const { publish } = await import('../commands/publish.ts');
      await execute('publish', (context) =>
        publish(folder ?? '.', { ...globals(options), ...options }, context),
      );
    });
  withProposal(program.command('yank <build>'))
    .summary('propose that a version is not chosen any more')
    .description(
      'Proposes to yank a published version: locked installs keep working, new ones do not choose it',
    )
    .option('--reason <text>', 'why, at most 300 characters')
    .option('--undo', 'undo the yank', false)
    .addHelpText(
      'after',
      '\nExample: stackyard yank alice/web@1.0.1 --reason "Loses the last line"',
    )
    .action(async (build: string, options) => {
      const { yank } = await import('../commands/withdraw.ts');
      await execute('yank', (context) => yank(build, { ...globals(options), ...options }, context));
    });
  withProposal(program.command('deprecate <build>'))
    .summary('propose that a build is not used any more')
    .description(
      'Proposes to deprecate a build: installing it prints a warning, with the replacement',
    )
    .option('--reason <text>', 'why, at most 300 characters')
    .option('--replacement <build>', 'what to use instead')
    .option('--undo', 'undo the deprecation', false)
    .addHelpText(
      'after',
      '\nExample: stackyard deprecate alice/web --reason "Not maintained" --replacement bob/web',
    )
    .action(async (build: string, options) => {
      const { deprecate } = await import('../commands/withdraw.ts');
      await execute('deprecate', (context) =>
        deprecate(build, { ...globals(options), ...options }, context),
      );
    });
  withAccount(withProposal(program.command('report <build>')))
    .addArgument(new Argument('<outcome>', 'how it went').choices(['success', 'failure']))
    .summary('propose a report that a version worked or failed')
    .description('Proposes a report about a published version; it is public, without personal data')
    .option('--note <text>', 'what worked or failed, at most 500 characters')
    .option(
      '--ci',
      'send it at once, signed by this CI run; <build> is installed, or . for all',
      false,
    )
    .addOption(serviceOption())
    .addHelpText('after', '\nExample: stackyard report alice/web@1.0.0 success --note "On Node 24"')
    .action(async (build: string, outcome: string, options) => {
      if (options['ci'] === true) {
        const { reportCi } = await import('../commands/report-ci.ts');
        return execute('report', (context) =>
          reportCi(build, outcome, { ...globals(options), ...options }, context),
        );
      }
      const { reportVersion } = await import('../commands/report.ts');
      await execute('report', (context) =>
        reportVersion(build, outcome, { ...globals(options), ...options }, context),
      );
    });
  withAccount(withProposal(program.command('flag <build>')))
    .addOption(new Option('--reason <reason>', 'what is wrong').choices(FLAG_REASONS))
    .summary('propose that the admins review a version')
    .description('Proposes a flag of a published version; it is public, without personal data')
    .option('--note <text>', 'what is wrong, at most 500 characters')
    .addHelpText('after', '\nExample: stackyard flag alice/web@1.0.0 --reason broken')
    .action(async (build: string, options) => {
      const { flagVersion } = await import('../commands/report.ts');
      await execute('flag', (context) =>
        flagVersion(build, { ...globals(options), ...options }, context),
      );
    });
}

function withProposal(command: Command): Command {
  return withGlobals(command)
    .option(
      '--repository <address>',
      "the registry's git repository (or STACKYARD_REPOSITORY); default: the one that the registry names",
    )
    .option('--fork <address>', 'push to this repository of yours')
    .option('--dry-run', 'print what would be proposed and send nothing', false);
}

function withAccount(command: Command): Command {
  return command.addOption(
    new Option(
      '--account-id <number>',
      'your numeric account at the code host, if GITHUB_TOKEN is not set',
    ).argParser(parseAccount),
  );
}

function parseAccount(text: string): number {
  const number = Number(text);
  if (/^[1-9]\d{0,14}$/.test(text) && Number.isSafeInteger(number)) return number;
  throw new InvalidArgumentError('It must be a whole number.');
}
