/// <reference types="node" />
// The public names of this folder. Import from here: the other files may be arranged differently in a later version.
// The line above finds the types of Node in projects whose tsconfig.json lists other `types`.

export {
  closeDatabase, createPool, database, type Database, type PoolOptions, type SettingProblem, useDatabase,
} from './database.js';
export { type DatabaseCommandOptions, runDatabaseCommand } from './database-command.js';
export { DatabaseError, type DatabaseErrorCode, isUnavailable, isUniqueViolation, sqlState } from './errors.js';
export {
  migrate, type MigrateOptions, type Migration, type Migrations, type MigrationStatus, readMigrationStatus,
} from './migrate.js';
export { createPostgresModule, postgresModule, type PostgresModuleOptions } from './postgres-module.js';
export { createTestDatabase, type TestDatabase, type TestDatabaseOptions } from './test-database.js';
export { checkDatabase, type Connection, query, transaction, type TransactionOptions } from './transaction.js';
