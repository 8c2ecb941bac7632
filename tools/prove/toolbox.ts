/**
 * The programs that make projects of other people: generators and package managers, each at a fixed version, so that the
 * page does not depend on the day. They and all that they fetch are kept in a folder below the system's temporary one.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** From the npm registry. */
export const NPM_TOOLS = {
  'create-vite': '9.3.0',
  'create-next-app': '16.4.3',
  'express-generator-typescript': '2.8.1',
  'generator-express-no-stress-typescript': '11.2.2',
  'yeoman-environment': '3.19.3',
  pnpm: '12.21.0',
  deno: '2.9.6',
} as const;

/** From PyPI, each in an environment of its own. */
export const PYTHON_TOOLS = {
  uv: 'uv==0.13.9',
  poetry: 'poetry==2.5.1',
  // With the versions that it was released with: newer ones of its requirements break it.
  pdm: 'pdm[locked]==2.29.3',
} as const;

export interface Toolbox {
  /** The environment for commands of projects: with the tools on its path, and their caches in the folder. */
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Fetches what is missing; needs the network.
 * @param shellPath a value for PATH with the Node.js of the projects first
 * @param isPythonOnly whether the tools of the npm registry are not needed
 */
export function openToolbox(shellPath: string, isPythonOnly = false): Toolbox {
  const cache = join(tmpdir(), 'stackyard-prove-cache');
  const npm = join(cache, `npm-${nameOf(NPM_TOOLS)}`);
  const python = join(cache, `python-${nameOf(PYTHON_TOOLS)}`);
  const env = {
    ...cachesIn(cache),
    NO_COLOR: '1',
    // As in a terminal: with it pnpm refuses to change its lock file.
    CI: undefined,
    NEXT_TELEMETRY_DISABLED: '1',
    DENO_NO_UPDATE_CHECK: '1',
    UV_PYTHON_DOWNLOADS: 'never',
    POETRY_VIRTUALENVS_IN_PROJECT: 'true',
    PDM_CHECK_UPDATE: 'false',
  };
  if (!isPythonOnly) provide(npm, (folder) => installNpmTools(folder, { ...process.env, ...env }));
  provide(python, (folder) => installPythonTools(folder));
  const tools = join(npm, 'node_modules');
  const path = shellPath.split(delimiter);
  // After the Node.js of the shell, before other installs of the same tools.
  path.splice(1, 0, join(python, 'bin'), join(tools, '.bin'));
  return { env: { ...process.env, ...env, TOOLS: tools, PATH: path.join(delimiter) } };
}

function cachesIn(cache: string): NodeJS.ProcessEnv {
  return {
    npm_config_cache: join(cache, 'npm'),
    npm_config_loglevel: 'error',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    XDG_CACHE_HOME: join(cache, 'xdg'),
    XDG_DATA_HOME: join(cache, 'xdg-data'),
    UV_CACHE_DIR: join(cache, 'uv'),
    PIP_CACHE_DIR: join(cache, 'pip'),
    POETRY_CACHE_DIR: join(cache, 'poetry'),
    DENO_DIR: join(cache, 'deno'),
  };
}

/** Makes a folder that is there completely, or not at all. */
function provide(folder: string, make: (folder: string) => void): void {
  if (existsSync(join(folder, 'complete'))) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  make(folder);
  writeFileSync(join(folder, 'complete.new'), '');
  renameSync(join(folder, 'complete.new'), join(folder, 'complete'));
}

function installNpmTools(folder: string, env: NodeJS.ProcessEnv): void {
  const manifest = { private: true, dependencies: NPM_TOOLS, allowScripts: { deno: true } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  execFileSync('npm', ['install'], { cwd: folder, env, stdio: 'pipe' });
}

/** Environments stay where they are made: their programs name their folder. */
function installPythonTools(folder: string): void {
  mkdirSync(join(folder, 'bin'));
  for (const [name, requirement] of Object.entries(PYTHON_TOOLS)) {
    const home = join(folder, name);
    const options = { cwd: folder, stdio: 'pipe' } as const;
    execFileSync('python3', ['-m', 'venv', home], options);
    execFileSync(join(home, 'bin/python'), ['-m', 'pip', 'install', requirement], options);
    symlinkSync(join(home, 'bin', name), join(folder, 'bin', name));
  }
}

/** Other versions are in another folder. */
function nameOf(tools: Readonly<Record<string, string>>): string {
  return Object.entries(tools)
    .map(([name, version]) => `${name}-${version}`)
    .join('_')
    .replaceAll(/[^\w.-]/g, '-')
    .slice(0, 200);
}
