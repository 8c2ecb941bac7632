/** What every measurement works with. */
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
