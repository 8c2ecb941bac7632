/** The commands that change a project. */
import { Option } from 'commander';
import type { Command } from 'commander';
import { existing, onExistsOption } from './on-exists-option.ts';
import { addWiringCommands } from './wiring-commands.ts';
import type { Execute } from './options.ts';
import {
  allowOption,
  globals,
  importsOption,
  keepOption,
  maxAgeOption,
  withAge,
  withGlobals,
} from './options.ts';

export function addChangingCommands(program: Command, execute: Execute): void {
  withAge(withGlobals(program.command('add <builds...>')))
    .summary('install builds into a project')
    .description(
      'Installs builds, [<registry>:]<owner>/<name>[@<range>], and the builds that they require, into the project in this folder. A build may also be a folder or a tarball that is not published yet: ./dates, ./dates-1.0.0.tgz or an https address',
    )
    .option('--owner <login>', 'of a local build: the owner who will publish it')
    .option('--integrity <digest>', 'of a local build: the digest that it must have')
    .option('--dry-run', 'print what would change and write nothing', false)
    .option('--no-install', 'do not run the package manager')
    .addOption(onExistsOption())
    .addOption(keepOption())
    .option('--to <folder>', 'put the build into this folder of the project; rewrites its imports')
    .addOption(importsOption())
    .option('--wire', 'carry out the steps of INTEGRATION.md that have one clear place', false)
    .addOption(maxAgeOption())
    .addOption(allowOption())
    .addHelpText(
      'after',
      '\nExample: stackyard add stackyard/sqlite@^1.0.0 -C my-app --dry-run\nFrom another registry of the project: stackyard add corp:acme/web',
    )
    .action(async (builds: string[], options) => {
      const { add } = await import('../commands/add.ts');
      await execute('add', (context) =>
        add(builds, { ...globals(options), ...options, ...existing(options) }, context),
      );
    });
  withAge(withGlobals(program.command('update [builds...]')))
    .summary('update installed builds')
    .description(
      'Updates builds, by default all, within the ranges that the lock records, and keeps your edits',
    )
    .option('--latest', 'update to the highest version, ignoring the recorded ranges', false)
    .addOption(
      new Option('--conflict <what>', 'if you and the new version edited the same lines')
        .choices(['fail', 'ours', 'theirs', 'markers'])
        .default('fail'),
    )
    .addOption(onExistsOption())
    .option('--restore', 'restore files that you deleted', false)
    .option('--wire', 'change wired text also where the new text can do more than before', false)
    .option('--dry-run', 'print what would change and write nothing', false)
    .option('--no-install', 'do not run the package manager')
    .addOption(keepOption())
    .option('--to <folder>', 'move the build to this folder of the project; rewrites its imports')
    .addOption(importsOption())
    .addOption(maxAgeOption())
    .addOption(allowOption())
    .addHelpText('after', '\nExample: stackyard update stackyard/account -C my-app --dry-run')
    .action(async (builds: string[], options) => {
      const { update } = await import('../commands/update.ts');
      await execute('update', (context) =>
        update(builds, { ...globals(options), ...options, ...existing(options) }, context),
      );
    });
  withGlobals(program.command('remove <builds...>'))
    .summary('remove builds from a project')
    .description('Removes builds, what only they required, and every edit that was made for them')
    .option('--cascade', 'remove what requires them as well', false)
    .option('--keep-deps', 'keep builds that only they required', false)
    .option('--force', 'remove files that you edited as well', false)
    .addOption(allowOption())
    .option('--dry-run', 'print what would change and write nothing', false)
    .option('--no-install', 'do not run the package manager')
    .addHelpText('after', '\nExample: stackyard remove stackyard/account -C my-app')
    .action(async (builds: string[], options) => {
      const { remove } = await import('../commands/remove.ts');
      await execute('remove', (context) =>
        remove(builds, { ...globals(options), ...options }, context),
      );
    });
  withAge(withGlobals(program.command('new <foundation> <folder>')))
    .summary('start a project from a foundation')
    .description('Starts a project in a new folder from a foundation, with modules')
    .option('--with <modules...>', 'modules to add', [])
    .option('--git', 'make the project a git repository', false)
    .option('--no-wire', 'leave the steps of INTEGRATION.md to you')
    .option('--dry-run', 'print what would be created and create nothing', false)
    .option('--no-install', 'do not install packages')
    .addOption(maxAgeOption())
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
  withGlobals(program.command('apply <plan>'))
    .summary('apply a saved plan')
    .description('Applies the plan that --dry-run --json printed, if nothing has changed since')
    .option('--dry-run', 'only check that the plan still holds', false)
    .option('--no-install', 'do not run the package manager')
    .addHelpText('after', '\nExample: stackyard apply plan.json -C my-app')
    .action(async (file: string, options) => {
      const { apply } = await import('../commands/apply.ts');
      await execute('apply', (context) =>
        apply(file, { ...globals(options), ...options }, context),
      );
    });
  addWiringCommands(program, execute);
  withGlobals(program.command('install'))
    .summary('restore the installed builds of a project')
    .description('Restores missing files of installed builds, and installs packages')
    .option('--frozen', 'fail when the lock does not match the project', false)
    .option('--dry-run', 'print what is missing and write nothing', false)
    .option('--no-install', 'do not run the package manager')
    .addOption(maxAgeOption())
    .addOption(allowOption())
    .addHelpText('after', '\nExample: stackyard install --frozen -C my-app')
    .action(async (options) => {
      const { install } = await import('../commands/install.ts');
      await execute('install', (context) => install({ ...globals(options), ...options }, context));
    });
  withGlobals(program.command('resolve <file>'))
    .summary('resolve the conflicts that an update left in a file')
    .description('Checks that no conflict is left in a file, or takes one side of each')
    .addOption(new Option('--take <side>', 'the side to take').choices(['ours', 'base', 'theirs']))
    .addHelpText('after', '\nExample: stackyard resolve src/account/router.ts --take theirs')
    .action(async (file: string, options) => {
      const { resolveConflict } = await import('../commands/resolve.ts');
      await execute('resolve', (context) =>
        resolveConflict(file, { ...globals(options), ...options }, context),
      );
    });
  withGlobals(program.command('undo'))
    .summary('undo the last change of a project')
    .description('Undoes the last add, update, remove or resolve, if no file was changed since')
    .option('--dry-run', 'print what would change and write nothing', false)
    .addHelpText('after', '\nExample: stackyard undo -C my-app')
    .action(async (options) => {
      const { undo } = await import('../commands/undo.ts');
      await execute('undo', (context) => undo({ ...globals(options), ...options }, context));
    });
  withGlobals(program.command('recover'))
    .summary('recover an interrupted run')
    .description(
      'Undoes or finishes a run that was killed; every command that writes does so first',
    )
    .addHelpText('after', '\nExample: stackyard recover -C my-app')
    .action(async (options) => {
      const { recoverProject } = await import('../commands/undo.ts');
      await execute('recover', () => recoverProject(globals(options)));
    });
}
