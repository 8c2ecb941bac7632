/** The command `matrix`. */
import { startCommand } from './start-command.ts';

await startCommand(() => import('./main/matrix.ts'));
