/// <reference types="node" />
// The public names of this folder. Import from here: the other files may be arranged differently in a later version.
// The line above finds the types of Node in projects whose tsconfig.json lists other `types`.

export { closeDatabase, openDatabase, type Database, type OpenedDatabase, type OpenOptions } from './database.js';
export { backupDatabase, type DatabaseCommandOptions, runDatabaseCommand } from './database-command.js';
export { loadEnv } from './env.js';
export { DatabaseError, type DatabaseErrorCode, isUniqueViolation } from './errors.js';
export { migrate, type MigrateOptions, type MigrationStatus, readMigrationStatus } from './migrate.js';
export type { Migration, Migrations } from './migration.js';
export { createSqliteModule, database, type SqliteModule, sqliteModule } from './module.js';
