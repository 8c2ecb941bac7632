/** Decides which scripts a package.json gets for builds: only such as it does not have. */
import { ClientError } from '../errors.ts';
import type { EditWarning } from './project-file.ts';
import { compareText, quote } from './project-file.ts';

/** A script that a build offers, from a manifest: untrusted. */
export interface ScriptWish {
  readonly name: string;
  readonly value: string;
  readonly build: string;
}

/** What stands in package.json for one build's wish; `value` is the text in the file. */
export interface ScriptOutcome {
  readonly name: string;
  readonly value: string;
  readonly action: 'added' | 'kept';
  readonly build: string;
}

export interface ScriptPlan {
  readonly additions: readonly { name: string; value: string }[];
  readonly outcomes: readonly ScriptOutcome[];
  readonly warnings: readonly EditWarning[];
}

/** A name that no shell and no package manager takes for an option or for something else. */
const SCRIPT_NAME = /^[A-Za-z0-9_.:@/][A-Za-z0-9_.:@/*+-]*$/;

/**
 * What to add for `wishes` to a file that has `scripts`.
 * @throws {ClientError} `ERR_DEPENDENCY` for a name that cannot be one of a script
 */
export function planScripts(
  scripts: ReadonlyMap<string, string>,
  wishes: readonly ScriptWish[],
): ScriptPlan {
  const additions = new Map<string, { value: string; build: string }>();
  const outcomes: ScriptOutcome[] = [];
  const warnings: EditWarning[] = [];
  const sorted = wishes.toSorted(
    (a, b) => compareText(a.build, b.build) || compareText(a.name, b.name),
  );
  for (const { name, value, build } of sorted) {
    if (!SCRIPT_NAME.test(name)) throw strangeName(name, build);
    const theirs = scripts.get(name);
    if (theirs !== undefined) {
      outcomes.push({ name, value: theirs, action: 'kept', build });
      if (theirs === value) continue;
      const message = `${quote(build)} has script ${quote(name)} ${quote(value)}; package.json has ${quote(theirs)}: it was kept`;
      warnings.push({ code: 'script-kept', message });
      continue;
    }
    const earlier = additions.get(name);
    if (earlier === undefined || earlier.value === value) {
      if (earlier === undefined) additions.set(name, { value, build });
      outcomes.push({ name, value, action: 'added', build });
      continue;
    }
    outcomes.push({ name, value: earlier.value, action: 'kept', build });
    const message = `${quote(build)} has script ${quote(name)} ${quote(value)}; that of ${quote(earlier.build)} was taken: ${quote(earlier.value)}`;
    warnings.push({ code: 'script-clash', message });
  }
  return {
    additions: Array.from(additions, ([name, { value }]) => ({ name, value })),
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
