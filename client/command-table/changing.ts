/** The commands that change a project. */
import { Option } from 'commander';
import type { Command } from 'commander';
import type { Execute } from './entry.ts';
import { allowOption, globals, withAge, withGlobals } from './entry.ts';

export function addChangingCommands(program: Command, execute: Execute): void {
  withAge(withGlobals(program.command('add <builds...>')))
    .summary('install builds into a project')
    .description(
      'Installs builds, and the builds that they require, into the project in this folder',
    )
    .option('--dry-run', 'print what would change and write nothing', false)
    .option('--no-install', 'do not run the package manager')
    .addOption(
      new Option('--on-exists <what>', 'for a file of yours that differs')
        .choices(['fail', 'skip', 'theirs'])
        .default('fail'),
    )
    .addOption(allowOption())
    .addHelpText('after', '\nExample: stackyard add stackyard/sqlite@^1.0.0 -C my-app --dry-run')
    .action(async (builds: string[], options) => {
      const { add } = await import('../commands/add.ts');
      await execute('add', (context) => add(builds, { ...globals(options), ...options }, context));
    });
  withAge(withGlobals(program.command('new <foundation> <folder>')))
    .summary('start a project from a foundation')
    .description('Starts a project in a new folder from a foundation, with modules')
    .option('--with <modules...>', 'modules to add', [])
    .option('--git', 'make the project a git repository', false)
    .option('--dry-run', 'print what would be made and make nothing', false)
    .option('--no-install', 'do not install packages')
    .addOption(allowOption())
    .addHelpText(
      'after',
      '\nExample: stackyard new stackyard/express-api my-app --with stackyard/account',
    )
    .action(async (foundation: string, folder: string, options) => {
      const { newProject } = await import('../commands/new.ts');
      await execute('new', (context) =>
        newProject(foundation, folder, { ...globals(options), ...options }, context),
      );
    });
}
