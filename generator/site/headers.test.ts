import { expect, test } from 'vitest';
import { cacheControl } from '../../format/index/layout.ts';
import { headersFile } from './headers.ts';

/** Pattern to its lines, as hosts read the file. */
function rules(): Map<string, string[]> {
  const read = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of headersFile().trimEnd().split('\n')) {
    if (line.startsWith('  ')) lines.push(line.trim());
    else read.set(line, (lines = []));
  }
  return read;
}

function matches(pattern: string, path: string): boolean {
  const [before = '', after] = pattern.split('*');
  if (after === undefined) return pattern === path;
  return path.startsWith(before) && path.endsWith(after) && path.length > before.length;
}

test('headersFile() sends the content policy with everything', () => {
  expect(rules().get('/*')).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /^Content-Security-Policy: .*script-src 'self'.*frame-ancestors 'none'/,
      ),
      'X-Content-Type-Options: nosniff',
    ]),
  );
  expect(headersFile()).not.toContain('unsafe-inline');
});

test.each([
  ['/', 'index.html'],
  ['/builds/a/b/', 'builds/a/b/index.html'],
  ['/advisories/x_A-1/', 'advisories/x_A-1/index.html'],
  ['/advisories/x_A-1.json', 'advisories/x_A-1.json'],
  ['/builds/a/b/1.0.0.tgz', 'builds/a/b/1.0.0.tgz'],
  ['/assets/style-0123456789abcdef.css', 'assets/style-0123456789abcdef.css'],
  ['/tags/express/', 'tags/express/index.html'],
  ['/log/checkpoint', 'log/checkpoint'],
])('headersFile() has one cache rule for %s, that of the file', (address, file) => {
  const found = [...rules()].filter(([pattern]) => pattern !== '/*' && matches(pattern, address));
  expect(found.map(([, lines]) => lines)).toEqual([[`Cache-Control: ${cacheControl(file)}`]]);
});
