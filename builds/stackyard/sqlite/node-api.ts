// Guards against a Node that better-sqlite3 13 cannot run on. There the process would be killed by SIGSEGV,
// without a message, as soon as a database is opened.

import { DatabaseError } from './errors.js';

/** The Node-API version that the binaries of better-sqlite3 13 are built for. */
const REQUIRED_NODE_API = 10;

/** Throws `ERR_DATABASE_NODE_TOO_OLD` unless `napiVersion` (see `process.versions.napi`) is at least 10. */
export function assertNodeApi(napiVersion: string | undefined, nodeVersion: string): void {
  // Written so that a missing version, which becomes NaN, is refused as well.
  if (Number(napiVersion) >= REQUIRED_NODE_API) return;
  throw new DatabaseError(
    'ERR_DATABASE_NODE_TOO_OLD',
    `Cannot open a database on Node "${nodeVersion}" with Node-API "${napiVersion ?? 'none'}": ` +
      `better-sqlite3 13 needs Node-API ${REQUIRED_NODE_API}. ` +
      'Use Node 22.14.0 or newer (on the 23 line, 23.6.0 or newer)',
  );
}
