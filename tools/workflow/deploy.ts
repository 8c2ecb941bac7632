/** The step of deploy.yml that uploads the index to a bucket, for registries that are not on Pages. */
import { deploy } from '../../generator/deploy/deploy.ts';
import {
  GRACE_HOURS,
  HOUR_MS,
  openStore,
  programLease,
} from '../../generator/deploy/open-store.ts';
import { formatDeployment } from '../../generator/deploy/report.ts';
import { optional, required } from './environment.ts';
import type { Environment } from './environment.ts';
import { runScript } from './run-script.ts';

await runScript(() => main(process.env));

async function main(env: Environment): Promise<number> {
  const started = performance.now();
  const store = openStore(required(env, 'BUCKET'), { endpoint: optional(env, 'BUCKET_ENDPOINT') });
  const deployment = await deploy({
    index: required(env, 'INDEX_FOLDER'),
    store,
    isDryRun: false,
    isVerifying: false,
    graceMs: GRACE_HOURS * HOUR_MS,
    lease: programLease(),
  });
  const seconds = (performance.now() - started) / 1000;
  for (const line of formatDeployment(store.place, deployment, false, seconds)) console.log(line);
  return 0;
}
