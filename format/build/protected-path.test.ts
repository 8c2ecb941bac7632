import { expect, test } from 'vitest';
import { isAgentFile, pathProtection } from './protected-path.ts';

test.each([
  ['stackyard.lock.json', 'never'],
  ['Stackyard.Lock.json', 'never'],
  ['.env', 'never'],
  ['apps/api/.env', 'never'],
  ['.env.local', 'never'],
  ['.ENV.Production', 'never'],
  ['.env.example.local', 'never'],
  ['.git/hooks/pre-commit', 'never'],
  ['a/.GIT/config', 'never'],
  ['node_modules/x/index.js', 'never'],
  ['node_module\u017f/x/index.js', 'never'],
  ['.stackyard/journal', 'never'],
  ['.venv/bin/python', 'never'],
  ['src/__pycache__/settings.cpython-311.pyc', 'never'],
  ['src/__PYCACHE__/settings.txt', 'never'],
  ['settings.pyc', 'never'],
  ['settings.pyo', 'never'],
  ['src/.mypy_cache/3.12/settings.data.json', 'never'],
  ['.pytest_cache/v/cache/lastfailed', 'never'],
  ['.ruff_cache/0.1/1', 'never'],
  ['.parcel-cache/data.mdb', 'never'],
  ['.turbo/cache/1.tar.zst', 'never'],
  ['apps/web/.next/cache/webpack/1.pack', 'never'],
  ['.nuxt/dist/server.mjs', 'never'],
  ['tsconfig.tsbuildinfo', 'never'],
  ['.tsbuildinfo', 'never'],
  ['.eslintcache', 'never'],
  ['AGENTS.md', 'agent'],
  ['docs/CLAUDE.md', 'agent'],
  ['.claude/settings.json', 'agent'],
  ['.mcp.json', 'agent'],
  ['.cursor/rules/a.mdc', 'agent'],
  ['.github/copilot-instructions.md', 'agent'],
  ['.github/prompts/a.md', 'agent'],
  ['.github/workflows/ci.yml', 'ci'],
  ['.github/dependabot.yml', 'ci'],
  ['.gitlab-ci.yml', 'ci'],
  ['Jenkinsfile', 'ci'],
  ['.circleci/config.yml', 'ci'],
  ['.npmrc', 'rc'],
  ['sub/.npmrc', 'rc'],
  ['.husky/pre-commit', 'rc'],
  ['.hu\u017fky/pre-commit', 'rc'],
  ['.vscode/tasks.json', 'rc'],
  ['.gitattributes', 'rc'],
  ['.envrc', 'rc'],
  ['lib/site.pth', 'rc'],
  ['sitecustomize.py', 'rc'],
])('pathProtection(%j) is %s', (path, wanted) => {
  expect(pathProtection(path)).toBe(wanted);
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
])('pathProtection() leaves %j free', (path) => {
  expect(pathProtection(path)).toBeUndefined();
});

test.each([
  ['agents.md', true],
  ['a/b/SKILL.md', true],
  ['.github/agents/x.md', true],
  ['.github/workflows/x.yml', false],
  ['prompts/x.md', false],
  ['README.md', false],
])('isAgentFile(%j) is %s', (path, wanted) => {
  expect(isAgentFile(path)).toBe(wanted);
});
