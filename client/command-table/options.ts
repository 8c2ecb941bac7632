/** The shared parts of the command table: how a command is run, and the common options. */
import type { Command } from 'commander';
import { Option } from 'commander';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';
import { CONSENT_CLASSES } from '../../format/build/consent-classes.ts';
import { ALLOW_ALL, isAllowable } from '../../format/build/consent.ts';
import { printable } from '../../format/build/file-path.ts';
import { ClientError } from '../errors.ts';

type Run = (context: CommandContext) => Promise<Outcome>;
/** Runs a command and prints its outcome; implemented by `main.ts` only. */
export type Execute = (command: string, run: Run) => Promise<void>;

/** Adds the options that every command has. */
export function withGlobals(command: Command): Command {
  return command
    .option('-C, --cwd <folder>', 'the folder of the project; default: the nearest upward')
    .option('-w, --workspace <member>', 'name or path of a member of the workspace; . is its root')
    .addOption(
      new Option(
        '--registry <address>',
        'the address of the registry in this run: https or a folder (or STACKYARD_REGISTRY); repeat it for mirrors',
      ).argParser(collect),
    )
    .addOption(
      new Option('--offline', 'use no network, only the cache')
        .default(false)
        .conflicts('preferOffline'),
    )
    .option('--prefer-offline', 'use the network only for what is not in the cache', false)
    .option('--json', 'print one JSON document', false)
    .option('-q, --quiet', 'print no messages on standard error', false)
    .option('-v, --verbose', 'print more messages, such as why the cache is not used', false)
    .option('-y, --yes', 'answer yes to questions, never to conflicts or to --allow', false)
    .option('--no-input', 'ask no questions: a missing answer is an error')
    .option('--no-color', 'no colour');
}

/** The values of an option that may be repeated. */
export function collect(value: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), value];
}

/** Adds the options that hide versions by their age. */
export function withAge(command: Command): Command {
  return command
    .option('--as-of <date>', 'ignore versions published after this date or time (UTC)')
    .option('--min-age <duration>', 'ignore versions younger than this, such as 12h, 7d or 2w');
}

/** For commands that install. */
export function maxAgeOption(): Option {
  return new Option(
    '--max-age <duration>',
    'refuse a registry whose witnesses confirmed its log longer ago, such as 2d',
  );
}

export function allowOption(): Option {
  return new Option(
    '--allow <what>',
    'consent to what programs run or read by themselves: classes or paths as the plan lists them, or all',
  )
    .argParser(parseAllowed)
    .default([]);
}

/** The decision for ranges of the project's own files. */
export function keepOption(): Option {
  return new Option(
    '--keep <packages>',
    'keep the range of the project where it does not meet that of a build',
  )
    .argParser((text: string, before: readonly string[]) => {
      return [...before, ...text.split(',').map((name) => name.trim())];
    })
    .default([]);
}

/** Where CI runs report. */
export function serviceOption(): Option {
  return new Option(
    '--service <address>',
    'the account service that takes reports of CI runs (or STACKYARD_REPORTS); default: the one that was accepted with "stackyard registry reports"',
  );
}

export function importsOption(): Option {
  return new Option(
    '--imports <style>',
    "how imports of other builds are written: relative, or by the project's alias",
  ).choices(['relative', 'alias']);
}

/** The values of the options of `withGlobals`. */
export function globals(options: Record<string, unknown>): GlobalOptions {
  const { cwd, workspace, json, quiet, verbose, registry, offline, preferOffline } =
    options as unknown as Omit<GlobalOptions, 'cwd'> & { readonly cwd?: string };
  const where = { cwd: cwd ?? '.', isCwdGiven: cwd !== undefined, workspace };
  return { ...where, json, quiet, verbose, registry, offline, preferOffline };
}

function parseAllowed(text: string, before: readonly string[]): string[] {
  const words = text.split(',').map((word) => word.trim().replace(/^\.\//, ''));
  const unknown = words.find((word) => !isAllowable(word));
  if (unknown === undefined) return [...before, ...words];
  throw new ClientError('ERR_USAGE', `Option --allow names "${printable(unknown)}"`, {
    hint: `give ${ALLOW_ALL}, a class (${Object.keys(CONSENT_CLASSES).join(', ')}), or a path in the project that the plan lists`,
  });
}
