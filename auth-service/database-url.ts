// Reads DATABASE_URL: which database the service keeps its accounts in.
//
//   file:data/auth.sqlite
//   postgres://auth:password@db.internal:5432/auth

import { fileURLToPath } from 'node:url';

interface SqliteConfig {
  readonly kind: 'sqlite';
  /** A path, relative to the working directory, or `:memory:`. */
  readonly file: string;
}

export interface PostgresConfig {
  readonly kind: 'postgres';
  readonly url: string;
  /** Most connections at once. */
  readonly poolSize: number;
}

export type DatabaseConfig = SqliteConfig | PostgresConfig;

const DEFAULT_POOL_SIZE = 10;

/** Reads the URL. Throws `TypeError` with a message that does not hold it. */
export function parseDatabaseUrl(text: string): DatabaseConfig {
  if (/^file:/i.test(text)) return { kind: 'sqlite', file: readPath(text) };
  if (/^postgres(?:ql)?:\/\//i.test(text) && isReadable(text)) {
    return { kind: 'postgres', url: text, poolSize: DEFAULT_POOL_SIZE };
  }
  throw new TypeError(
    'use "file:PATH" or "postgres://USER:PASSWORD@HOST:PORT/DATABASE", with special characters percent-encoded',
  );
}

function readPath(text: string): string {
  const path = text.slice('file:'.length);
  if (path.startsWith('//')) {
    try {
      return fileURLToPath(text);
    } catch {
      throw new TypeError('use "file:PATH", such as "file:data/auth.sqlite"');
    }
  }
  if (path.trim() === '' || path.includes('\0') || path.includes('?')) {
    throw new TypeError('use "file:PATH" without parameters, such as "file:data/auth.sqlite"');
  }
  return path;
}

// The driver would report an error only on the first connection, and would quote the text.
function isReadable(text: string): boolean {
  try {
    const { pathname, username, password } = new URL(text);
    return [pathname, username, password].every(
      (part) => typeof decodeURIComponent(part) === 'string',
    );
  } catch {
    return false;
  }
}
