/** The command `gate`. */
import { startCommand } from './start-command.ts';

await startCommand(() => import('./main/gate.ts'));
