/** Content that does not belong in a build: generated files, lock files, slips of git and editors, and more than people can review. */
import { isUtf8 } from 'node:buffer';
import { finding, type Finding } from '../../../format/finding/finding.ts';
import type { Rule } from '../../rule.ts';
import { wordPattern } from '../../parse/word-list.ts';
import type { ScannedFile } from '../../scanned-file.ts';
import { fileKind, isTestPath } from '../../text/file-kind.ts';
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
/** What git has instead of a file whose content Git LFS or git-annex keeps elsewhere. */
const POINTER =
  /^(?:version https:\/\/(?:git-lfs|hawser)\.github\.com\/spec\/\S+\r?\n(?:ext-\S+ \S+\r?\n)*oid \w+:|\/annex\/objects\/\S+\s*$)/;
const MAX_POINTER_BYTES = 1_024;
/** Not `#![...]`, which is an attribute in Rust. */
const CRLF_SHEBANG = /^#![ \t]*\/[^\r\n]*\r\n/;
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
    found.push(...files.flatMap(slips));
    const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
    if (files.length > MANY_FILES || bytes > MANY_BYTES) {
      const args = { files: files.length, bytes, most: MANY_FILES, limit: MANY_BYTES };
      found.push(finding('content-large', '', args));
    }
    return found;
  },
};

/** Test data may be what the tests are about. */
function slips({ path, text = '', bytes, syntax }: ScannedFile): Finding[] {
  const level = isTestPath(path) ? 'info' : undefined;
  if (bytes.length < MAX_POINTER_BYTES && POINTER.test(text))
    return [finding('content-pointer', path, {}, level)];
  const found = CRLF_SHEBANG.test(text) ? [finding('content-shebang', path, {}, level)] : [];
  const isCode = syntax.language !== 'none' || fileKind(path) === 'code';
  // A file with a coding that Python knows is decoded by it, and is right.
  const isDamaged = !isUtf8(bytes) && !(syntax.language === 'python' && !text.includes('\uFFFD'));
  return isCode && text !== '' && isDamaged ? [...found, finding('content-encoding', path)] : found;
}
