/**
 * Splits the entries of leaving builds into those that no staying build has, and shared ones. A shared
 * entry stays unchanged and is assigned to the staying builds that have it.
 */
import { normalizePipName } from '../../format/version/pep440.ts';
import { readVariables } from '../edit/env-example.ts';
import type { AddedVariable } from '../edit/env-removal.ts';
import { findRun, splitFileLines } from '../edit/file-lines.ts';
import type { AddedEntry } from '../edit/json/package-json.ts';
import { hasEntry } from '../edit/json/package-json.ts';
import { extrasOfAll } from '../edit/python/pip-dependencies.ts';
import { splitBom } from '../edit/project-file.ts';
import type { AddedToPyproject } from '../edit/python/pyproject-removal.ts';
import { devOf } from './lock.ts';
import type { LockedEdits } from './previous-edits.ts';
import { addedOf, addedPip } from './previous-edits.ts';

type Leaving = ReadonlyMap<string, LockedEdits>;
/** Staying builds, by id; entries that are assigned to them are put in here. */
type Staying = Map<string, LockedEdits>;

export function splitNpm(text: string, leaving: Leaving, staying: Staying): AddedEntry[] {
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

export function splitScripts(text: string, leaving: Leaving, staying: Staying): AddedEntry[] {
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
export function splitPip(
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
export function splitVariables(
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
