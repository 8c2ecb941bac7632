/** The command line of `stackyard`: all commands with their options, without their implementation. */
import { Command } from 'commander';
import { addChangingCommands } from './command-table/changing-commands.ts';
import type { Execute } from './command-table/options.ts';
import { addInstalledCommands } from './command-table/installed-commands.ts';
import { addProposingCommands } from './command-table/proposing-commands.ts';
import { addPublishingCommands } from './command-table/publishing-commands.ts';
import { addReadingCommands } from './command-table/reading-commands.ts';
import { addSupportCommands } from './command-table/support-commands.ts';
import { VERSION } from './version.ts';

export interface ProgramHooks {
  /** Runs the chosen command. */
  readonly execute: Execute;
  /** Called before, with the name and the options of the command. */
  readonly chosen: (name: string, options: Record<string, unknown>) => void;
  /** Called when the help of a command is requested. */
  readonly helped: (command: Command) => void;
  /** Prints the help and the version, or the help for a call without a command. */
  readonly output: { readonly out: (text: string) => void; readonly error: (text: string) => void };
}

/** The command table. It prints and exits only through `hooks`. */
export function makeProgram({ execute, chosen, helped, output }: ProgramHooks): Command {
  const program = new Command('stackyard')
    .description(
      'Installs reusable project builds from a Stackyard registry, and keeps them up to date',
    )
    .usage('<command> [options]')
    .version(VERSION)
    .exitOverride()
    .showSuggestionAfterError()
    .addHelpText('after', '\nExample: stackyard add stackyard/sqlite -C my-app')
    // Also in a narrow terminal, which would break the lines within words.
    .configureHelp({ minWidthToWrap: 20 })
    .configureOutput({
      writeOut: output.out,
      writeErr: output.error,
      // The error is also thrown, and printed by the caller.
      outputError: () => {},
    });
  addReadingCommands(program, execute);
  addChangingCommands(program, execute);
  addInstalledCommands(program, execute);
  addPublishingCommands(program, execute);
  addProposingCommands(program, execute);
  addSupportCommands(program, execute, () => program);
  for (const command of program.commands) command.exitOverride().copyInheritedSettings(program);
  program.hook('preAction', (_program, command) => chosen(command.name(), command.opts()));
  program.addHelpText('afterAll', ({ command }) => {
    helped(command);
    return '';
  });
  return program;
}
