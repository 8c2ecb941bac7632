/** The candidates for the last word of a command line, from the program's commands and the project's lock. */
import { findEntry, type Field, type Program } from '../../format/command/command.ts';
import { longFlag } from '../../format/command/help.ts';
import { fieldsOf } from '../../format/command/parse.ts';
import type { Lock } from '../../format/project/lock.ts';
import { SCHEMA_NAMES } from '../../format/index/layout.ts';
import { DEFAULT_REGISTRY_NAME } from '../../format/registry/registry-name.ts';

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
    return [
      ...(field.choices ?? []),
      ...listsOf(field, program, () => tryReadLock(before, readLock)),
    ];
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
function listsOf(
  { suggests = [] }: Field,
  { commands }: Program,
  installed: () => Lock | undefined,
): string[] {
  return suggests.flatMap((word) => {
    if (word === '@schemas') return [...SCHEMA_NAMES, ...commands.map(({ name }) => name), 'list'];
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
