/** The command `host`: the jobs of the workflows. What one needs is in the environment, where no shell reads it. */
import { z } from 'zod';
import { defineCommand } from '../../format/command/command.ts';
import { openCodeHost, runJob, type Environment } from '../host/code-host.ts';
import { REGISTRY_LABELS } from '../host/objections.ts';

type Job = (env: Environment, folder: string) => Promise<number>;

/** Those of a workflow stand together; what one writes to the code host is in its file. */
const JOBS = {
  // publish.yml and waiting.yml
  gate: async () => (await import('../host/pull-requests.ts')).judge,
  settle: async () => (await import('../host/pull-requests.ts')).settle,
  'wake-waiting': async () => (await import('../host/pull-requests.ts')).wakeWaiting,
  // signals.yml
  'read-form': async () => (await import('../host/forms.ts')).readForm,
  'file-form': async () => (await import('../host/forms.ts')).fileForm,
  // measure.yml and matrix.yml
  measure: async () => (await import('../host/measurements.ts')).measure,
  'file-matrix': async () => (await import('../host/measurements.ts')).fileMatrix,
  // deploy.yml
  generate: async () => (await import('../host/deployment.ts')).generateIndex,
  'keep-log': async () => (await import('../host/deployment.ts')).keepPublishedLog,
  'create-labels': async () => createLabels,
  'check-freshness': async () => (await import('../host/deployment.ts')).checkFreshness,
} satisfies Record<string, () => Promise<Job>>;

export const command = defineCommand({
  description:
    'Does one job of the workflows of a registry, at GitHub, Gitea or Forgejo. They call it with variables, such as BASE_BRANCH and GITHUB_TOKEN. "gate", "read-form" and "measure" read what strangers wrote and need no right to write; "settle", "file-form" and "file-matrix" take their outcome and push to the base branch',
  input: z.object({
    job: z
      .enum(Object.keys(JOBS) as (keyof typeof JOBS)[])
      .meta({ description: 'what to do', isArgument: true }),
  }),
  notes: [
    'Environment: each job names the variable that it misses; REGISTRY_FOLDER is the repository (default: this folder).',
    'Exit status: 0 done; 1 refused or failed, with an annotation for the code host; 2 wrong usage.',
  ],
  examples: ['host gate', 'host settle'],
  run: async ({ job }) => runJob(await JOBS[job](), process.env),
});

/** A form, and a person, can only set labels that the repository has. */
async function createLabels(env: Environment): Promise<number> {
  const created = await openCodeHost(env).createLabels(REGISTRY_LABELS);
  console.log(`created labels: ${created.join(', ') || 'none'}`);
  return 0;
}
