/** The commands of `stackyard-registry`, and one run of it: reads the command line, loads the command, prints what stops it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyCommand, Program } from '../format/command/command.ts';
import { readCommandLine } from '../format/command/program.ts';
import { StackyardError } from '../format/errors.ts';
import { formatError } from './errors.ts';
import { isPackaged, packagedFile } from './packaged.ts';

/** A command; it returns the exit status. */
type Runnable = AnyCommand<unknown, undefined, number>;

const PROGRAM: Program<Runnable> = {
  name: 'stackyard-registry',
  description:
    'Runs a registry of reusable project builds: judges pull requests, generates the index, deploys it.',
  get version() {
    const file = isPackaged
      ? packagedFile('../package.json')
      : join(import.meta.dirname, 'package.json');
    return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  },
  commands: [
    {
      name: 'init',
      group: 'Set up',
      summary: 'makes the repository of a registry',
      load: async () => (await import('./commands/init.ts')).command,
    },
    {
      name: 'shard',
      group: 'Set up',
      summary: 'moves the builds of a repository to another layout',
      load: async () => (await import('./commands/shard.ts')).command,
    },
    {
      name: 'generate',
      group: 'Index',
      summary: 'generates the index from the git history of a repository',
      load: async () => (await import('./commands/generate.ts')).command,
    },
    {
      name: 'serve',
      group: 'Index',
      summary: 'generates the index and serves it on this machine',
      load: async () => (await import('./commands/serve.ts')).command,
    },
    {
      name: 'dev',
      group: 'Index',
      summary: 'serves the site of the files as they are, and reloads pages',
      load: async () => (await import('./commands/dev.ts')).command,
    },
    {
      name: 'deploy',
      group: 'Index',
      summary: 'uploads the index to an object store or a folder',
      load: async () => (await import('./commands/deploy.ts')).command,
    },
    {
      name: 'gate',
      group: 'Contributions',
      summary: 'judges a pull request: merge, review or refuse',
      load: async () => (await import('./commands/gate.ts')).command,
    },
    {
      name: 'ingest',
      group: 'Contributions',
      summary: 'counts downloads from access logs, and reports and flags',
      load: async () => (await import('./commands/ingest.ts')).command,
    },
    {
      name: 'matrix',
      group: 'Contributions',
      summary: 'measures with which versions of their stack tags and packages builds work',
      load: async () => (await import('./commands/matrix.ts')).command,
    },
    {
      name: 'host',
      group: 'Contributions',
      summary: 'does a job of the workflows at the code host',
      load: async () => (await import('./commands/host.ts')).command,
    },
    {
      name: 'audit',
      group: 'Log',
      summary: 'checks a registry against its log and a clone of its repository',
      load: async () => (await import('./commands/audit.ts')).command,
    },
    {
      name: 'log:key',
      group: 'Log',
      summary: 'makes a key for the transparency log',
      load: async () => (await import('./commands/log-key.ts')).command,
    },
    {
      name: 'log:cosign',
      group: 'Log',
      summary: 'asks the witnesses of the log',
      load: async () => (await import('./commands/log-cosign.ts')).command,
    },
    {
      name: 'log:keep',
      group: 'Log',
      summary: 'keeps the log in a branch of the repository',
      load: async () => (await import('./commands/log-keep.ts')).command,
    },
    {
      name: 'witness',
      group: 'Log',
      summary: 'confirms the logs of other registries',
      load: async () => (await import('./commands/witness.ts')).command,
    },
  ],
  shared: [],
  examples: ['init my-registry', 'generate --repo my-registry'],
};

/** @returns the exit status: 2 for wrong usage, 1 for another error of ours @throws what is no error of ours */
export async function runProgram(words: readonly string[]): Promise<number> {
  try {
    const reading = await readCommandLine(PROGRAM, words);
    if (reading.kind === 'run') {
      return await reading.command.run(reading.input as never, undefined, undefined);
    }
    if (reading.kind === 'version') console.log(PROGRAM.version);
    else {
      const { commandHelp, programHelp } = await import('../format/command/help.ts');
      const columns = process.stdout.columns;
      process.stdout.write(
        reading.kind === 'command-help'
          ? commandHelp(PROGRAM, reading.entry, reading.command, reading.fields, columns)
          : programHelp(PROGRAM, columns),
      );
    }
    return 0;
  } catch (error) {
    if (!(error instanceof StackyardError)) throw error;
    console.error(formatError(error));
    return error.code === 'ERR_USAGE' ? 2 : 1;
  }
}
