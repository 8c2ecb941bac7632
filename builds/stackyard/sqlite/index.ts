/// <reference types="node" />
// The public names of this folder. Import from here: the other files may be arranged differently in a later version.
// The line above finds the types of Node in projects whose tsconfig.json lists other `types`.

export { backupDatabase } from './backup.js';
export { closeDatabase, openDatabase, type Database, type OpenedDatabase, type OpenOptions } from './database.js';
export { type DatabaseCommandOptions, runDatabaseCommand } from './database-command.js';
export { DatabaseError, type DatabaseErrorCode, isUniqueViolation } from './errors.js';
export { migrate, type MigrateOptions } from './migrate.js';
export type { Migration } from './migration.js';
export type { Migrations } from './migration-list.js';
export { type MigrationStatus, readMigrationStatus } from './migration-status.js';
