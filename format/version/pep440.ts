/** Python version specifiers (PEP 440), as `dependencies.pip` uses them. */
import { validRange } from '@renovatebot/pep440';

export const MAX_SPECIFIER_LENGTH = 256;

/** A prefix match (`==1.*`) of more than the release: PEP 440 has none of pre-, post- and development releases. */
const WRONG_PREFIX = /^\s*[=!]=(?!=)(?!\s*v?(?:\d+!)?\d+(?:\.\d+)*\.\*\s*$).*\.\*\s*$/i;

/** Whether `text` is a PEP 440 specifier such as `>=1.0,<2`, or `*` for any version. */
export function isPipSpecifier(text: string): boolean {
  if (text === '*') return true;
  if (text.length > MAX_SPECIFIER_LENGTH || text.trim() === '') return false;
  return validRange(text) && !text.split(',').some((one) => WRONG_PREFIX.test(one));
}

/** A distribution name as PEP 508 allows it, with optional extras: `uvicorn[standard]`. */
export const PIP_NAME_PATTERN: RegExp =
  /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?(?:\[[A-Za-z0-9][A-Za-z0-9._-]{0,48}(?:,[A-Za-z0-9][A-Za-z0-9._-]{0,48}){0,20}\])?$/;

/** The name by which PEP 503 compares distributions: `Foo_Bar[x]` is `foo-bar`. */
export function normalizePipName(name: string): string {
  const bare = name.replace(/\[.*$/, '');
  return bare.replace(/[-_.]+/g, '-').toLowerCase();
}
