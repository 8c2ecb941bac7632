/** A process of `worker-pool.ts`. Its modules are imported after their cache is known; until then jobs wait. */
import { keepCompiledModules } from './compile-cache.ts';

keepCompiledModules();
await import('./answer-jobs.ts');
