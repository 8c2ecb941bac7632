/** The commands that read the registry. */
import type { Command } from 'commander';
import type { Execute } from './entry.ts';
import { globals, withAge, withGlobals } from './entry.ts';

export function addReadingCommands(program: Command, execute: Execute): void {
  withGlobals(program.command('info <build>'))
    .summary('show the package record of a build')
    .description('Shows the package record of a build: <owner>/<name>[@range]')
    .option('--readme', 'print its README.md instead', false)
    .option('--integration', 'print its INTEGRATION.md instead', false)
    .addHelpText('after', '\nExample: stackyard info stackyard/sqlite@^1.0.0')
    .action(async (build: string, options) => {
      const { info } = await import('../commands/info.ts');
      await execute('info', (context) => info(build, { ...globals(options), ...options }, context));
    });
  withAge(withGlobals(program.command('outdated')))
    .summary('compare installed versions with the registry')
    .description('Compares the installed versions with those of the registry')
    .option('--exit-code', 'end with status 10 when there is something to tell', false)
    .addHelpText('after', '\nExample: stackyard outdated -C my-app --exit-code')
    .action(async (options) => {
      const { outdated } = await import('../commands/outdated.ts');
      await execute('outdated', (context) =>
        outdated({ ...globals(options), ...options }, context),
      );
    });
}
