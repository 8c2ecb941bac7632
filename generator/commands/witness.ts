/** The command `witness`. */
import { startCommand } from './start-command.ts';

await startCommand(() => import('./main/witness.ts'));
