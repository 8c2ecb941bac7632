/** The commands for those who publish builds. */
import type { Command } from 'commander';
import type { Execute } from './entry.ts';
import { globals, withGlobals } from './entry.ts';

export function addPublishingCommands(program: Command, execute: Execute): void {
  withGlobals(program.command('check [folder]'))
    .summary('tell what the registry will say about a build')
    .description(
      'Validates and checks the build in a folder as the registry does; exit status 10 when it could not be published',
    )
    .option('--sarif', 'print the findings as SARIF 2.1.0, for code hosts', false)
    .addHelpText('after', '\nExample: stackyard check builds/alice/dates')
    .action(async (folder: string | undefined, options) => {
      const { checkBuild } = await import('../commands/check.ts');
      const version = program.version() ?? '';
      await execute('check', () =>
        checkBuild(folder ?? '.', { ...globals(options), ...options }, version),
      );
    });
  withGlobals(program.command('pack [folder]'))
    .summary('make the tarball that the registry would make')
    .description(
      'Lists what the tarball of a build holds, with its digest; exit status 10 when it cannot be packed',
    )
    .option('--out <file>', 'write the tarball there; without it nothing is written')
    .addHelpText('after', '\nExample: stackyard pack src/dates --out dates.tgz')
    .action(async (folder: string | undefined, options) => {
      const { packBuild } = await import('../commands/pack.ts');
      await execute('pack', () => packBuild(folder ?? '.', { ...globals(options), ...options }));
    });
}
