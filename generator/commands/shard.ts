/** The command `shard`. */
import { startCommand } from './start-command.ts';

await startCommand(() => import('./main/shard.ts'));
