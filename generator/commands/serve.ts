/** The command `serve`. */
import { startCommand } from './start-command.ts';

await startCommand(() => import('./main/serve.ts'));
