/**
 * Paths in a project that a build may never write: byte code and caches, what other programs keep, files that hold
 * secrets. Matching ignores case. What needs the user's consent is in `consent.ts`.
 */
import { collisionKey } from './file-path.ts';

/** What a project has from builds: written by the client, committed by the user. */
export const LOCK_FILE = 'stackyard.lock.json';
/** The working folder of the client in a project. */
export const WORK_FOLDER = '.stackyard';

/** What git, package managers and this client keep. */
const FOREIGN_FOLDERS = new Set(['.git', 'node_modules', WORK_FOLDER, '.venv']);

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

/** Whether no build may write the file at `path` of a project, whatever the user allows. */
export function isNeverWritten(path: string): boolean {
  const lower = collisionKey(path);
  const segments = lower.split('/');
  return (
    lower === LOCK_FILE ||
    ENV_FILE.test(segments.at(-1) ?? '') ||
    segments.some((part) => FOREIGN_FOLDERS.has(part)) ||
    isCompiledCache(path)
  );
}

/** Whether the file at `path` is byte code or the cache of a tool: it is used instead of the sources beside it. */
export function isCompiledCache(path: string): boolean {
  const segments = collisionKey(path).split('/');
  return (
    CACHE_FILE.test(segments.at(-1) ?? '') ||
    segments.slice(0, -1).some((folder) => CACHE_FOLDERS.includes(folder))
  );
}
