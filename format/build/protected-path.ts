/**
 * Paths in a project that a build may never write, or only with the user's consent: files that run
 * automatically, byte code and caches, files that coding agents obey, files that hold secrets. Matching ignores case.
 */
import { collisionKey } from './file-path.ts';

/** What the user must allow: `--allow ci,agent,rc`. */
const CONSENT_GROUPS = ['ci', 'agent', 'rc'] as const;
type ConsentGroup = (typeof CONSENT_GROUPS)[number];

export type Protection = 'never' | ConsentGroup;

/** What a project has from builds: written by the client, committed by the user. */
export const LOCK_FILE = 'stackyard.lock.json';
/** The working folder of the client in a project. */
export const WORK_FOLDER = '.stackyard';

const AGENT_FILES = [
  'agents.md',
  'agent.md',
  'claude.md',
  'claude.local.md',
  'gemini.md',
  'qwen.md',
  'warp.md',
  'skill.md',
  'copilot-instructions.md',
  '.cursorrules',
  '.windsurfrules',
  '.clinerules',
  '.roorules',
  '.goosehints',
  '.mcp.json',
  'mcp.json',
  '.aider.conf.yml',
  'opencode.json',
];
const AGENT_FOLDERS = [
  '.agents',
  '.claude',
  '.codex',
  '.cursor',
  '.windsurf',
  '.gemini',
  '.clinerules',
  '.continue',
  '.roo',
  '.kiro',
  '.opencode',
  '.qwen',
  '.amazonq',
  '.junie',
];
const CI_FILES = [
  '.gitlab-ci.yml',
  '.travis.yml',
  'azure-pipelines.yml',
  'bitbucket-pipelines.yml',
  'jenkinsfile',
  '.drone.yml',
  'appveyor.yml',
  '.woodpecker.yml',
  'cloudbuild.yaml',
];
const CI_FOLDERS = ['.circleci', '.buildkite', '.woodpecker', '.forgejo', '.gitea', '.github'];
const RC_FILES = [
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  '.pnpmfile.mjs',
  'bunfig.toml',
  '.pypirc',
  'pip.conf',
  'pip.ini',
  'sitecustomize.py',
  'usercustomize.py',
  '.envrc',
  '.gitattributes',
  '.gitmodules',
  '.gitconfig',
  '.bashrc',
  '.zshrc',
  '.profile',
  '.pre-commit-config.yaml',
  'lefthook.yml',
  '.lefthook.yml',
  '.mise.toml',
  'mise.toml',
];
const RC_FOLDERS = ['.husky', '.vscode', '.idea', '.devcontainer', '.yarn', '.config'];

/** Folders of byte code, compiled sources and results of tools, which are read instead of the sources. */
const CACHE_FOLDERS = [
  '__pycache__',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  '.pytype',
  '.tox',
  '.nox',
  '.parcel-cache',
  '.turbo',
  '.next',
  '.nuxt',
  '.svelte-kit',
  '.vite',
  '.swc',
  '.angular',
  '.gradle',
];
const CACHE_FILE = /\.(?:py[co]|tsbuildinfo|eslintcache|stylelintcache)$/;

/** Files other than `.env` that hold values; examples and templates of them are not protected. */
const ENV_FILE = /^\.env(?:\.(?!example$|sample$|template$).*)?$/;

/** How `path`, relative to the project, is protected; `undefined` where a build may write. */
export function pathProtection(path: string): Protection | undefined {
  const lower = collisionKey(path);
  const segments = lower.split('/');
  const name = segments.at(-1) ?? '';
  if (lower === LOCK_FILE || ENV_FILE.test(name)) return 'never';
  if (
    segments.some((s) => s === '.git' || s === 'node_modules' || s === WORK_FOLDER || s === '.venv')
  ) {
    return 'never';
  }
  if (isCompiledCache(path)) return 'never';
  if (isAgentFile(path)) return 'agent';
  const folders = segments.slice(0, -1);
  if (CI_FILES.includes(name) || folders.some((s) => CI_FOLDERS.includes(s))) return 'ci';
  if (RC_FILES.includes(name) || folders.some((s) => RC_FOLDERS.includes(s))) return 'rc';
  return name.endsWith('.pth') ? 'rc' : undefined;
}

/** Whether the file at `path` is byte code or the cache of a tool: it is used instead of the sources beside it. */
export function isCompiledCache(path: string): boolean {
  const segments = collisionKey(path).split('/');
  return (
    CACHE_FILE.test(segments.at(-1) ?? '') ||
    segments.slice(0, -1).some((folder) => CACHE_FOLDERS.includes(folder))
  );
}

/** Whether coding agents load the file at `path` as instructions or settings. */
export function isAgentFile(path: string): boolean {
  const segments = collisionKey(path).split('/');
  const folders = segments.slice(0, -1);
  return (
    AGENT_FILES.includes(segments.at(-1) ?? '') ||
    folders.some((s) => AGENT_FOLDERS.includes(s)) ||
    (folders.includes('.github') &&
      ['instructions', 'prompts', 'chatmodes', 'agents'].some((f) => folders.includes(f)))
  );
}
