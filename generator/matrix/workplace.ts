/** What every measurement works with: folders, the client as users get it, the registry, and variables. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readTarball } from '../../format/archive/tarball.ts';
import { GeneratorError } from '../errors.ts';
import { writeWhole } from '../write-whole.ts';

export interface Workplace {
  /** A folder for projects, which are removed. */
  readonly projects: string;
  /** A folder for packages and runtimes, which stays: all projects share it. */
  readonly cache: string;
  /** The file of the client. */
  readonly client: string;
  /** Address of the registry that has the builds. */
  readonly registry: string;
  /** The variables that programs of a project get. */
  readonly env: NodeJS.ProcessEnv;
}

/** `env` with the caches of package managers in `cache`. */
export function sharedCaches(env: NodeJS.ProcessEnv, cache: string): NodeJS.ProcessEnv {
  return {
    ...env,
    npm_config_cache: `${cache}/npm`,
    // Guides expect commands without output, and warnings about settings of this machine are output.
    npm_config_loglevel: 'error',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    npm_config_ignore_scripts: 'true',
    npm_config_prefer_offline: 'true',
    PIP_CACHE_DIR: `${cache}/pip`,
    UV_CACHE_DIR: `${cache}/uv`,
    STACKYARD_CACHE: `${cache}/stackyard`,
    NODE_ENV: 'development',
    NO_COLOR: '1',
  };
}

/** The client as users get it: the package that indexes serve, unpacked. */
const PROGRAM = 'dist/stackyard.mjs';

/** Absolute path of the program. @param bytes the package */
export function unpackClient(
  { bytes, integrity }: { readonly bytes: Uint8Array; readonly integrity: string },
  cache: string,
): string {
  const name = integrity.replaceAll(/[^a-zA-Z0-9]/g, '').slice(0, 40);
  const folder = join(cache, `client-${name}`);
  const file = join(folder, PROGRAM);
  if (existsSync(file)) return file;
  const entries = readTarball(bytes).filter(({ path }) => path.startsWith('dist/'));
  // The program last: where it is, the others are.
  entries.sort((a, b) => Number(a.path === PROGRAM) - Number(b.path === PROGRAM));
  if (entries.at(-1)?.path !== PROGRAM) {
    throw new GeneratorError('ERR_CLIENT_PACKAGE', `The client has no file "${PROGRAM}"`, {
      hint: 'build the client again',
    });
  }
  for (const { path, bytes: content } of entries) {
    writeWhole(join(folder, path), new TextDecoder().decode(content));
  }
  return file;
}
