/**
 * Edits of earlier installs, in the form that the editors of the single files need. Read from the lock,
 * which is untrusted: an entry that no build could have added is left out.
 */
import type { LockedBuild } from '../../format/project/lock.ts';
import { isPipSpecifier, normalizePipName, PIP_NAME_PATTERN } from '../../format/version/pep440.ts';
import { isRange } from '../../format/version/semver-range.ts';
import { tryIntersect } from '../edit/json/kept-package.ts';
import type { EarlierNpmEntries } from '../edit/json/npm-requirement.ts';
import type { EarlierScripts } from '../edit/json/package-scripts.ts';
import { type EarlierPip, extrasOfAll } from '../edit/python/pip-dependencies.ts';
import { excludes } from '../edit/python/pip-requirement.ts';
import type { AddedToPyproject } from '../edit/python/pyproject.ts';
import type { Change, ManualStep, ProjectState, Warning } from './plan.ts';
import type { NpmEntry, PipEntry, ScriptEntry, VariableEntry } from './planned-entries.ts';

/** The part of a locked build that concerns the project's own files. */
export type LockedEdits = Pick<LockedBuild, 'npm' | 'pip' | 'scripts' | 'env'>;

export interface Earlier {
  /** The previous versions of builds that are updated or removed, by id. */
  readonly previous: ReadonlyMap<string, LockedEdits>;
  /** The other installed builds, by id. */
  readonly others: ReadonlyMap<string, LockedEdits>;
  /** Created entries, see `formatCreatedEntry`. */
  readonly created: ReadonlySet<string>;
}

export function earlierNpm({ previous, others }: Earlier): EarlierNpmEntries {
  const requirements = [...others].flatMap(([build, { npm }]) =>
    Object.entries(npm).map(([name, { table, range, wanted = range, dev }]) => ({
      name,
      range: wanted,
      table: dev === true ? 'devDependencies' : table,
      build,
    })),
  );
  const developed = addedOf(others, ({ npm }) => npm).filter(([, entry]) => {
    return entry.table === 'devDependencies';
  });
  return {
    own: new Map(addedOf(previous, ({ npm }) => npm)),
    decided: new Map(decidedNpm(previous)),
    developed: new Map(developed),
    others: Map.groupBy(
      requirements.filter(({ range }) => isRange(range)),
      ({ name }) => name,
    ),
  };
}

export function earlierScripts({ previous, others }: Earlier): EarlierScripts {
  const own = addedOf(previous, ({ scripts }) => scripts);
  const shared = [...others].flatMap(([build, { scripts }]) =>
    Object.keys(scripts).map((name) => [name, build] as const),
  );
  return { own: new Map(own.map(([name, { value }]) => [name, value])), others: new Map(shared) };
}

/** @param file the project file to edit */
export function earlierPip({ previous, others }: Earlier, file: string): EarlierPip {
  const requirements = [...others].flatMap(([build, { pip }]) =>
    Object.entries(pip)
      .filter(([, entry]) => entry.file === file)
      .map(([name, { table, specifier, wanted = specifier, dev }]) => {
        return { name, specifier: wanted, table: dev === true ? 'devDependencies' : table, build };
      }),
  );
  const own = addedPip(previous, file).map((added) => [added.key, added] as const);
  return {
    own: new Map(own),
    decided: new Map(decidedPip(previous, file)),
    others: Map.groupBy(
      requirements.filter(({ name, specifier }) => {
        return PIP_NAME_PATTERN.test(name) && isPipSpecifier(specifier);
      }),
      ({ name }) => normalizePipName(name),
    ),
  };
}

/** The ranges that previous versions accepted although they do not meet theirs. */
function decidedNpm(previous: Earlier['previous']): [string, string][] {
  return [...previous.values()].flatMap(({ npm }) =>
    Object.entries(npm).flatMap(([name, { action, range, wanted }]): [string, string][] => {
      if (action !== 'kept' || wanted === undefined) return [];
      return tryIntersect(range, wanted) === false ? [[name, range]] : [];
    }),
  );
}

function decidedPip(previous: Earlier['previous'], file: string): [string, string][] {
  return [...previous.values()].flatMap(({ pip }) =>
    Object.entries(pip).flatMap(([name, entry]): [string, string][] => {
      const { action, specifier, wanted } = entry;
      if (action !== 'kept' || wanted === undefined || entry.file !== file) return [];
      return excludes(specifier, wanted) ? [[normalizePipName(name), specifier]] : [];
    }),
  );
}

/** The requirements that `builds` added to `file`; one for a requirement that several builds share. */
export function addedPip(
  builds: ReadonlyMap<string, LockedEdits>,
  file: string,
): AddedToPyproject[] {
  const added = addedOf(builds, ({ pip }) => pip).filter(([, entry]) => entry.file === file);
  const groups = Map.groupBy(
    added,
    ([name, { table, specifier }]) => `${normalizePipName(name)}\n${table}\n${specifier}`,
  );
  return Array.from(groups.values(), (group) => {
    const [name, { specifier, table }] = group[0]!;
    const extras = extrasOfAll(group.map(([shared]) => shared));
    return { key: normalizePipName(name), specifier, table, extras };
  });
}

/** The lines that the previous version of `build` added for its variables, by name. */
export function earlierVariables({ previous }: Earlier, build: string): Map<string, string> {
  const entries = Object.entries(previous.get(build)?.env ?? {});
  return new Map(
    entries.flatMap(([name, { action, text }]) =>
      action === 'added' && text !== undefined ? [[name, text] as const] : [],
    ),
  );
}

/** The entries that `builds` added, by name. */
export function addedOf<Entry extends { readonly action: 'added' | 'kept' }>(
  builds: ReadonlyMap<string, LockedEdits>,
  entriesOf: (build: LockedEdits) => Readonly<Record<string, Entry>>,
): [string, Entry][] {
  return [...builds.values()].flatMap((build) =>
    Object.entries(entriesOf(build)).filter(([, { action }]) => action === 'added'),
  );
}

/** What the edits depend on. */
export interface EditInput
  extends
    Pick<Change, 'builds' | 'leaving' | 'lock'>,
    Pick<ProjectState, 'project' | 'links' | 'byHand' | 'scriptFacts'> {
  /** Packages whose range in the project the user decided to keep. */
  readonly keep: ReadonlySet<string>;
}

export interface PlannedEdits {
  /** New text of every file that changes, by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly npm: readonly NpmEntry[];
  readonly pip: readonly PipEntry[];
  readonly scripts: readonly ScriptEntry[];
  readonly env: readonly VariableEntry[];
  readonly warnings: readonly Warning[];
  /** Commands for the user, instead of edits. */
  readonly byHand: readonly ManualStep[];
  /** Files that become empty when builds are updated or removed, and are deleted. */
  readonly deletes: readonly string[];
  /** New created entries, in the form of the lock's field `made`. */
  readonly created: readonly string[];
  /** Created entries of the lock that no build needs any more. */
  readonly stale: readonly string[];
  /** New lock entries of other installed builds that share a changed entry. */
  readonly relocked: ReadonlyMap<string, LockedEdits>;
}

/** The result that the planners of the single files build up together. */
export interface EditState {
  readonly files: Map<string, string>;
  readonly warnings: Warning[];
  readonly created: string[];
  readonly relocked: Map<string, LockedEdits>;
  readonly earlier: Earlier;
  readonly byHand: ManualStep[];
  /** Packages that are kept by decision. */
  readonly decided: Set<string>;
}
