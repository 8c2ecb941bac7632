/** The commands that carry out the steps of installed builds in the code of a project. */
import type { Command } from 'commander';
import type { Execute } from './options.ts';
import { allowOption, globals, withGlobals } from './options.ts';

export function addWiringCommands(program: Command, execute: Execute): void {
  withGlobals(program.command('wire <builds...>'))
    .summary('carry out the steps of installed builds')
    .description(
      'Puts the code of the steps in INTEGRATION.md into your files where it has one clear place, and prints the other steps',
    )
    .option('--dry-run', 'print what would change and write nothing', false)
    .addOption(allowOption())
    .addHelpText('after', '\nExample: stackyard wire stackyard/account -C my-app --dry-run')
    .action(async (builds: string[], options) => {
      const { wire } = await import('../commands/wire.ts');
      await execute('wire', (context) =>
        wire(builds, { ...globals(options), ...options, install: false }, context),
      );
    });
  withGlobals(program.command('unwire <builds...>'))
    .summary('take the steps of installed builds out again')
    .description('Takes out what "wire" put into your files; what you edited since stays')
    .option('--dry-run', 'print what would change and write nothing', false)
    .addHelpText('after', '\nExample: stackyard unwire stackyard/account -C my-app')
    .action(async (builds: string[], options) => {
      const { unwire } = await import('../commands/wire.ts');
      await execute('unwire', (context) =>
        unwire(builds, { ...globals(options), ...options, install: false }, context),
      );
    });
}
