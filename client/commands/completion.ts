/** `completion`: prints the script of a shell, or the candidates that it requests at each Tab. */
import { z } from 'zod';
import { type Field, findEntry, type Program } from '../../format/command/command.ts';
import { longFlag } from '../../format/command/help.ts';
import { fieldsOf } from '../../format/command/parse.ts';
import type { Lock } from '../../format/project/lock.ts';
import { DEFAULT_REGISTRY_NAME } from '../../format/registry/registry-name.ts';
import { define } from '../terminal/options.ts';
import type { Outcome } from '../terminal/command.ts';
import { readLock } from '../project/project.ts';

/** Each script requests candidates from this program, one per line; without any, the shell completes files. */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_stackyard() {
  local IFS=$'\\n'
  COMPREPLY=($(stackyard completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _stackyard stackyard`,
  zsh: `#compdef stackyard
_stackyard() {
  local -a candidates
  candidates=("\${(@f)$(stackyard completion zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${candidates[1]}" ]]; then compadd -- "\${candidates[@]}"; else _files; fi
}
if [[ "\${funcstack[1]}" = _stackyard ]]; then _stackyard "$@"; else compdef _stackyard stackyard; fi`,
  fish: `function __stackyard_candidates
  set -l words (commandline -opc)
  stackyard completion fish -- $words[2..-1] (commandline -ct) 2>/dev/null
end
complete -c stackyard -f -a '(__stackyard_candidates)'
complete -c stackyard -s C -l cwd -x -a '(__fish_complete_directories)'`,
  powershell: `Register-ArgumentCompleter -Native -CommandName stackyard -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') { $words += '""' }
  stackyard completion powershell -- @words 2>$null | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}`,
};

const Input = z.object({
  shell: z
    .enum(['bash', 'zsh', 'fish', 'powershell'])
    .meta({ description: 'the shell', isArgument: true }),
  words: z.array(z.string()).default([]).meta({
    description: 'the command line so far, to print candidates for its last word instead',
    isArgument: true,
  }),
});

export const command = define({
  description: 'Prints a script that completes commands, options and ids of installed builds',
  input: Input,
  output: z.strictObject({
    shell: z.string(),
    script: z.string().describe('Empty where there are words.'),
    candidates: z.array(z.string()).optional(),
  }),
  examples: ['completion bash >> ~/.bashrc'],
  run: async ({ shell, words }, _shared, { program }): Promise<Outcome> => {
    if (words.length === 0) {
      const script = SCRIPTS[shell]!;
      return { status: 'done', data: { shell, script: `${script}\n` }, text: script.split('\n') };
    }
    const candidates = await completionCandidates(words, program, readLock);
    return { status: 'done', data: { shell, script: '', candidates }, text: candidates };
  },
});

/** Reads the lock of the project in a folder; may throw. */
type ReadLock = (folder: string) => Lock | undefined;

/**
 * The candidates for the last of `words`, sorted.
 * @param words the command line after the program's name; the last word is unfinished and may be empty
 */
export async function completionCandidates(
  words: readonly string[],
  program: Program,
  readLock: ReadLock,
): Promise<string[]> {
  // Bash splits words at "=".
  const cleaned = words.filter((word, at) => word !== '=' || at === words.length - 1);
  const current = cleaned.at(-1) ?? '';
  const before = cleaned.slice(0, -1);
  const all = await candidates(current === '=' ? '' : current, before, program, readLock);
  const prefix = current === '=' ? '' : current;
  return [...new Set(all)].filter((candidate) => candidate.startsWith(prefix)).sort();
}

async function candidates(
  current: string,
  before: readonly string[],
  program: Program,
  readLock: ReadLock,
): Promise<readonly string[]> {
  const name = before.find((word) => !word.startsWith('-'));
  const commands = program.commands.map((entry) => entry.name);
  if (name === undefined) {
    return current.startsWith('-') ? ['--help', '--version'] : [...commands, 'help'];
  }
  if (name === 'help') return commands;
  const entry = findEntry(program, name);
  if (entry === undefined) return [];
  const fields = [...fieldsOf((await entry.load()).input), ...program.shared];
  const options = fields.filter(({ isArgument }) => isArgument !== true);
  const lists = (field: Field): readonly string[] => {
    return [...(field.choices ?? []), ...listsOf(field, () => tryReadLock(before, readLock))];
  };
  const option = optionBefore(options, before.at(-1));
  if (option !== undefined) return lists(option);
  if (current.startsWith('-')) return [...options.map(longFlag), '--help'];
  const words = argumentsIn(before, options);
  if (entry.name === 'registry' && words.length > 0) {
    return registryCandidates(words, tryReadLock(before, readLock));
  }
  const places = fields.filter(({ isArgument }) => isArgument === true);
  // A list takes all the other words.
  const place = places[Math.min(words.length, places.length - 1)];
  return place === undefined ? [] : lists(place);
}

/** The option whose value is the next word. */
function optionBefore(options: readonly Field[], last: string | undefined): Field | undefined {
  return options.find(
    (field) =>
      field.kind !== 'flag' && (last === longFlag(field) || last === `-${field.short ?? '-'}`),
  );
}

/** The words after the command that are neither options nor their values. */
function argumentsIn(before: readonly string[], options: readonly Field[]): string[] {
  const at = before.findIndex((word) => !word.startsWith('-'));
  return before.filter((word, index) => {
    const isValue = optionBefore(options, before[index - 1]) !== undefined;
    return index > at && !word.startsWith('-') && !isValue;
  });
}

/** What a field suggests; `@name` is a list. */
function listsOf({ suggests = [] }: Field, installed: () => Lock | undefined): string[] {
  return suggests.flatMap((word) => {
    if (!word.startsWith('@')) return [word];
    const lock = installed();
    if (lock === undefined) return [];
    if (word === '@installed') return Object.keys(lock.builds);
    if (word === '@registries') return registryPrefixes(lock);
    return Object.values(lock.builds).flatMap(({ files }) => Object.keys(files));
  });
}

/** The lock of the project of the command line; an unreadable lock gives no candidates. */
function tryReadLock(before: readonly string[], readLock: ReadLock): Lock | undefined {
  const at = before.findLastIndex((word) => word === '-C' || word === '--cwd');
  try {
    return readLock(at === -1 ? '.' : (before[at + 1] ?? '.'));
  } catch {
    return undefined;
  }
}

/** @param words the arguments of `registry` before the one to complete, at least the action */
function registryCandidates(words: readonly string[], lock: Lock | undefined): string[] {
  const [action] = words;
  const names = Object.keys(lock?.registries ?? {});
  const owners = Object.keys(lock?.builds ?? {}).map((id) => id.slice(0, id.indexOf('/')));
  if (action === 'remove' && words.length === 1) return names;
  if (action !== 'move') return [];
  return words.length === 1 ? [...owners, ...names] : words.length === 2 ? names : [];
}

/** `corp:` for each registry of the project that has to be named. */
function registryPrefixes({ registries }: Pick<Lock, 'registries'>): string[] {
  const names = Object.keys(registries).filter((name) => name !== DEFAULT_REGISTRY_NAME);
  return names.map((name) => `${name}:`);
}
