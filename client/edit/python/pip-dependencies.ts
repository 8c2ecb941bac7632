/**
 * Decides which Python distributions a project gets for builds, for every kind of file. Specifiers are
 * compared carefully: only a pinned version that the other side excludes is refused. An entry that a
 * previous version of a build added is replaced if it is unchanged.
 */
import {
  PIP_NAME_PATTERN,
  isPipSpecifier,
  normalizePipName,
} from '../../../format/version/pep440.ts';
import { ClientError } from '../../errors.ts';
import { quote, type EditWarning } from '../project-file.ts';
import { compareText } from '../../../format/compare-text.ts';
import { splitExtras, type FoundPip } from '../../../format/project/requirement.ts';
import {
  excludes,
  pinnedVersion,
  findClashes,
  givenWay,
  isForDevelopment,
  withoutGivenWay,
  type PipRequirement,
  type TablePipRequirement,
} from './pip-requirement.ts';

/** The entry in the file for the distribution of one build; `specifier` is that of the file, `*` for none. */
export interface PipOutcome {
  readonly name: string;
  readonly specifier: string;
  readonly action: 'added' | 'kept';
  readonly build: string;
  /** The specifier that the build requires. */
  readonly wanted: string;
  /** The previous version added it, and it stays the same. */
  readonly unchanged?: true;
  /** The build needs it for development only. */
  readonly dev?: true;
}

/** A requirement that the lock records as added. */
export interface AddedPip {
  /** Normalised name. */
  readonly key: string;
  readonly specifier: string;
  /** Sorted, lower case. */
  readonly extras: readonly string[];
}

/** Requirements of earlier installs, by normalised name. */
export interface EarlierPip {
  /** Added by the versions that are replaced now. */
  readonly own: ReadonlyMap<string, AddedPip>;
  /** Specifiers of the project that exclude those of these versions, and that the user decided to keep. */
  readonly decided?: ReadonlyMap<string, string>;
  /** Required by other installed builds. */
  readonly others: ReadonlyMap<string, readonly TablePipRequirement[]>;
}

const NOTHING_EARLIER: EarlierPip = { own: new Map(), others: new Map() };

interface PipAddition {
  readonly name: string;
  readonly specifier: string;
  /** The entry of the previous version that is replaced. */
  readonly instead?: AddedPip;
}

interface PipPlan {
  readonly additions: readonly PipAddition[];
  readonly outcomes: readonly PipOutcome[];
  readonly warnings: readonly EditWarning[];
  /** Normalised names of what was kept by decision although the specifiers exclude each other. */
  readonly decided: readonly string[];
}

/**
 * The additions for `requirements` to `file`, which has `found` by normalised name.
 * @param keep normalised names of distributions whose specifier the user decided to keep
 * @throws {ClientError} `ERR_DEPENDENCY` with every build, its specifier and the one in the file
 */
export function planPip(
  file: string,
  found: ReadonlyMap<string, FoundPip>,
  requirements: readonly PipRequirement[],
  earlier: EarlierPip = NOTHING_EARLIER,
  keep: ReadonlySet<string> = new Set(),
): PipPlan {
  for (const requirement of requirements) refuseStrange(requirement);
  const problems: string[] = [];
  const additions: PipAddition[] = [];
  const outcomes: PipOutcome[] = [];
  const warnings: EditWarning[] = [];
  const decided: string[] = [];
  const undecided: string[] = [];
  for (const [key, group] of groupByName(requirements)) {
    const theirs = found.get(key);
    const own = earlier.own.get(key);
    const isOurs = own !== undefined && theirs !== undefined && isAsAdded(theirs, own);
    if (theirs === undefined || isOurs) {
      const all = isOurs ? [...group, ...(earlier.others.get(key) ?? [])] : group;
      problems.push(...findClashes(all));
      const used = withoutGivenWay(all);
      const addition = combine(used);
      warnings.push(
        ...all
          .filter((requirement) => !used.includes(requirement))
          .map((w) => givenWay(w, addition.specifier)),
      );
      additions.push(isOurs ? { ...addition, instead: own } : addition);
      for (const requirement of group) {
        const { specifier } = addition;
        outcomes.push({ ...outcomeOf(requirement), specifier, action: 'added' });
      }
      continue;
    }
    const isDecided = keep.has(key) || earlier.decided?.get(key) === theirs.specifier;
    const conflicts = findClashes(group);
    for (const requirement of group) {
      const message = compare(file, requirement, theirs, own);
      if (message?.isProblem === true) conflicts.push(message.text);
      if (message !== undefined && (message.isProblem !== true || isDecided)) {
        const code = message.isProblem ? 'pip-decided' : 'pip-specifier';
        warnings.push({ code, message: message.text });
      }
      outcomes.push({ ...outcomeOf(requirement), specifier: theirs.specifier, action: 'kept' });
    }
    if (conflicts.length === 0) continue;
    if (isDecided) {
      decided.push(key);
    } else {
      undecided.push(key);
      problems.push(...conflicts);
    }
  }
  if (problems.length > 0) {
    const option = undecided.length === 0 ? '' : `; --keep ${undecided.join(',')} keeps yours`;
    throw new ClientError('ERR_DEPENDENCY', `Cannot edit ${quote(file)}: ${problems.join('; ')}`, {
      hint: `change the specifier in ${file}, or choose other versions of the builds${option}`,
    });
  }
  return { additions, outcomes, warnings, decided };
}

/** Marks the outcomes whose normalised names are in `keys` as unchanged. */
export function markUnchanged<Outcome extends PipOutcome>(
  outcomes: readonly Outcome[],
  keys: ReadonlySet<string>,
): Outcome[] {
  return outcomes.map((outcome) =>
    outcome.action === 'added' && keys.has(normalizePipName(outcome.name))
      ? { ...outcome, unchanged: true }
      : outcome,
  );
}

/** `name` with its specifier, as in PEP 508 and in requirements files. */
export function formatRequirement({ name, specifier }: PipAddition): string {
  return specifier === '*' ? name : `${name}${specifier}`;
}

/** Whether the requirement in a file is unchanged since it was added. */
export function isAsAdded(found: FoundPip, { specifier, extras }: AddedPip): boolean {
  return (
    !found.isSpecial && found.specifier === specifier && found.extras.join(',') === extras.join(',')
  );
}

/** The extras of `uvicorn[standard]`, lower case and sorted. */
export function extrasOf(name: string): string[] {
  return splitExtras(/\[(.*)\]$/.exec(name)?.[1] ?? '');
}

/** The extras of all `names` together. */
export function extrasOfAll(names: readonly string[]): string[] {
  return splitExtras(names.flatMap(extrasOf).join(','));
}

function refuseStrange(requirement: PipRequirement): void {
  if (PIP_NAME_PATTERN.test(requirement.name) && isPipSpecifier(requirement.specifier)) return;
  throw new ClientError(
    'ERR_DEPENDENCY',
    `Cannot add Python distribution ${quote(requirement.name)} with ${quote(requirement.specifier)} for ${quote(requirement.build)}`,
    { hint: 'a build may ask for distribution names with PEP 440 specifiers only' },
  );
}

/** Distributions by name; within each, the requirements in order of build. */
function groupByName(requirements: readonly PipRequirement[]): Map<string, PipRequirement[]> {
  const sorted = requirements.toSorted(
    (a, b) =>
      compareText(normalizePipName(a.name), normalizePipName(b.name)) ||
      compareText(a.build, b.build) ||
      compareText(a.name, b.name) ||
      compareText(a.specifier, b.specifier),
  );
  return Map.groupBy(sorted, (requirement) => normalizePipName(requirement.name));
}

function outcomeOf(
  requirement: PipRequirement,
): Pick<PipOutcome, 'name' | 'build' | 'wanted' | 'dev'> {
  const { name, build, specifier: wanted } = requirement;
  return isForDevelopment(requirement)
    ? { name, build, wanted, dev: true }
    : { name, build, wanted };
}

/** One requirement for all: the union of the extras, and all specifiers together. */
function combine(group: readonly PipRequirement[]): PipAddition {
  const bare = (group[0]?.name ?? '').replace(/\[.*$/, '');
  const extras = extrasOfAll(group.map((requirement) => requirement.name));
  const clauses = new Set(
    group
      .filter((requirement) => requirement.specifier !== '*')
      .map((requirement) => requirement.specifier.trim()),
  );
  return {
    name: extras.length === 0 ? bare : `${bare}[${extras.join(',')}]`,
    specifier: clauses.size === 0 ? '*' : Array.from(clauses).join(','),
  };
}

/** The message about keeping `found`; `undefined` when it satisfies the build. */
function compare(
  file: string,
  requirement: PipRequirement,
  found: FoundPip,
  own: AddedPip | undefined,
): { readonly isProblem: boolean; readonly text: string } | undefined {
  const wanted = `${quote(requirement.build)} wants ${quote(requirement.name)} ${quote(requirement.specifier)}`;
  const since = own === undefined ? '' : `, changed from ${quote(own.specifier)}`;
  const has = `${quote(file)} has ${quote(found.specifier)}${since}`;
  if (found.isSpecial) return { isProblem: false, text: `${wanted}; ${has}: it was kept` };
  if (excludes(found.specifier, requirement.specifier)) {
    return isForDevelopment(requirement)
      ? { isProblem: false, text: `${wanted} for development only; ${has}: it was kept` }
      : { isProblem: true, text: `${wanted}, but ${has}` };
  }
  const missing = extrasOf(requirement.name).filter((extra) => !found.extras.includes(extra));
  if (missing.length > 0) {
    const text = `${wanted}; ${quote(file)} has it without [${missing.join(',')}]: it was kept`;
    return { isProblem: false, text };
  }
  const isEnough =
    requirement.specifier === '*' ||
    withoutSpace(requirement.specifier) === withoutSpace(found.specifier) ||
    pinnedVersion(found.specifier) !== undefined;
  return isEnough ? undefined : { isProblem: false, text: `${wanted}; ${has}: it was kept` };
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/g, '');
}
