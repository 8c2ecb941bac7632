/** The commands for publishers of builds. */
import { Option } from 'commander';
import type { Command } from 'commander';
import type { Execute } from './options.ts';
import { allowOption, globals, withGlobals } from './options.ts';

export function addPublishingCommands(program: Command, execute: Execute): void {
  withGlobals(program.command('init [folder]'))
    .summary('describe a folder as a build')
    .description(
      'Writes stackyard.json, guessed from the files and the project around them, and skeletons of README.md and INTEGRATION.md',
    )
    .option('--owner <login>', 'who will publish it')
    .option('--name <name>', 'name of the build')
    .addOption(new Option('--kind <kind>', 'what it is').choices(['module', 'foundation']))
    .option('--license <id>', 'SPDX identifier, if the project declares none')
    .option('--description <text>', 'what it does, in one sentence')
    .option('--force', 'add missing fields to an existing manifest', false)
    .option('--dry-run', 'print the manifest and write nothing', false)
    .addHelpText('after', '\nExample: stackyard init src/dates --owner alice --dry-run')
    .action(async (folder: string | undefined, options) => {
      const { init } = await import('../commands/init.ts');
      await execute('init', (context) =>
        init(folder ?? '.', { ...globals(options), ...options }, context),
      );
    });
  withGlobals(program.command('import <source>'))
    .summary('turn a registry for shadcn into builds')
    .description(
      'Reads a registry.json for shadcn (or one item of it) from an address or a folder, and writes a build folder for each item: all, or none',
    )
    .option('--owner <login>', 'who will publish the builds (required)')
    .option('--license <id>', 'SPDX identifier, for items of a registry that states no licence')
    .option('--items <names>', 'only these items, with those that they require', commaList)
    .option('--root <folder>', 'the folder that "@/" stands for in their code', 'src')
    .option('--out <folder>', 'where <owner>/<name> is written', 'builds')
    .option('--skip-broken', 'leave out items that can become no build', false)
    .option('--dry-run', 'report what would be written, and write nothing', false)
    .addOption(allowOption())
    .addHelpText(
      'after',
      '\nExample: stackyard import https://ui.acme.example/r/registry.json --owner acme --license MIT',
    )
    .action(async (source: string, options) => {
      const { importItems } = await import('../commands/import.ts');
      await execute('import', (context) =>
        importItems(source, { ...globals(options), ...options }, context),
      );
    });
  withGlobals(program.command('check [folder]'))
    .summary('check a build as the registry does')
    .description(
      'Validates and checks the build in a folder as the registry does; exit status 10 when it cannot be published',
    )
    .option('--sarif', 'print the findings as SARIF 2.1.0, for code hosts', false)
    .option('--with <file>', 'add the findings of another scanner, from its SARIF 2.1.0')
    .addHelpText('after', '\nExample: stackyard check builds/alice/dates')
    .action(async (folder: string | undefined, options) => {
      const { checkBuild } = await import('../commands/check.ts');
      const version = program.version() ?? '';
      await execute('check', (context) =>
        checkBuild(folder ?? '.', { ...globals(options), ...options }, version, context),
      );
    });
  withGlobals(program.command('pack [folder]'))
    .summary('create the tarball that the registry would create')
    .description(
      'Lists the content of the tarball of a build, with its digest; exit status 10 when it cannot be packed',
    )
    .option('--out <file>', 'write the tarball to this file; without it nothing is written')
    .addHelpText('after', '\nExample: stackyard pack src/dates --out dates.tgz')
    .action(async (folder: string | undefined, options) => {
      const { packBuild } = await import('../commands/pack.ts');
      await execute('pack', (context) =>
        packBuild(folder ?? '.', { ...globals(options), ...options }, context),
      );
    });
}

function commaList(text: string, before: readonly string[] = []): string[] {
  return [...before, ...text.split(',').map((name) => name.trim())];
}
