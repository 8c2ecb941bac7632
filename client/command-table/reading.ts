/** The commands that read the registry. */
import type { Command } from 'commander';
import type { Execute } from './entry.ts';
import { globals, withGlobals } from './entry.ts';

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
  withGlobals(program.command('outdated'))
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
