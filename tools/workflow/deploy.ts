/** The step of deploy.yml that uploads the index to a bucket, for registries that are not on Pages. */
import { deploy } from '../../generator/deploy/deploy.ts';
import { GRACE_HOURS, HOUR_MS, STATE_HOURS } from '../../generator/deploy/hours.ts';
import { programLease } from '../../generator/deploy/open-store.ts';
import { formatDeployment } from '../../generator/deploy/report.ts';
import { signersFrom } from '../../generator/log/sign-log.ts';
import { required } from './environment.ts';
import type { Environment } from './environment.ts';
import { runScript } from './run-script.ts';
import { storeOf } from './store-of.ts';

await runScript(() => main(process.env));

async function main(env: Environment): Promise<number> {
  const started = performance.now();
  const store = storeOf(env);
  const deployment = await deploy({
    index: required(env, 'INDEX_FOLDER'),
    store,
    isDryRun: false,
    isVerifying: false,
    graceMs: GRACE_HOURS * HOUR_MS,
    lease: programLease(),
    signers: signersFrom(env['STACKYARD_LOG_KEY']),
    state: { file: required(env, 'STATE_FILE'), everyMs: STATE_HOURS * HOUR_MS },
  });
  const seconds = (performance.now() - started) / 1000;
  if (deployment.stateNote !== undefined) console.log(deployment.stateNote);
  for (const line of formatDeployment(store.place, deployment, false, seconds)) console.log(line);
  return 0;
}
