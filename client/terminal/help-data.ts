/** A command as data: for `--help --json` and for completion. */
import type { Argument, Command, Option } from 'commander';

export interface HelpData {
  /** `add`; `stackyard` for the program itself. */
  readonly command: string;
  readonly summary: string;
  readonly description: string;
  readonly usage: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly several: boolean;
    readonly choices: readonly string[];
  }[];
  readonly options: readonly {
    /** `-C, --cwd <folder>` */
    readonly flags: string;
    readonly short?: string;
    readonly long: string;
    readonly description: string;
    /** Whether a value follows. */
    readonly takes_value: boolean;
    readonly choices: readonly string[];
  }[];
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
}

export function helpData(command: Command): HelpData {
  const help = command.createHelp();
  return {
    command: command.name(),
    summary: command.summary(),
    description: command.description(),
    usage: help.commandUsage(command),
    arguments: command.registeredArguments.map(argumentData),
    options: help.visibleOptions(command).map(optionData),
    commands: command.commands.map((child) => ({ name: child.name(), summary: child.summary() })),
  };
}

function argumentData(argument: Argument): HelpData['arguments'][number] {
  return {
    name: argument.name(),
    required: argument.required,
    several: argument.variadic,
    choices: argument.argChoices ?? [],
  };
}

function optionData(option: Option): HelpData['options'][number] {
  return {
    flags: option.flags,
    ...(option.short === undefined ? {} : { short: option.short }),
    long: option.long ?? option.flags,
    description: option.description,
    takes_value: option.required || option.optional,
    choices: option.argChoices ?? [],
  };
}
