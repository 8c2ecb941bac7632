/** The command `audit`. */
import { startCommand } from './start-command.ts';

await startCommand(() => import('./main/audit.ts'));
