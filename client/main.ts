/** The program `stackyard`: the command table, and the only catch. Commands are loaded when chosen. */
import { Command, CommanderError, Option } from 'commander';
import { StackyardError } from '../format/errors.ts';
import type { CommandContext, GlobalOptions, Outcome } from './commands/command.ts';
import { ClientError } from './errors.ts';
import { EXIT_DIFFERENT, EXIT_DONE, EXIT_INTERNAL, EXIT_USAGE, exitStatus } from './exit-status.ts';
import { openTerminal, printable } from './terminal.ts';
import type { Terminal } from './terminal.ts';

const VERSION = '0.1.0';
const SIGNAL_STATUS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

const interruption = new AbortController();
let interruptedStatus = 0;
for (const [name, status] of Object.entries(SIGNAL_STATUS)) {
  process.on(name, () => {
    // The second signal ends at once; the journal lets the next run mend what is half done.
    if (interruptedStatus !== 0) process.exit(status);
    interruptedStatus = status;
    interruption.abort();
  });
}

process.exitCode = await main(process.argv);

async function main(argv: readonly string[]): Promise<number> {
  const isJson = argv.includes('--json');
  const terminal = openTerminal(argv.includes('-q') || argv.includes('--quiet'));
  let status = EXIT_DONE;
  let name = 'help';
  const program = makeProgram(async (command, run) => {
    name = command;
    const outcome = await run({ terminal, signal: interruption.signal });
    print(command, outcome, isJson, terminal);
    if (outcome.status === 'different') status = EXIT_DIFFERENT;
    if (outcome.error !== undefined) status = exitStatus(outcome.error);
  }, isJson);
  try {
    await program.parseAsync(argv);
    return status;
  } catch (error) {
    return fail(name, error, isJson, terminal);
  }
}

type Run = (context: CommandContext) => Promise<Outcome>;
type Execute = (command: string, run: Run) => Promise<void>;

function makeProgram(execute: Execute, isJson: boolean): Command {
  const program = new Command('stackyard')
    .description('Installs reusable project builds from a Stackyard registry')
    .version(VERSION)
    .exitOverride()
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true })
    // With --json the one document on standard output says it all; else `fail` prints the error.
    .configureOutput({ outputError: (text, write) => (isJson ? undefined : write(text)) });
  withGlobals(program.command('info <build>'))
    .summary('show the package record of a build')
    .description('Shows the package record of a build: <owner>/<name>[@range]')
    .option('--readme', 'print its README.md instead', false)
    .option('--integration', 'print its INTEGRATION.md instead', false)
    .addHelpText('after', '\nExample: stackyard info stackyard/sqlite@^1.0.0')
    .action(async (build: string, options) => {
      const { info } = await import('./commands/info.ts');
      await execute('info', (context) => info(build, { ...globals(options), ...options }, context));
    });
  withGlobals(program.command('add <builds...>'))
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
      const { add } = await import('./commands/add.ts');
      await execute('add', (context) => add(builds, { ...globals(options), ...options }, context));
    });
  withGlobals(program.command('new <foundation> <folder>'))
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
      const { newProject } = await import('./commands/new.ts');
      await execute('new', (context) =>
        newProject(foundation, folder, { ...globals(options), ...options }, context),
      );
    });
  withGlobals(program.command('verify'))
    .summary('compare installed files with the lock')
    .description(
      'Compares the files of installed builds with stackyard.lock.json; exit status 10 when some differ',
    )
    .addHelpText('after', '\nExample: stackyard verify -C my-app --json')
    .action(async (options) => {
      const { verify } = await import('./commands/verify.ts');
      await execute('verify', () => verify(globals(options)));
    });
  withGlobals(program.command('list'))
    .summary('list the installed builds')
    .description('Lists the installed builds with their versions, and why each is there')
    .addHelpText('after', '\nExample: stackyard list -C my-app')
    .action(async (options) => {
      const { list } = await import('./commands/installed-builds.ts');
      await execute('list', async () => list(globals(options)));
    });
  withGlobals(program.command('why <path>'))
    .summary('tell which build placed a file')
    .description('Tells which build placed a file, and why that build is there')
    .addHelpText('after', '\nExample: stackyard why src/sqlite/index.ts -C my-app')
    .action(async (path: string, options) => {
      const { why } = await import('./commands/installed-builds.ts');
      await execute('why', async () => why(path, globals(options)));
    });
  withGlobals(program.command('licenses'))
    .summary('list the licences of installed builds')
    .description('Lists the licences of the installed builds')
    .addHelpText('after', '\nExample: stackyard licenses -C my-app --json')
    .action(async (options) => {
      const { licenses } = await import('./commands/installed-builds.ts');
      await execute('licenses', async () => licenses(globals(options)));
    });
  withGlobals(program.command('outdated'))
    .summary('compare installed versions with the registry')
    .description('Compares the installed versions with those of the registry')
    .option('--exit-code', 'end with status 10 when there is something to tell', false)
    .addHelpText('after', '\nExample: stackyard outdated -C my-app --exit-code')
    .action(async (options) => {
      const { outdated } = await import('./commands/outdated.ts');
      await execute('outdated', (context) =>
        outdated({ ...globals(options), ...options }, context),
      );
    });
  for (const command of program.commands) command.exitOverride().copyInheritedSettings(program);
  return program;
}

function withGlobals(command: Command): Command {
  return command
    .option('-C, --cwd <folder>', 'the folder of the project', '.')
    .option('--registry <url>', 'address of the registry (or STACKYARD_REGISTRY)')
    .option('--json', 'print one JSON document', false)
    .option('-q, --quiet', 'no talk on standard error', false);
}

function allowOption(): Option {
  return new Option('--allow <groups>', 'consent to files of: ci, agent, rc, lifecycle')
    .argParser(parseGroups)
    .default([]);
}

function globals(options: Record<string, unknown>): GlobalOptions {
  const { cwd, json, quiet, registry } = options as unknown as GlobalOptions;
  return { cwd, json, quiet, registry };
}

function parseGroups(text: string, before: readonly string[]): string[] {
  const groups = text.split(',').map((group) => group.trim());
  const known = ['ci', 'agent', 'rc', 'lifecycle'];
  const unknown = groups.find((group) => !known.includes(group));
  if (unknown === undefined) return [...before, ...groups];
  throw new ClientError('ERR_USAGE', `Option --allow names "${unknown}"`, {
    hint: `the groups are ${known.join(', ')}`,
  });
}

function print(command: string, outcome: Outcome, isJson: boolean, terminal: Terminal): void {
  const { status, data, warnings = [], next = [], text, error } = outcome;
  if (isJson) {
    const ok = error === undefined && status !== 'different';
    const envelope = { schema: `stackyard/${command}@1`, ok, status, data, warnings, next };
    writeJson(error === undefined ? envelope : { ...envelope, error: errorJson(error) });
    return;
  }
  for (const line of text) terminal.result(line);
  if (error !== undefined) sayError(error, terminal);
}

function fail(command: string, error: unknown, isJson: boolean, terminal: Terminal): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT_DONE;
    // Without a command commander prints the help, and says so with this code.
    if (error.code === 'commander.help') return EXIT_USAGE;
    const problem = error.message.replace(/^error: /, '');
    const usage = new ClientError('ERR_USAGE', problem, { hint: 'see stackyard --help' });
    if (isJson) writeJson(failure(command, usage));
    else terminal.hint('see stackyard --help');
    return EXIT_USAGE;
  }
  if (interruptedStatus !== 0) {
    const interrupted = new ClientError('ERR_INTERRUPTED', 'Interrupted: nothing was changed');
    if (isJson) writeJson(failure(command, interrupted));
    else terminal.error(interrupted.message);
    return interruptedStatus;
  }
  if (error instanceof StackyardError) {
    if (isJson) writeJson(failure(command, error));
    else sayError(error, terminal);
    return exitStatus(error);
  }
  const defect = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (isJson)
    writeJson(failure(command, { code: 'ERR_INTERNAL', message: defect, hint: undefined }));
  else terminal.error(`This is a defect of stackyard: ${defect}`);
  return EXIT_INTERNAL;
}

interface Told {
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
}

function failure(command: string, error: Told): object {
  const schema = `stackyard/${command}@1`;
  const told = errorJson(error);
  return { schema, ok: false, status: 'error', data: {}, warnings: [], error: told, next: [] };
}

function errorJson({ code, message, hint = '' }: Told): object {
  return { code, message: printable(message), hint: printable(hint) };
}

function sayError({ message, hint }: Told, terminal: Terminal): void {
  terminal.error(message);
  if (hint !== undefined) terminal.hint(hint);
}

function writeJson(value: object): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
