/** The program of a worker thread (`worker-pool.ts`). Its modules are imported after their cache is known; until then jobs wait. */
import { keepCompiledModules } from '../packaged.ts';

keepCompiledModules();
const { answerJobs } = await import('./job.ts');
answerJobs();
