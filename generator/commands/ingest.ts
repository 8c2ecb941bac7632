/** The command `ingest`. */
import { startCommand } from './start-command.ts';

await startCommand(() => import('./main/ingest.ts'));
