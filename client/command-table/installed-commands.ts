/** The commands that report what a project has installed; only verify may need the registry, for files that differ. */
import type { Command } from 'commander';
import type { Execute } from './options.ts';
import { globals, serviceOption, withGlobals } from './options.ts';

export function addInstalledCommands(program: Command, execute: Execute): void {
  withGlobals(program.command('verify'))
    .summary('compare installed files with the lock')
    .description(
      'Compares the files of installed builds with stackyard.lock.json; exit status 10 when some differ in more than their formatting. With --report, --test or --guides it also runs commands, and the exit status is theirs',
    )
    .option('--report', 'in CI: run the tests and report their outcome for each build', false)
    .option('--test <command>', 'run this command, which tests the project')
    .option('--guides', 'run the Verify commands of the guides of builds instead', false)
    .addOption(serviceOption())
    .addHelpText('after', '\nExample: stackyard verify -C my-app --json')
    .action(async (options) => {
      if (options['report'] === true || options['guides'] === true || 'test' in options) {
        const { verifyAndReport } = await import('../commands/verify-report.ts');
        return execute('verify', (context) =>
          verifyAndReport({ ...globals(options), ...options }, context),
        );
      }
      const { verify } = await import('../commands/verify.ts');
      await execute('verify', (context) => verify(globals(options), context));
    });
  withGlobals(program.command('list'))
    .summary('list the installed builds')
    .description('Lists the installed builds with their versions, and why each is installed')
    .addHelpText('after', '\nExample: stackyard list -C my-app')
    .action(async (options) => {
      const { list } = await import('../commands/installed-builds.ts');
      await execute('list', async () => list(globals(options)));
    });
  withGlobals(program.command('why <path>'))
    .summary('show which build placed a file')
    .description('Shows which build placed a file, and why that build is installed')
    .addHelpText('after', '\nExample: stackyard why src/sqlite/index.ts -C my-app')
    .action(async (path: string, options) => {
      const { why } = await import('../commands/installed-builds.ts');
      await execute('why', async () => why(path, globals(options)));
    });
  withGlobals(program.command('licenses'))
    .summary('list the licences of installed builds')
    .description('Lists the licences of the installed builds')
    .addHelpText('after', '\nExample: stackyard licenses -C my-app --json')
    .action(async (options) => {
      const { licenses } = await import('../commands/installed-builds.ts');
      await execute('licenses', async () => licenses(globals(options)));
    });
}
