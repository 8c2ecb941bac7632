/**
 * Runs a script test: the real program with a real registry, in new folders. All runs of the program share a process;
 * in `test:long` the first of each script has its own, as the user's has.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runResidentClient } from '../client/client-process.ts';
import type { Ended } from '../run/script-process.ts';
import { readProject } from '../client/registry-fixture.ts';
import { parseCommandWords } from './command-words.ts';
import { settleLines, streamLines, streamText } from './expected-lines.ts';
import { FILE_COMMANDS, compareWith, runFileCommand } from './file-commands.ts';
import type { Snapshot } from './file-commands.ts';
import type { ScriptRegistry } from './script-registry.ts';
import type { Step, Script } from './script.ts';

/** The environment of a run, and the names of its parts in a script. */
interface Stage {
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
  /** From `[NAME]` in the script to its value. */
  readonly names: readonly (readonly [string, string])[];
  /** The files before the last run of the program. */
  before: Snapshot;
}

/** The script with the actual output: the same script if everything is as expected. */
export async function runScript(
  script: Script,
  { url: registry, repository }: Pick<ScriptRegistry, 'url' | 'repository'>,
): Promise<Script> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'stackyard-script-')));
  const [folder, state, cache] = ['project', 'state', 'cache'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [folder, state, cache]) mkdirSync(path);
  const variables = {
    STACKYARD_REGISTRY: registry,
    STACKYARD_STATE: state,
    STACKYARD_CACHE: cache,
    CI: '',
    GITHUB_TOKEN: '',
    STACKYARD_REPOSITORY: '',
    ...(isAboutRepository(script) ? { HOME: homeIn(root) } : {}),
  };
  const clone = join(root, 'registry.git');
  if (isAboutRepository(script)) execFileSync('git', ['clone', '-q', '--bare', repository, clone]);
  const names = Object.entries({
    '[REGISTRY]': registry,
    // After the address, of which it is a part.
    '[ORIGIN]': new URL(registry).host,
    '[REPOSITORY]': clone,
    '[FOLDER]': folder,
    '[STATE]': state,
    '[CACHE]': cache,
  });
  const stage: Stage = { folder, variables, names, before: {} };
  try {
    const happened = [];
    for (const part of script) {
      happened.push(part.kind === 'step' ? await runStep(part, stage) : part);
    }
    return happened;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function isAboutRepository(script: Script): boolean {
  return script.some((part) => part.kind === 'step' && part.command.includes('[REPOSITORY]'));
}

/** A home folder with a git configuration that names a user. */
function homeIn(root: string): string {
  const home = join(root, 'home');
  mkdirSync(home);
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Alice\n\temail = a@example.org\n');
  return home;
}

async function runStep(step: Step, stage: Stage): Promise<Step> {
  const ended = await runCommand(step, stage);
  const seen = (text: string): string[] => {
    return streamLines(
      stage.names.reduce((all, [name, value]) => all.replaceAll(value, name), text),
    );
  };
  return {
    ...step,
    stdout: settleLines(step.stdout, seen(ended.stdout)),
    stderr: settleLines(step.stderr, seen(ended.stderr)),
    status: ended.status ?? 255,
  };
}

async function runCommand(step: Step, stage: Stage): Promise<Ended> {
  const meant = (text: string): string => {
    return stage.names.reduce((all, [name, value]) => all.replaceAll(name, value), text);
  };
  const { variables, words, output } = parseCommandWords(meant(step.command));
  const [name = '', ...rest] = words;
  const input = step.input.length === 0 ? undefined : meant(streamText(step.input));
  const ended = await run();
  if (output === undefined) return ended;
  writeFileSync(join(stage.folder, output), ended.stdout);
  return { ...ended, stdout: '' };

  async function run(): Promise<Ended> {
    const { folder } = stage;
    if (name === 'unchanged') return compareWith(stage.before, folder);
    if (name === 'stackyard') {
      stage.before = readProject(folder);
      const all = { ...stage.variables, ...variables };
      return runResidentClient(rest, { cwd: folder, variables: all, input });
    }
    const command = FILE_COMMANDS[name];
    if (command === undefined) throw new SyntaxError(`A script test has no command "${name}"`);
    return runFileCommand(command, folder, rest, input ?? '');
  }
}
