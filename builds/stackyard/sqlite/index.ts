// The public names of this folder. Import from here: the other files may be arranged anew in a later version.

export { closeDatabase, openDatabase, type Database, type OpenOptions } from './database.js';
export { DatabaseError, type DatabaseErrorCode, isUniqueViolation } from './errors.js';
export { migrate, type MigrateOptions } from './migrate.js';
export type { Migration } from './migration.js';
