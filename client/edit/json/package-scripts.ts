/**
 * Decides which scripts a package.json gets for builds: only new ones, and ones that a previous version
 * of the build added and nobody changed.
 */
import { ClientError } from '../../errors.ts';
import { type EditWarning, quote } from '../project-file.ts';
import { compareText } from '../../../format/compare-text.ts';

/** A script of a build, from a manifest: untrusted. */
export interface ScriptRequirement {
  readonly name: string;
  readonly value: string;
  readonly build: string;
}

/** The entry in package.json for the script of one build; `value` is the text in the file. */
export interface ScriptOutcome {
  readonly name: string;
  readonly value: string;
  readonly action: 'added' | 'kept';
  readonly build: string;
  /** The previous version added it, and it stays the same. */
  readonly unchanged?: true;
}

/** Scripts of earlier installs, by name. */
export interface EarlierScripts {
  /** Values that the replaced versions added. */
  readonly own: ReadonlyMap<string, string>;
  /** Another installed build that has the script. */
  readonly others: ReadonlyMap<string, string>;
}

interface ScriptPlan {
  /** New scripts, and new values of scripts that previous versions added. */
  readonly additions: readonly { name: string; value: string }[];
  readonly outcomes: readonly ScriptOutcome[];
  readonly warnings: readonly EditWarning[];
}

/** A name that shells and package managers do not take for an option or anything else. */
const SCRIPT_NAME = /^[A-Za-z0-9_.:@/][A-Za-z0-9_.:@/*+-]*$/;

/**
 * The additions for `requirements` to a file with `scripts`.
 * @throws {ClientError} `ERR_DEPENDENCY` for a name that is not a script name
 */
export function planScripts(
  scripts: ReadonlyMap<string, string>,
  requirements: readonly ScriptRequirement[],
  earlier: EarlierScripts = { own: new Map(), others: new Map() },
): ScriptPlan {
  const additions = new Map<string, { value: string; build: string }>();
  const outcomes: ScriptOutcome[] = [];
  const warnings: EditWarning[] = [];
  const sorted = requirements.toSorted(
    (a, b) => compareText(a.build, b.build) || compareText(a.name, b.name),
  );
  for (const { name, value, build } of sorted) {
    if (!SCRIPT_NAME.test(name)) throw strangeName(name, build);
    const theirs = scripts.get(name);
    const isOurs = theirs !== undefined && theirs === earlier.own.get(name);
    const other = earlier.others.get(name);
    if (isOurs && theirs !== value && other !== undefined) {
      outcomes.push({ name, value: theirs, action: 'kept', build });
      const message = `${quote(build)} has script ${quote(name)} ${quote(value)}; that of ${quote(other)} was kept: ${quote(theirs)}`;
      warnings.push({ code: 'script-clash', message });
      continue;
    }
    if (theirs !== undefined && !isOurs) {
      outcomes.push({ name, value: theirs, action: 'kept', build });
      if (theirs === value) continue;
      const message = `${quote(build)} has script ${quote(name)} ${quote(value)}; package.json has ${quote(theirs)}: it was kept`;
      warnings.push({ code: 'script-kept', message });
      continue;
    }
    const first = additions.get(name);
    if (first === undefined || first.value === value) {
      if (first === undefined) additions.set(name, { value, build });
      const unchanged = theirs === value ? ({ unchanged: true } as const) : {};
      outcomes.push({ name, value, action: 'added', build, ...unchanged });
      continue;
    }
    outcomes.push({ name, value: first.value, action: 'kept', build });
    const message = `${quote(build)} has script ${quote(name)} ${quote(value)}; that of ${quote(first.build)} was used: ${quote(first.value)}`;
    warnings.push({ code: 'script-clash', message });
  }
  return {
    additions: Array.from(additions, ([name, { value }]) => ({ name, value })).filter(
      ({ name, value }) => scripts.get(name) !== value,
    ),
    outcomes,
    warnings,
  };
}

function strangeName(name: string, build: string): ClientError {
  return new ClientError(
    'ERR_DEPENDENCY',
    `Cannot add script ${quote(name)} for ${quote(build)}: not a script name`,
    { hint: 'use letters, digits, ".", ":", "_" and "-", and no "-" at the front' },
  );
}
