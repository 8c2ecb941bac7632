/** A worker thread of `worker-pool.ts`, or a process of `job.ts`. Its modules are imported after their cache is known; until then jobs wait. */
import { keepCompiledModules } from '../packaged.ts';

keepCompiledModules();
await import('./answer-jobs.ts');
