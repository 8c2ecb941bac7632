import { expect, test } from 'vitest';
import { ROOT_MARK, linkResolver } from './resolve-link.ts';

const resolve = linkResolver({
  pageOf: (file) => (file === 'docs/a b.md' ? 'page' : undefined),
  list: 'files/',
  hasFolder: (folder) => folder === 'docs',
});

test.each([
  ['https://a.example/x', 'https://a.example/x'],
  [' mailto:a@b.example', 'mailto:a@b.example'],
  ['docs/a%20b.md?x#y', `${ROOT_MARK}page`],
  ['./docs/../docs/a%20b.md', `${ROOT_MARK}page`],
  ['docs/', `${ROOT_MARK}files/`],
  ['?x', `${ROOT_MARK}files/`],
  ['../docs/a%20b.md', undefined],
  ['missing.md', undefined],
  ['%', undefined],
  ['javascript:alert(1)', undefined],
  ['JAVASCRIPT:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['//evil.example', undefined],
  ['\\\\evil.example', undefined],
  ['https:///evil', undefined],
])('linkResolver() sends %j to %j', (href, target) => {
  expect(resolve(href)).toBe(target);
});
