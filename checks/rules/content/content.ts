/** What does not belong into a build: what tools leave behind, lock files, and more than anyone will read. */
import type { Finding } from '../../../format/finding/finding.ts';
import { finding } from '../../../format/finding/finding.ts';
import type { Rule } from '../../rule.ts';
import { quote } from '../../unicode/quote.ts';

const LEFT_BEHIND =
  /(?:^|\/)(?:node_modules|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.venv|venv|\.idea|\.nyc_output|coverage|\.turbo|\.next|\.nuxt|\.parcel-cache|\.gradle|\.egg-info)\/|(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini|npm-debug\.log[^/]*|yarn-error\.log|\.coverage|[^/]+~|[^/]+\.(?:sw[op]|orig|rej|bak|tmp|log|pyc|tsbuildinfo))$/i;
const VALUES = /(?:^|\/)\.env(?:\.(?!example$|sample$|template$)[\w.-]+)?$/i;
const LOCKS =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|poetry\.lock|uv\.lock|Pipfile\.lock)$/i;
const MANY_FILES = 500;
const MANY_BYTES = 5_000_000;

export const content: Rule = {
  name: 'content',
  run: ({ files }) => {
    const found: Finding[] = [];
    const paths = files.map(({ path }) => path);
    const of = (pattern: RegExp): string[] => paths.filter((path) => pattern.test(path));
    const [left, values, locks] = [of(LEFT_BEHIND), of(VALUES), of(LOCKS)];
    if (left.length > 0)
      found.push(
        finding('content-untidy', left[0]!, { count: left.length, path: quote(left[0]!) }),
      );
    if (values.length > 0)
      found.push(finding('content-values', values[0]!, { path: quote(values[0]!) }));
    if (locks.length > 0)
      found.push(finding('content-lock', locks[0]!, { path: quote(locks[0]!) }));
    const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
    if (files.length > MANY_FILES || bytes > MANY_BYTES) {
      found.push(
        finding('content-large', '', {
          files: files.length,
          bytes,
          most: MANY_FILES,
          limit: MANY_BYTES,
        }),
      );
    }
    return found;
  },
};
