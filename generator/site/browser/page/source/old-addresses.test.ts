import { expect, it } from 'vitest';
import { parseOldAddress } from './old-addresses.ts';

const NAME = { id: 'alice/web', version: '1.0.0' };

it.each([
  ['/builds/alice/web/1.0.0/', { root: '/', shows: 'build' }],
  ['/builds/alice/web/1.0.0/index.html', { root: '/', shows: 'build' }],
  ['/builds/alice/web/1.0.0', { root: '/', shows: 'build' }],
  ['/base/x/builds/alice/web/1.0.0/files/', { root: '/base/x/', shows: 'files' }],
  ['/builds/alice/web/1.0.0/files/index.html', { root: '/', shows: 'files' }],
  ['/builds/alice/web/1.0.0/diff/', { root: '/', shows: 'changes' }],
  ['/builds/alice/web/1.0.0/file/src/a.ts.html', { root: '/', shows: 'files', file: 'src/a.ts' }],
  ['/builds/alice/web/1.0.0/raw/src/a.ts.txt', { root: '/', shows: 'files', file: 'src/a.ts' }],
  [
    '/builds/alice/web/1.0.0/file/src/~5Bid~5D/~2Bpage.ts.html',
    { root: '/', shows: 'files', file: 'src/[id]/+page.ts' },
  ],
  [
    '/builds/alice/web/1.0.0/file/%7E2Egithub/a.yml.html',
    { root: '/', shows: 'files', file: '.github/a.yml' },
  ],
])('parseOldAddress(%j)', (path, expected) => {
  expect(parseOldAddress(path)).toEqual({ ...NAME, file: undefined, ...expected });
});

it('parseOldAddress() reads versions with build metadata', () => {
  expect(parseOldAddress('/builds/a/b/1.0.0-rc.1%2Bx/files/')?.version).toBe('1.0.0-rc.1+x');
});

it.each([
  '/',
  '/builds/alice/web/',
  '/builds/alice/web/latest/',
  '/builds/alice/web/1.0.0/other/',
  '/builds/ALICE/web/1.0.0/',
  '/builds/alice/web/1.0.0/file/src/~ZZ.ts.html',
  '/builds/alice/web/1.0.0/file/%E0%A4%A.html',
  '//evil.example/builds/alice/<b>/1.0.0/',
])('parseOldAddress() leaves %s', (path) => {
  expect(parseOldAddress(path)).toBeUndefined();
});
