import { answerBodyErrors, createAccount, readAccountConfigOrExit } from './account/index.js';
import { backupDatabase, openDatabase, runDatabaseCommand } from './sqlite/index.js';

const db = openDatabase(':memory:', { migrations: [] });
export const account = createAccount(db, readAccountConfigOrExit(process.env));
export { answerBodyErrors, backupDatabase, runDatabaseCommand };
