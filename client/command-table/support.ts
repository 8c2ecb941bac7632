/** The commands that are about the client itself. */
import { Argument } from 'commander';
import type { Command } from 'commander';
import type { Execute } from './entry.ts';
import { globals, withGlobals } from './entry.ts';

export function addSupportCommands(program: Command, execute: Execute): void {
  const action = new Argument('<action>', 'what to do').choices(['dir', 'verify', 'clean']);
  withGlobals(program.command('cache').addArgument(action))
    .summary('show, check or empty the cache')
    .description(
      'dir prints the folder of the cache, verify reads every entry and removes what is altered (exit status 10 when something was), clean removes entries',
    )
    .option('--older-than <duration>', 'with clean: what was not used for so long, such as 30d')
    .addHelpText('after', '\nExample: stackyard cache clean --older-than 30d')
    .action(async (what: 'dir' | 'verify' | 'clean', options) => {
      const { cache } = await import('../commands/cache.ts');
      await execute('cache', () => cache(what, { ...globals(options), ...options }));
    });
}
