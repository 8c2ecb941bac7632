/** The command `log:keep`. */
import { startCommand } from './start-command.ts';

await startCommand(() => import('./main/log-keep.ts'));
