/** Which files of a project a wired fence may change, and which of these need consent. Matching ignores case. */
import type { FileClass } from '../build/consent-classes.ts';
import { consentClass, isSourceKind } from '../build/consent.ts';
import { collisionKey } from '../build/file-path.ts';
import { isNeverWritten } from '../build/protected-path.ts';

/** The one file with a dot in front that lines may be added to. */
const IGNORE_FILE = '.gitignore';
/** Classes that no guide writes to, with consent or without: a person does such a step. */
export const STEERING: ReadonlySet<FileClass | undefined> = new Set([
  'agent',
  'ci',
  'git',
  'editor',
]);

/** Why `path` may not be a target, as "what is wanted"; `undefined` where it may. */
export function wireTargetProblem(path: string, verb: string): string | undefined {
  const key = collisionKey(path);
  if (key === IGNORE_FILE && verb === 'lines') return undefined;
  const found = consentClass({ path });
  if (found === 'packages') {
    return 'no manifest and no lock: packages and scripts belong in stackyard.json';
  }
  if (isNeverWritten(path) || STEERING.has(found)) {
    return 'no file that steers CI, agents or tools';
  }
  if (key.split('/').some((part) => part.startsWith('.'))) {
    return 'no file or folder with a dot in front, except lines in .gitignore';
  }
  return undefined;
}

/** A wired block with the file that it goes into. */
export interface WiredText {
  readonly verb: string;
  /** A path of the project, or a role, which stands for code of the project. */
  readonly target: string;
  readonly text: string;
  /** Whether the project has the file; by default, as the verb requires it. */
  readonly isThere?: boolean;
}

/**
 * The class of the consent that putting the block in needs. Lines of `.gitignore` need none, unless they take a file out of
 * what is ignored. Source code at the root of the project that is there already is the project's own.
 */
export function wireConsent({ verb, target, text, isThere }: WiredText): FileClass | undefined {
  if (target.startsWith('@')) return undefined;
  if (collisionKey(target) === IGNORE_FILE) return /^!/m.test(text) ? 'git' : undefined;
  const found = consentClass({ path: target, text });
  const isOwnCode = isThere ?? (verb !== 'file' && verb !== 'lines');
  return found === 'root' && isOwnCode && isSourceKind(target) ? undefined : found;
}
