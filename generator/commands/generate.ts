/** The command `generate`. */
import { startCommand } from './start-command.ts';

await startCommand(() => import('./main/generate.ts'));
