/// <reference types="node" />
// The public names of this folder. Import from here: the other files may be arranged differently in a later version.
// The line above finds the types of Node in projects whose tsconfig.json lists other `types`.

export { type JobContext, type JobOptions, JobsError, schedule } from './define.js';
export {
  createJobsModule, defineJob, enqueue, type Job, type JobsModuleOptions, listJobs, retryJob,
} from './module.js';
export type { Operators } from './routes.js';
export { type EnqueueOptions, jobsMigrations, type StoredJob } from './store.js';
