/**
 * Removes what leaving builds added to the project's own files: an entry is removed if no other build
 * has it and it is unchanged. Pure. The lock is untrusted, so an entry is removed only if the file has it
 * exactly as the lock records it.
 */
import { readRequirements } from '../../format/project/requirement.ts';
import { normalizePipName } from '../../format/version/pep440.ts';
import { type AddedVariable, uninstallFromEnvExample } from '../edit/env-example-removal.ts';
import { readVariables } from '../edit/env-example.ts';
import { hasEntry, uninstallFromPackageJson } from '../edit/json/package-json.ts';
import { findRun, splitFileLines } from '../edit/file-lines.ts';
import {
  DEV_REQUIREMENTS,
  ENV_EXAMPLE,
  NEW_PACKAGE_JSON,
  PACKAGE_JSON,
  PYPROJECT,
  REQUIREMENTS,
} from '../edit/edited-files.ts';
import { decodeProjectFile, quote, splitBom } from '../edit/project-file.ts';
import { extrasOfAll, isAsAdded } from '../edit/python/pip-dependencies.ts';
import { locateAdded, readRoot } from '../edit/python/pyproject-tables.ts';
import { type AddedToPyproject, uninstallFromPyproject } from '../edit/python/pyproject.ts';
import { uninstallFromRequirements } from '../edit/python/requirements.ts';
import { createdEntriesOf, staleEntries } from './created-entries.ts';
import { devOf } from './lock.ts';
import type { Warning } from './plan.ts';
import { addedOf, addedPip, type LockedEdits } from './previous-edits.ts';

type AddedEntry = Parameters<typeof hasEntry>[1];

interface UninstallInput {
  /** Locked builds that are removed, or whose old version is replaced. */
  readonly leaving: ReadonlyMap<string, LockedEdits>;
  /** Builds that are installed afterwards, with their new lock entries. */
  readonly staying: ReadonlyMap<string, LockedEdits>;
  /** Created entries of the lock. */
  readonly created: ReadonlySet<string>;
  /** Content of the project's files that builds may edit. */
  readonly project: ReadonlyMap<string, Uint8Array>;
}

interface UninstallEdits {
  /** New text of every file that changes; `undefined` deletes the file. */
  readonly files: ReadonlyMap<string, string | undefined>;
  /** Warnings about entries that were changed since they were added, and are kept. */
  readonly kept: readonly Warning[];
  /** Created entries of the lock that no build needs any more. */
  readonly stale: readonly string[];
  /** Builds of `staying` whose lock entries change, because a shared entry is now assigned to them. */
  readonly relocked: ReadonlyMap<string, LockedEdits>;
}

/** @throws {ClientError} `ERR_PROJECT_FILE` for a file that cannot be parsed */
export function planUninstallEdits({
  leaving,
  staying,
  created,
  project,
}: UninstallInput): UninstallEdits {
  const files = new Map<string, string | undefined>();
  const kept: Warning[] = [];
  const relocked = new Map(staying);
  const edit = (
    path: string,
    take: (text: string) => { text: string; changed: string[] },
  ): void => {
    const bytes = project.get(path);
    if (bytes === undefined) return;
    const before = decodeProjectFile(bytes, path);
    const { text, changed } = take(before);
    kept.push(...changed.map((name) => keptWarning(path, name)));
    const empty = path === PACKAGE_JSON ? NEW_PACKAGE_JSON : '';
    const isGone = created.has(path) && text.replace('\u{FEFF}', '') === empty;
    if (text !== before) files.set(path, isGone ? undefined : text);
  };
  edit(PACKAGE_JSON, (text) => {
    const marks = createdEntriesOf(created, PACKAGE_JSON);
    const entries = [
      ...splitNpm(text, leaving, relocked),
      ...splitScripts(text, leaving, relocked),
    ];
    const taken = uninstallFromPackageJson(text, entries, marks);
    return { text: taken.text, changed: taken.changed.map(({ key }) => key) };
  });
  edit(PYPROJECT, (text) => {
    const root = readRoot(splitBom(text).body);
    const entries = splitPip(PYPROJECT, leaving, relocked, (entry) => {
      return locateAdded(root, entry.table, entry) !== undefined;
    });
    const taken = uninstallFromPyproject(text, entries, createdEntriesOf(created, PYPROJECT));
    return { text: taken.text, changed: taken.changed.map(({ key }) => key) };
  });
  for (const file of [REQUIREMENTS, DEV_REQUIREMENTS]) {
    edit(file, (text) => {
      const found = readRequirements(text);
      const entries = splitPip(file, leaving, relocked, (entry) => {
        const theirs = found.get(entry.key);
        return theirs !== undefined && isAsAdded(theirs, entry);
      });
      const taken = uninstallFromRequirements(text, entries);
      return { text: taken.text, changed: [...taken.changed] };
    });
  }
  edit(ENV_EXAMPLE, (text) => {
    const { gone, unknown } = splitVariables(text, leaving, relocked);
    const names = [...relocked.values()].flatMap(({ env }) => Object.keys(env));
    const taken = uninstallFromEnvExample(text, gone, new Set(names));
    return { text: taken.text, changed: [...taken.changed, ...unknown] };
  });
  const changed = [...relocked].filter(([id, build]) => build !== staying.get(id));
  return {
    files,
    kept,
    stale: staleEntries(created, [...relocked.values()]),
    relocked: new Map(changed),
  };
}

function keptWarning(path: string, name: string): Warning {
  const message = `${quote(name)} was changed since a build added it: it was kept`;
  return { code: 'edit-kept', message, path };
}

/**
 * Splits the entries of leaving builds into those that no staying build has, and shared ones. A shared
 * entry stays unchanged and is assigned to the staying builds that have it.
 */
type Leaving = ReadonlyMap<string, LockedEdits>;
/** Staying builds, by id; entries that are assigned to them are put in here. */
type Staying = Map<string, LockedEdits>;

function splitNpm(text: string, leaving: Leaving, staying: Staying): AddedEntry[] {
  const gone: AddedEntry[] = [];
  for (const [name, { table, range }] of addedOf(leaving, ({ npm }) => npm)) {
    const entry = { table, key: name, value: range };
    const sharers = [...staying].filter(([, { npm }]) => own(npm, name)?.table === table);
    if (sharers.length === 0) gone.push(entry);
    const isOwned = sharers.some(([, { npm }]) => own(npm, name)?.action === 'added');
    if (isOwned || !hasEntry(text, entry)) continue;
    for (const [id, build] of sharers) {
      const old = own(build.npm, name);
      if (old === undefined) continue;
      const wanted = old.wanted ?? old.range;
      const now = { table, range, action: 'added' as const, ...devOf(table, old.dev === true) };
      const npm = { ...build.npm, [name]: wanted === range ? now : { ...now, wanted } };
      relock(staying, id, { npm });
    }
  }
  return unique(gone);
}

function splitScripts(text: string, leaving: Leaving, staying: Staying): AddedEntry[] {
  const gone: AddedEntry[] = [];
  for (const [name, { value }] of addedOf(leaving, ({ scripts }) => scripts)) {
    const entry = { table: 'scripts' as const, key: name, value };
    const sharers = [...staying].filter(([, { scripts }]) => Object.hasOwn(scripts, name));
    if (sharers.length === 0) gone.push(entry);
    const isOwned = sharers.some(([, { scripts }]) => own(scripts, name)?.action === 'added');
    if (isOwned || !hasEntry(text, entry)) continue;
    for (const [id, build] of sharers) {
      const scripts = { ...build.scripts, [name]: { value, action: 'added' as const } };
      relock(staying, id, { scripts });
    }
  }
  return unique(gone);
}

/** @param isInFile whether the file has the entry as it was added */
function splitPip(
  file: string,
  leaving: Leaving,
  staying: Staying,
  isInFile: (entry: AddedToPyproject) => boolean,
): AddedToPyproject[] {
  const gone: AddedToPyproject[] = [];
  for (const entry of addedPip(leaving, file)) {
    const sharers = [...staying].flatMap(([id, build]) =>
      Object.entries(build.pip)
        .filter(([name, other]) => {
          const isSame = normalizePipName(name) === entry.key;
          return isSame && other.file === file && other.table === entry.table;
        })
        .map(([name, other]) => ({ id, name, other })),
    );
    if (sharers.length === 0) gone.push(entry);
    const owners = sharers.filter(({ other }) => other.action === 'added').map(({ name }) => name);
    const extras = extrasOfAll([`x[${entry.extras.join(',')}]`, ...owners]);
    if (!isInFile({ ...entry, extras })) continue;
    for (const { id, name, other } of sharers) {
      if (owners.length > 0 && other.action === 'kept') continue;
      const { [name]: _, ...rest } = staying.get(id)?.pip ?? {};
      const { specifier, table } = entry;
      const wanted = other.wanted ?? other.specifier;
      const isDev = other.dev === true;
      const now = { file, table, specifier, action: 'added' as const, ...devOf(table, isDev) };
      // The name includes the extras of the line, so that the line is found again.
      const bare = name.replace(/\[.*$/, '');
      const full = extras.length === 0 ? bare : `${bare}[${extras.join(',')}]`;
      const pip = { ...rest, [full]: wanted === specifier ? now : { ...now, wanted } };
      relock(staying, id, { pip });
    }
  }
  return gone;
}

/** `unknown`: variables of a lock that does not record the added lines. */
function splitVariables(
  text: string,
  leaving: Leaving,
  staying: Staying,
): { readonly gone: AddedVariable[]; readonly unknown: string[] } {
  const gone: AddedVariable[] = [];
  const unknown: string[] = [];
  const { body } = splitBom(text);
  const present = readVariables(body);
  const lines = splitFileLines(body);
  for (const [name, { text: added }] of addedOf(leaving, ({ env }) => env)) {
    const sharers = [...staying].filter(([, { env }]) => Object.hasOwn(env, name));
    if (sharers.length === 0 && added !== undefined) gone.push({ name, text: added });
    if (sharers.length === 0 && added === undefined && present.has(name)) unknown.push(name);
    const isOwned = sharers.some(([, { env }]) => own(env, name)?.action === 'added');
    if (isOwned || added === undefined || findRun(lines, added.split('\n')) < 0) continue;
    // One owner is enough: an update of that build needs no search for the others.
    for (const [id, build] of sharers.slice(0, 1)) {
      const env = { ...build.env, [name]: { text: added, action: 'added' as const } };
      relock(staying, id, { env });
    }
  }
  const byText = new Map(
    gone.map((variable) => [JSON.stringify(Object.values(variable)), variable]),
  );
  return { gone: [...byText.values()], unknown };
}

function own<Entry>(entries: Readonly<Record<string, Entry>>, name: string): Entry | undefined {
  return Object.hasOwn(entries, name) ? entries[name] : undefined;
}

function relock(staying: Staying, id: string, edits: Partial<LockedEdits>): void {
  const build = staying.get(id);
  if (build !== undefined) staying.set(id, { ...build, ...edits });
}

/** Each entry once, also when several builds added it. */
function unique(entries: readonly AddedEntry[]): AddedEntry[] {
  const byText = entries.map((entry) => [JSON.stringify(Object.values(entry)), entry] as const);
  return [...new Map(byText).values()];
}
