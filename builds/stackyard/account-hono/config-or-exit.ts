// Reads the configuration for an entry file: a wrong value ends the process with a readable list.

import { type AccountConfig, AccountConfigError, readAccountConfig } from './config.js';

/** As `readAccountConfig`; where a variable is wrong, prints the list of problems and ends the process with status 1. */
export function readAccountConfigOrExit(env: Readonly<Record<string, string | undefined>>): AccountConfig {
  try {
    return readAccountConfig(env);
  } catch (error) {
    if (!(error instanceof AccountConfigError)) throw error;
    console.error(error.message);
    return process.exit(1);
  }
}
