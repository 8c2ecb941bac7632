import { accountModule, answerBodyErrors, createPasswords } from './account/index.js';
import { backupDatabase, openDatabase, runDatabaseCommand } from './sqlite/index.js';

accountModule.assertSettings();
accountModule.configure({ passwords: createPasswords() });
export const db = openDatabase(':memory:', { migrations: [] });
export { accountModule, answerBodyErrors, backupDatabase, runDatabaseCommand };
