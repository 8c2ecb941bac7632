/** The command `log:cosign`. */
import { startCommand } from './start-command.ts';

await startCommand(() => import('./main/log-cosign.ts'));
