/**
 * The first job of deploy.yml: makes the index of the newest commit. It begins with nothing, or with the state in the bucket, which is
 * authenticated: whatever lies on this machine, such as from a cache that other jobs write, would be signed and deployed.
 * Errors of single builds are warnings and do not affect other builds; a changed published version stops the run.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { printable } from '../../format/build/file-path.ts';
import { clientPackage } from '../../generator/client-package/client-package.ts';
import { readFromStore, restoreState } from '../../generator/deploy/restore-state.ts';
import { escapeCommandData } from '../../generator/gate/escape.ts';
import { readPublished } from '../../generator/log/read-published.ts';
import { signersFrom } from '../../generator/log/sign-log.ts';
import { generate } from '../../generator/pipeline/pipeline.ts';
import { formatProblem, formatSummary } from '../../generator/pipeline/report.ts';
import { optional, registryFolder, required } from './environment.ts';
import type { Environment } from './environment.ts';
import { runScript } from './run-script.ts';
import { storeOf } from './store-of.ts';

await runScript(() => main(process.env, registryFolder(process.env)));

async function main(env: Environment, folder: string): Promise<number> {
  const started = performance.now();
  const [out, state] = [required(env, 'INDEX_FOLDER'), required(env, 'STATE_FILE')];
  removeLeftovers(out, state);
  const url = optional(env, 'BASE_URL');
  const signers = signersFrom(env['STACKYARD_LOG_KEY']);
  const stored = optional(env, 'BUCKET') === undefined ? undefined : storeOf(env);
  if (stored !== undefined) console.log(await restoreState(stored, { out, file: state, signers }));
  const report = await generate({
    repo: folder,
    out,
    state,
    client: await clientPackage(),
    signers,
    // The index of the last run may be lost or older than what clients have seen.
    published: url === undefined ? stored && readFromStore(stored) : readPublished(url),
  });
  const level = report.isViolated ? 'error' : 'warning';
  for (const problem of report.problems.failing) {
    console.log(`::${level}::${escapeCommandData(printable(formatProblem(problem)))}`);
  }
  console.log(formatSummary(report, (performance.now() - started) / 1000));
  return report.isViolated ? 1 : 0;
}

/** Removes an index, its state, and what the generator keeps beside both, such as finished pages. */
function removeLeftovers(out: string, state: string): void {
  for (const path of [out, state]) {
    const folder = dirname(path);
    const names = existsSync(folder) ? readdirSync(folder) : [];
    const own = names.filter((name) => {
      return name.startsWith(basename(path)) || name.startsWith(`.${basename(path)}.`);
    });
    for (const name of own) rmSync(join(folder, name), { recursive: true, force: true });
  }
}
