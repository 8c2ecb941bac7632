/** Which files of a project a wired fence may change. Matching ignores case. */
import { collisionKey } from '../build/file-path.ts';
import { pathProtection } from '../build/protected-path.ts';

/** The one file with a dot in front that lines may be added to. */
const IGNORE_FILE = '.gitignore';

/** Files with which package managers and their like describe a project. */
const MANIFEST =
  /(?:^|\/)(?:package\.json|pnpm-workspace\.yaml|deno\.jsonc?|jsr\.json|pyproject\.toml|pipfile|environment\.ya?ml|setup\.(?:py|cfg)|(?:dev-)?(?:requirements|constraints)[^/]*\.(?:txt|in)|stackyard\.json|cargo\.toml|go\.mod|gemfile|composer\.json)$/;
const LOCK =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|[^/]*\.lockb?|pnpm-lock\.yaml|[^/]*\.lock\.json|go\.sum)$/;

/** Why `path` may not be a target, as "what is wanted"; `undefined` where it may. */
export function wireTargetProblem(path: string, verb: string): string | undefined {
  const key = collisionKey(path);
  if (key === IGNORE_FILE && verb === 'lines') return undefined;
  if (MANIFEST.test(key)) return 'no manifest: packages and scripts belong in stackyard.json';
  if (LOCK.test(key)) return 'no lock';
  if (pathProtection(path) !== undefined) return 'no file that steers CI, agents or tools';
  if (key.split('/').some((part) => part.startsWith('.'))) {
    return 'no file or folder with a dot in front, except lines in .gitignore';
  }
  return undefined;
}
