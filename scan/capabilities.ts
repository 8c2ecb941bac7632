/** The capabilities of a build: what its code reads, writes, starts and connects to, one sorted list for each. */
import { sha256Hex } from '../format/archive/integrity.ts';
import { INTEGRATION_FILE } from '../format/build/build-files.ts';
import type { CapabilityLists } from '../format/index/capabilities.ts';
import type { ScannedBuild } from './scanned-file.ts';
import type { Fact } from './taint/api.ts';
import { UNKNOWN } from './taint/value.ts';
import { addressesOf, commandsOf, variablesOf } from './evidence/fact-evidence.ts';
import { deriveLanguageNeeds } from './text/language-needs.ts';
import { isTestOrExamplePath, isTestPath } from './text/file-kind.ts';
import { isIdleFile } from './text/idle-file.ts';
import { contactsOf } from './evidence/command-requests.ts';
import { hostsIn, suspicionOf } from './taint/address.ts';
import { ENVIRONMENT } from './taint/label.ts';

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
  const all = [...build.taint.facts, ...contactsOf(build)];
  const aside = new Set(build.files.flatMap(({ path }) => (isAside(build, path) ? [path] : [])));
  const facts = all.filter(({ path }) => !aside.has(path));
  if (blocks !== undefined) facts.push(...blocks.taint.facts, ...contactsOf(blocks));
  const of = (actions: readonly Fact['action'][]): Fact[] =>
    facts.filter((f) => actions.includes(f.action));
  const isWhole = of(['send', 'resolve', 'write', 'feed']).some(
    ({ content, operand }) => ((content.labels | operand.labels) & ENVIRONMENT) !== 0,
  );
  return {
    hosts: listed(of(['send', 'resolve']).flatMap(contactedBy)),
    environment: listed([
      ...(isWhole ? [ANY] : []),
      ...of(['variable']).flatMap((f) => orAny(variablesOf(f))),
    ]),
    reads: listed(of(['read']).flatMap(pathsIn)),
    writes: listed(of(['write', 'delete', 'chmod']).flatMap(pathsIn)),
    processes: listed(of(['spawn']).flatMap(programsIn)),
    dynamic_code: of(['execute', 'inject']).some(
      (f) => !f.api.startsWith('set') || f.operand.texts.length > 0,
    ),
    unread: listed(unreadPaths(build, blocks)),
    // The client writes blocks in the module system of the project.
    language: deriveLanguageNeeds(build),
  };
}

/** What tests and examples do is no capability, unless other code names their files. */
function isAside(build: ScannedBuild, path: string): boolean {
  if (!isTestOrExamplePath(path)) return false;
  return path.endsWith('conftest.py') || !isTestPath(path) || isIdleFile(build, path);
}

/** Code of languages that no check reads. */
const OTHER_CODE =
  /\.(?:php|rb|go|rs|java|kts?|scala|clj|cs|fs|c|cc|cpp|h|hpp|swift|mm?|dart|lua|p[lm]|r|jl|exs?|erl|hs|nim|zig|cr|vue|svelte|astro)$/i;

/**
 * Paths of the files whose code was not read, or not completely.
 * @param isInPlace the code is put into other code: a syntax error of its own proves nothing
 */
export function unreadFiles({ files, taint }: ScannedBuild, isInPlace = false): string[] {
  const unread = files
    .filter(({ path, syntax }) => {
      if (syntax.language === 'none') return OTHER_CODE.test(path);
      if (syntax.language === 'unread' || syntax.gap !== undefined) return true;
      return isInPlace && syntax.problemAt !== undefined;
    })
    .map(({ path }) => path);
  return [...new Set([...unread, ...taint.unread])].sort();
}

/** Those of a build; its guide stands for wired blocks. */
export function unreadPaths(build: ScannedBuild, blocks?: ScannedBuild): string[] {
  const isUnread = blocks !== undefined && unreadFiles(blocks, true).length > 0;
  return [...unreadFiles(build), ...(isUnread ? [INTEGRATION_FILE] : [])];
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
function pathsIn({ operand }: Fact): readonly string[] {
  const paths = operand.texts.map((path) => {
    const [known = ''] = path.split(UNKNOWN);
    if (known === path) return path;
    return known === '' ? ANY : `${known}${ANY}`;
  });
  return orAny(paths);
}

function programsIn(fact: Fact): readonly string[] {
  const programs = commandsOf(fact).map((command) => {
    const first = /^\s*(?:\w+=\S*\s+)*["']?([^\s"']+)/.exec(command)?.[1] ?? ANY;
    return first.includes(UNKNOWN) ? ANY : (first.split(/[\\/]/).at(-1) ?? ANY);
  });
  return orAny(programs);
}

function orAny(names: readonly string[]): readonly string[] {
  return names.length === 0 ? [ANY] : names;
}

function listed(names: readonly string[]): string[] {
  // Of a long name its end counts: the domain of a host.
  const clean = names
    .map((name) => name.replaceAll(UNPRINTABLE, ' ').trim().slice(-MAX_LENGTH).toWellFormed())
    .filter((name) => name !== '');
  const sorted = [...new Set(clean)].sort();
  const rest = sorted.splice(MAX_ENTRIES);
  // A longer list is cut and means any value; a digest shows that what is cut off has changed.
  return rest.length === 0 ? sorted : [...sorted, ANY, sha256Hex(Buffer.from(rest.join()))].sort();
}
