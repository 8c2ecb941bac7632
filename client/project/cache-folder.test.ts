import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { cacheFolder } from './cache-folder.ts';

test.each([
  [{ STACKYARD_CACHE: '/c', XDG_CACHE_HOME: '/x' }, 'linux', '/h', '/c'],
  [{ STACKYARD_CACHE: 'c' }, 'linux', '/h', resolve('c')],
  [{ STACKYARD_CACHE: '', XDG_CACHE_HOME: '/x' }, 'linux', '/h', '/x/stackyard'],
  [{ XDG_CACHE_HOME: 'x' }, 'linux', '/h', '/h/.cache/stackyard'],
  [{}, 'linux', '/h', '/h/.cache/stackyard'],
  [{}, 'darwin', '/h', '/h/Library/Caches/stackyard'],
  [{ LOCALAPPDATA: '/l' }, 'win32', '/h', '/l/stackyard/Cache'],
  [{ LOCALAPPDATA: '/l' }, 'linux', '/h', '/h/.cache/stackyard'],
  [{}, 'linux', '', undefined],
] as const)('cacheFolder(%j, %s, %j) is %j', (env, platform, home, folder) => {
  expect(cacheFolder(env, platform, home)).toBe(folder);
});
