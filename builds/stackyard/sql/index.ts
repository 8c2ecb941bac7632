/// <reference types="node" />
// The public names of this folder. Import from here: the other files may be arranged differently in a later version.
// The line above finds the types of Node in projects whose tsconfig.json lists other `types`.

export {
  type Connection, createSql, type PgClient, type PgPool, type Sql, type SqliteDatabase, type SqlValue, type Statement,
  statement,
} from './sql.js';
export { isUniqueViolation, SqlError } from './errors.js';
export { type PortableMigration, portableMigrations } from './migrations.js';
