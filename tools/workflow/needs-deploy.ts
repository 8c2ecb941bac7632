/**
 * Whether the index must be deployed: always after a change of the repository; on the timer, where most runs change
 * nothing, when it differs from what is deployed, such as by new cosignatures of witnesses.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKPOINT_PATH, REGISTRY_PATH } from '../../format/index/layout.ts';
import { isSameHash } from '../../format/log/hash.ts';
import { readPublished } from '../../generator/log/read-published.ts';
import { optional, required } from './environment.ts';
import type { Environment } from './environment.ts';
import { runScript } from './run-script.ts';

await runScript(() => main(process.env));

async function main(env: Environment): Promise<number> {
  const isTimer = required(env, 'GITHUB_EVENT_NAME') === 'schedule';
  const isNeeded = !isTimer || (await isOutdated(env));
  const line = `deploy=${isNeeded}`;
  console.log(line);
  appendFileSync(required(env, 'GITHUB_OUTPUT'), `${line}\n`);
  return 0;
}

async function isOutdated(env: Environment): Promise<boolean> {
  const url = optional(env, 'BASE_URL');
  if (url === undefined) return true;
  const [folder, read] = [required(env, 'INDEX_FOLDER'), readPublished(url)];
  for (const path of [CHECKPOINT_PATH, REGISTRY_PATH]) {
    const deployed = await read(path);
    if (deployed === undefined || !isSameHash(deployed, readFileSync(join(folder, path))))
      return true;
  }
  return false;
}
