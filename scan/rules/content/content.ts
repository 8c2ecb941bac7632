/** Content that does not belong in a build: generated files, lock files, and more code than people can review. */
import { finding, type Finding } from '../../../format/finding/finding.ts';
import type { Rule } from '../../rule.ts';
import { wordPattern } from '../../parse/word-list.ts';
import { quote } from '../../text/quote.ts';

/** Files that tools generate and that are published by mistake. */
const LEFT_BEHIND = wordPattern(/(?:^|\/)WORDS/i, {
  'installed packages and environments': [/(?:node_modules|\.venv|venv|\.egg-info)\//],
  caches: [
    /(?:__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.parcel-cache|\.turbo|\.gradle)\//,
    /[^/]+\.(?:pyc|tsbuildinfo)$/,
  ],
  'results of builds and tests': [/(?:\.next|\.nuxt|\.nyc_output|coverage)\//, /\.coverage$/],
  'editors and file managers': [
    /\.idea\//,
    /(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/,
    /[^/]+(?:~|\.sw[op])$/,
  ],
  'logs, copies and rejected changes': [
    /(?:npm-debug\.log[^/]*|yarn-error\.log)$/,
    /[^/]+\.(?:orig|rej|bak|tmp|log)$/,
  ],
});
const VALUES = /(?:^|\/)\.env(?:\.(?!example$|sample$|template$)[\w.-]+)?$/i;
/** Lock files of a project: the project that installs a build locks the versions. */
const LOCKS = wordPattern(/(?:^|\/)WORDS$/i, {
  'npm, Yarn, pnpm and Bun': [
    /package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?/,
  ],
  'Poetry, uv and Pipenv': ['poetry.lock', 'uv.lock', 'Pipfile.lock'],
});
const MISPLACED = [
  ['content-untidy', LEFT_BEHIND],
  ['content-values', VALUES],
  ['content-lock', LOCKS],
] as const;
const MANY_FILES = 500;
const MANY_BYTES = 5_000_000;

export const content: Rule = {
  name: 'content',
  run: ({ files }) => {
    const found = MISPLACED.flatMap(([code, pattern]): Finding[] => {
      const [path, ...others] = files.map((file) => file.path).filter((one) => pattern.test(one));
      if (path === undefined) return [];
      return [finding(code, path, { count: others.length + 1, path: quote(path) })];
    });
    const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
    if (files.length > MANY_FILES || bytes > MANY_BYTES) {
      const args = { files: files.length, bytes, most: MANY_FILES, limit: MANY_BYTES };
      found.push(finding('content-large', '', args));
    }
    return found;
  },
};
