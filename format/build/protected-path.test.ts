import { expect, test } from 'vitest';
import { isNeverWritten } from './protected-path.ts';

test.each([
  'stackyard.lock.json',
  'Stackyard.Lock.json',
  '.env',
  'apps/api/.env',
  '.env.local',
  '.ENV.Production',
  '.env.example.local',
  '.git/hooks/pre-commit',
  'a/.GIT/config',
  'node_modules/x/index.js',
  'node_module\u017f/x/index.js',
  '.stackyard/journal',
  '.venv/bin/python',
  'src/__pycache__/settings.cpython-311.pyc',
  'src/__PYCACHE__/settings.txt',
  'settings.pyc',
  'settings.pyo',
  'src/.mypy_cache/3.12/settings.data.json',
  '.pytest_cache/v/cache/lastfailed',
  '.ruff_cache/0.1/1',
  '.parcel-cache/data.mdb',
  '.turbo/cache/1.tar.zst',
  'apps/web/.next/cache/webpack/1.pack',
  '.nuxt/dist/server.mjs',
  'tsconfig.tsbuildinfo',
  '.tsbuildinfo',
  '.eslintcache',
])('isNeverWritten(%j)', (path) => {
  expect(isNeverWritten(path)).toBe(true);
});

test.each([
  'src/index.ts',
  '.env.example',
  'apps/api/.env.sample',
  '.env.template',
  'env',
  '.environment',
  'docs/stackyard.lock.json',
  '.gitignore',
  'git/hooks/x',
  'github/workflows/x.yml',
  'agents.ts',
  'src/claude/index.ts',
  'package.json',
  'src/pyc.ts',
  'src/turbo/cache.ts',
  'src/next/cache.ts',
  'cache/index.ts',
])('isNeverWritten() leaves %j to consent', (path) => {
  expect(isNeverWritten(path)).toBe(false);
});
