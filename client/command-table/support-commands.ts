/** Supporting commands: diagnosis, schemas, shell completion, agents, cache. */
import { Argument } from 'commander';
import type { Command } from 'commander';
import type { RegistryAction } from '../commands/registry.ts';
import type { Execute } from './options.ts';
import { globals, withGlobals } from './options.ts';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'];

/** @param table returns the whole command table, which some commands here describe */
export function addSupportCommands(program: Command, execute: Execute, table: () => Command): void {
  withGlobals(program.command('doctor'))
    .summary('check this project and machine')
    .description(
      'Checks Node.js, the registry, the lock and its files, variables, and interrupted runs; exit status 10 when there is a problem',
    )
    .addHelpText('after', '\nExample: stackyard doctor -C my-app --json')
    .action(async (options) => {
      const { doctor } = await import('../commands/doctor.ts');
      await execute('doctor', (context) => doctor(globals(options), context));
    });
  withGlobals(program.command('schema [name]'))
    .summary('print the JSON Schema of a document or command')
    .description(
      'Prints the JSON Schema of a document, such as "manifest" or "lock", or of what a command prints with --json; without a name, their names',
    )
    .addHelpText('after', '\nExample: stackyard schema add')
    .action(async (name: string | undefined) => {
      const { schema } = await import('../commands/schema.ts');
      await execute('schema', async () => schema(name, table()));
    });
  withGlobals(program.command('completion'))
    .summary('print the completion script of a shell')
    .description('Prints a script that completes commands, options and ids of installed builds')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .argument('[words...]', 'the words so far, with --candidates')
    .option('--candidates', 'print the candidates for the last word instead', false)
    .addHelpText('after', '\nExample: stackyard completion bash >> ~/.bashrc')
    .action(async (shell: string, words: string[], options) => {
      const { completion } = await import('../commands/completion.ts');
      await execute('completion', async () =>
        completion(shell, options['candidates'] === true ? words : undefined, table()),
      );
    });
  withGlobals(program.command('mcp'))
    .summary('serve coding agents (Model Context Protocol)')
    .description(
      'Serves coding agents over standard input and output, by the Model Context Protocol, for the project in this folder alone',
    )
    .addHelpText('after', '\nExample: stackyard mcp -C my-app')
    .action(async (options) => {
      const { mcp } = await import('../mcp/mcp.ts');
      await execute('mcp', (context) => mcp(globals(options), context));
    });
  const registryAction = new Argument('<action>', 'what to do');
  withGlobals(program.command('registry'))
    .summary('name the registries that a project uses')
    .description(
      'Names, lists, removes and moves registries: add <name> <address>, list, remove <name>, move <owner> <name>, move <name> <address>, reports <name> <address>: accepts the service to which CI runs report, or none',
    )
    .addArgument(registryAction.choices(['add', 'list', 'remove', 'move', 'reports']))
    .argument('[words...]', 'the arguments of the action')
    .option('--key <key>', 'with add: the public key that must sign the log of the registry')
    .option(
      '--witnesses <words...>',
      'with add: how many witnesses must confirm the log, then their public keys',
    )
    .option('--dry-run', 'print what would change and write nothing', false)
    .addHelpText('after', '\nExample: stackyard registry add corp https://registry.example.org')
    .action(async (what: RegistryAction, words: string[], options) => {
      const { registry } = await import('../commands/registry.ts');
      await execute('registry', (context) =>
        registry(what, words, { ...globals(options), ...options }, context),
      );
    });
  const action = new Argument('<action>', 'what to do').choices(['dir', 'verify', 'clean']);
  withGlobals(program.command('cache').addArgument(action))
    .summary('show, check or empty the cache')
    .description(
      'Manages the cache: dir prints its folder, verify reads every entry and removes altered ones (exit status 10 if there were any), clean removes entries',
    )
    .option(
      '--older-than <duration>',
      'with clean: only entries not used for this long, such as 30d',
    )
    .addHelpText('after', '\nExample: stackyard cache clean --older-than 30d')
    .action(async (what: 'dir' | 'verify' | 'clean', options) => {
      const { cache } = await import('../commands/cache.ts');
      await execute('cache', () => cache(what, { ...globals(options), ...options }));
    });
}
