/** The capabilities of a build: what its code reads, writes, starts and connects to, one sorted list for each. */
import { INTEGRATION_FILE } from '../format/build/build-files.ts';
import type { CapabilityLists } from '../format/index/capabilities.ts';
import type { ScannedBuild } from './scanned-file.ts';
import type { Fact } from './taint/api.ts';
import { UNKNOWN } from './taint/value.ts';
import { addressesOf, commandsOf, variablesOf } from './evidence/fact-evidence.ts';
import { deriveLanguageNeeds } from './text/language-needs.ts';
import { isTestOrExamplePath } from './text/file-kind.ts';
import { hostsIn, suspicionOf } from './taint/address.ts';
import { contactsOf } from './evidence/command-requests.ts';

const UNPRINTABLE = /\p{C}/gu;

/** Replaces a part that is not constant. */
const ANY = '*';
/** The limit of entries in one list. */
const MAX_ENTRIES = 200;
/** The limit of characters in one entry. */
const MAX_LENGTH = 120;

/** Those of code that was not read. */
export const NO_CAPABILITIES: CapabilityLists = {
  hosts: [],
  environment: [],
  reads: [],
  writes: [],
  processes: [],
  dynamic_code: false,
  unread: [],
};

/**
 * The capabilities of the code that users run, with the files that could not be analysed.
 * @param blocks the wired blocks of its guide, opened as files: code of the application that uses the build
 */
export function deriveCapabilities(build: ScannedBuild, blocks?: ScannedBuild): CapabilityLists {
  const inUse = (factsOf: (one: ScannedBuild) => readonly Fact[]): Fact[] => [
    ...factsOf(build).filter((f) => !isTestOrExamplePath(f.path)),
    ...(blocks === undefined ? [] : factsOf(blocks)),
  ];
  const facts = inUse(({ taint }) => taint.facts);
  const of = (actions: readonly Fact['action'][]): Fact[] =>
    facts.filter((f) => actions.includes(f.action));
  const isUnread = blocks !== undefined && unreadFiles(blocks).length > 0;
  const unread = [...unreadFiles(build), ...(isUnread ? [INTEGRATION_FILE] : [])];
  return {
    hosts: listed(inUse(contactsOf).flatMap(contactedBy)),
    environment: listed(of(['variable']).flatMap(variablesOf)),
    reads: listed(of(['read']).flatMap((f) => pathsIn(f.operand.texts))),
    writes: listed(of(['write', 'delete', 'chmod']).flatMap((f) => pathsIn(f.operand.texts))),
    processes: listed(of(['spawn']).flatMap(programsIn)),
    dynamic_code: of(['execute']).some(
      (f) => !f.api.startsWith('set') || f.operand.texts.length > 0,
    ),
    unread: listed(unread),
    // The client writes blocks in the module system of the project.
    language: deriveLanguageNeeds(build),
  };
}

/** Paths of the files whose code was not read, or not completely. */
export function unreadFiles({ files, taint }: ScannedBuild): string[] {
  const unread = files
    .filter(({ syntax }) => 'reason' in syntax || ('gap' in syntax && syntax.gap !== undefined))
    .map(({ path }) => path);
  return [...new Set([...unread, ...taint.unread])].sort();
}

/** The hosts; an address that cannot be read as it is written, which is not any address. */
function contactedBy(fact: Fact): string[] {
  // `request.write` sends to the address of the request, which has a fact of its own.
  const hosts = addressesOf(fact).flatMap((address) => {
    const known = hostsIn(address);
    if (known.length > 0 && !address.startsWith(UNKNOWN)) return known;
    return [...known, suspicionOf(address) === 'unread' ? address : ANY];
  });
  return hosts.length === 0 ? [ANY] : hosts;
}

/** The paths up to their first unknown part. */
function pathsIn(paths: readonly string[]): string[] {
  if (paths.length === 0) return [ANY];
  return paths.map((path) => {
    const [known = ''] = path.split(UNKNOWN);
    if (known === path) return path;
    return known === '' ? ANY : `${known}${ANY}`;
  });
}

function programsIn(fact: Fact): string[] {
  const commands = commandsOf(fact);
  if (commands.length === 0) return [ANY];
  return commands.map((command) => {
    const first = /^\s*(?:\w+=\S*\s+)*["']?([^\s"']+)/.exec(command)?.[1] ?? ANY;
    return first.includes(UNKNOWN) ? ANY : (first.split(/[\\/]/).at(-1) ?? ANY);
  });
}

function listed(names: readonly string[]): string[] {
  const clean = names
    .map((name) => (name.length > MAX_LENGTH ? `${name.slice(0, MAX_LENGTH - 1)}${ANY}` : name))
    .map((name) => name.replaceAll(UNPRINTABLE, ' ').trim())
    .filter((name) => name !== '');
  const sorted = [...new Set(clean)].sort();
  // A longer list is cut and means any value.
  return sorted.length > MAX_ENTRIES ? [...sorted.slice(0, MAX_ENTRIES), ANY].sort() : sorted;
}
