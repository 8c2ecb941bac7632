/** The last job of deploy.yml: keeps the published log in a branch of the repository, which rebuilds a registry that lost its host. */
import { ObjectReader } from '../../generator/git/object-reader.ts';
import { LOG_BRANCH, keepLog } from '../../generator/pipeline/kept-log.ts';
import { readPublished } from '../../generator/log/read-published.ts';
import { registryFolder, required } from './environment.ts';
import type { Environment } from './environment.ts';
import { runGit } from './fetch-sides.ts';
import { runScript } from './run-script.ts';

await runScript(() => main(process.env, registryFolder(process.env)));

async function main(env: Environment, folder: string): Promise<number> {
  const pattern = `refs/heads/${LOG_BRANCH}*:refs/remotes/origin/${LOG_BRANCH}*`;
  runGit(env, folder, ['fetch', '-q', 'origin', `+${pattern}`]);
  const reader = new ObjectReader(folder);
  try {
    const published = readPublished(required(env, 'BASE_URL'));
    const { size, added } = await keepLog(folder, reader, published);
    console.log(`kept ${size} entries of the log, ${added} of them new`);
    if (added === 0) return 0;
  } finally {
    reader.close();
  }
  const branch = `refs/heads/${LOG_BRANCH}`;
  runGit(env, folder, ['push', '-q', 'origin', `${branch}:${branch}`]);
  return 0;
}
