// What `npm run db:status` and `npm run db:migrate` do. The project calls it from a file of its own, because only the
// project knows all migrations.

import { closeDatabase, createPool, type Database } from './database.js';
import { DatabaseError } from './errors.js';
import { migrate, type Migrations, readMigrationStatus } from './migrate.js';

export interface DatabaseCommandOptions {
  /** Default: DATABASE_URL. */
  readonly url?: string;
  /** Takes a line of output. Default: `console.log`. */
  readonly print?: (line: string) => void;
  /** Takes a line about an error. Default: `console.error`. */
  readonly printError?: (line: string) => void;
}

const USAGE = 'Usage: status (lists the migrations), migrate (applies those that are pending)';

/**
 * Runs `status` or `migrate` on the database. Gives the exit status: 0; 1 when a migration is pending or edited, or
 * after an error; 2 for other arguments.
 */
export async function runDatabaseCommand(
  args: readonly string[],
  migrations: Migrations,
  options: DatabaseCommandOptions = {},
): Promise<number> {
  const print = options.print ?? ((line: string) => console.log(line));
  const printError = options.printError ?? ((line: string) => console.error(line));
  const [command] = args;
  if (args.length !== 1 || (command !== 'status' && command !== 'migrate')) {
    printError(`error: Cannot run "${args.join(' ')}" on the database`);
    printError(USAGE);
    return 2;
  }
  let db: Database | undefined;
  try {
    db = createPool(options.url === undefined ? {} : { url: options.url });
    if (command === 'migrate') {
      const ids = await migrate(db, migrations);
      for (const id of ids) print(`applied   ${id}`);
      if (ids.length === 0) print('Nothing is pending');
      return 0;
    }
    const states = await readMigrationStatus(db, migrations);
    for (const { id, state, appliedAt = '' } of states) print(`${state.padEnd(8)}  ${id}  ${appliedAt}`.trimEnd());
    const open = states.filter(({ state }) => state === 'pending' || state === 'edited').length;
    print(open === 0 ? 'Nothing is pending' : `${open} of ${states.length} migrations are pending or edited`);
    return open === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    printError(`error: ${error.message}`);
    return 1;
  } finally {
    if (db) await closeDatabase(db);
  }
}
