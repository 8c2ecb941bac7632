/**
 * Removes what leaving builds added to the project's own files: an entry is removed if no other build
 * has it and it is unchanged. Pure. The lock is untrusted, so an entry is removed only if the file has it
 * exactly as the lock records it.
 */
import { readRequirements } from '../../format/project/requirement.ts';
import { uninstallFromEnvExample } from '../edit/env-removal.ts';
import { uninstallFromPackageJson } from '../edit/json/package-json.ts';
import { isAsAdded } from '../edit/python/pip-dependencies.ts';
import { decodeProjectFile, quote, splitBom } from '../edit/project-file.ts';
import { uninstallFromPyproject } from '../edit/python/pyproject-removal.ts';
import { locateAdded, readRoot } from '../edit/python/pyproject-tables.ts';
import { uninstallFromRequirements } from '../edit/python/requirements.ts';
import {
  DEV_REQUIREMENTS,
  ENV_EXAMPLE,
  NEW_PACKAGE_JSON,
  PACKAGE_JSON,
  PYPROJECT,
  REQUIREMENTS,
} from '../edit/edited-files.ts';
import { createdEntriesOf, staleEntries } from './created-entries.ts';
import type { LockedEdits } from './previous-edits.ts';
import { splitNpm, splitPip, splitScripts, splitVariables } from './shared-edits.ts';
import type { Warning } from './plan.ts';

export interface UninstallInput {
  /** Locked builds that are removed, or whose old version is replaced. */
  readonly leaving: ReadonlyMap<string, LockedEdits>;
  /** Builds that are installed afterwards, with their new lock entries. */
  readonly staying: ReadonlyMap<string, LockedEdits>;
  /** Created entries of the lock. */
  readonly created: ReadonlySet<string>;
  /** Content of the project's files that builds may edit. */
  readonly project: ReadonlyMap<string, Uint8Array>;
}

export interface UninstallEdits {
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
