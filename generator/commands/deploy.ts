/** The command `deploy`. */
import { startCommand } from './start-command.ts';

await startCommand(() => import('./main/deploy.ts'));
