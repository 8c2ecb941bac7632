// Reads `.env` where the application does not.

import { existsSync } from 'node:fs';

/**
 * Adds the variables of the file `.env` in the working directory to `process.env`; those that are set stay. Does
 * nothing in tests (NODE_ENV `test`), which must not write the database of a developer, and before Node 20.12.
 */
export function loadEnv(): void {
  const { loadEnvFile } = process as { loadEnvFile?: (path: string) => void };
  if (process.env['NODE_ENV'] !== 'test' && existsSync('.env')) loadEnvFile?.('.env');
  // Node takes a byte order mark in front of the file for a part of the first name.
  for (const [name, value] of Object.entries(process.env)) {
    if (name.startsWith('\uFEFF')) process.env[name.slice(1)] ??= value;
  }
}
