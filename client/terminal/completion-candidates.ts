/** The candidates for the last word of a command line, from the command table and the project's lock. */
import type { Command } from 'commander';
import { CONSENT_CLASSES } from '../../format/build/consent-classes.ts';
import type { Lock } from '../../format/lock/lock.ts';
import { SCHEMA_NAMES } from '../../format/index/layout.ts';
import type { HelpData } from './help-data.ts';
import { helpData } from './help-data.ts';
import { registryCandidates, registryPrefixes } from './registry-candidates.ts';

const ALLOWABLE = ['all', ...Object.keys(CONSENT_CLASSES)];

/** Commands whose arguments are ids of installed builds. */
const OF_INSTALLED = new Set(['remove', 'update', 'diff', 'info', 'view', 'outdated']);

/** Commands whose builds may name a registry. */
const NAMING = new Set(['add', 'fit', 'info', 'view']);

/** Reads the lock of the project in a folder; may throw. */
type ReadLock = (folder: string) => Lock | undefined;

/**
 * The candidates for the last of `words`, sorted.
 * @param words the command line after the program's name; the last word is unfinished and may be empty
 */
export function completionCandidates(
  words: readonly string[],
  table: Command,
  readLock: ReadLock,
): string[] {
  // Bash splits words at "=".
  const cleaned = words.filter((word, at) => word !== '=' || at === words.length - 1);
  const current = cleaned.at(-1) ?? '';
  const before = cleaned.slice(0, -1);
  const all = candidates(current === '=' ? '' : current, before, table, readLock);
  const prefix = current === '=' ? '' : current;
  return [...new Set(all)].filter((candidate) => candidate.startsWith(prefix)).sort();
}

function candidates(
  current: string,
  before: readonly string[],
  table: Command,
  readLock: ReadLock,
): readonly string[] {
  const name = before.find((word) => !word.startsWith('-'));
  const commands = table.commands.map((command) => command.name());
  const program = helpData(table);
  if (name === undefined) {
    return current.startsWith('-') ? optionNames(program) : [...commands, 'help'];
  }
  if (name === 'help') return commands;
  const command = table.commands.find((one) => one.name() === name);
  if (command === undefined) return [];
  const data = helpData(command);
  const option = valueOption(data, before.at(-1));
  if (option !== undefined) return option.long === '--allow' ? ALLOWABLE : option.choices;
  if (current.startsWith('-')) return optionNames(data);
  const words = argumentsIn(before, data);
  if (name === 'registry' && words.length > 0) {
    return registryCandidates(words, tryReadLock(before, readLock));
  }
  return ofArguments(name, data, commands, () => tryReadLock(before, readLock));
}

/** The option whose value is the next word. */
function valueOption(
  { options }: HelpData,
  last: string | undefined,
): HelpData['options'][number] | undefined {
  return options.find(
    ({ short, long, takes_value }) => takes_value && (last === long || last === short),
  );
}

/** The words after the command that are neither options nor their values. */
function argumentsIn(before: readonly string[], data: HelpData): string[] {
  const at = before.findIndex((word) => !word.startsWith('-'));
  return before.filter((word, index) => {
    const isValue = valueOption(data, before[index - 1]) !== undefined;
    return index > at && !word.startsWith('-') && !isValue;
  });
}

function optionNames({ options }: HelpData): string[] {
  return options.map(({ long }) => long);
}

function ofArguments(
  name: string,
  { arguments: known }: HelpData,
  commands: readonly string[],
  installed: () => Lock | undefined,
): readonly string[] {
  if (name === 'schema') return [...SCHEMA_NAMES, ...commands];
  const isNaming = NAMING.has(name);
  const lock = OF_INSTALLED.has(name) || name === 'why' || isNaming ? installed() : undefined;
  if (lock === undefined) return known.flatMap(({ choices }) => choices);
  if (name === 'why') return Object.values(lock.builds).flatMap(({ files }) => Object.keys(files));
  const ids = OF_INSTALLED.has(name) ? Object.keys(lock.builds) : [];
  return isNaming ? [...ids, ...registryPrefixes(lock)] : ids;
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
