/** The jobs of deploy.yml that know the code host: the index, the log that is kept, the alarm. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { printable } from '../../format/build/file-path.ts';
import { parseDocument } from '../../format/document/document.ts';
import { REGISTRY_PATH } from '../../format/index/layout.ts';
import { RegistryInfo } from '../../format/index/registry-info.ts';
import { CONFIG_FILE } from '../../format/registry/repository-layout.ts';
import { openStore } from '../deploy/open-store.ts';
import { readFromStore, restoreState } from '../state/restore-state.ts';
import { layoutOf } from '../config.ts';
import { escapeCommandData } from '../gate/verdict-text.ts';
import { ObjectReader } from '../git/object-reader.ts';
import { readPublished } from '../log/published-log.ts';
import { signersFrom } from '../log/log-files.ts';
import { LOG_BRANCH, keepLog } from '../pipeline/kept-log.ts';
import { formatProblem, formatSummary, reportJson, type Report } from '../pipeline/report.ts';
import { reporting, runReportFile } from '../run-report.ts';
import { openCodeHost, optional, required, type Environment } from './code-host.ts';
import { fetchBase, pushOwn, runGit } from './push.ts';

const STALE_LABEL = 'stale index';

/**
 * The first job of deploy.yml: makes the index of the newest commit. It begins with nothing, or with the state in the bucket, which is
 * authenticated: whatever lies on this machine, such as from a cache that other jobs write, would be signed and deployed.
 * Errors of single builds are warnings and do not affect other builds.
 */
export async function generateIndex(env: Environment, folder: string): Promise<number> {
  const { clientPackage } = await import('../client-package/client-package.ts');
  const { generate } = await import('../pipeline/pipeline.ts');
  const started = performance.now();
  const [out, state] = [required(env, 'INDEX_FOLDER'), required(env, 'STATE_FILE')];
  removeLeftovers(out, state);
  const url = optional(env, 'BASE_URL');
  const signers = signersFrom(env['STACKYARD_LOG_KEY']);
  const [bucket, endpoint] = [optional(env, 'BUCKET'), optional(env, 'BUCKET_ENDPOINT')];
  const stored = bucket === undefined ? undefined : openStore(bucket, endpoint);
  if (stored !== undefined) console.log(await restoreState(stored, { out, file: state, signers }));
  const work = async (): Promise<Report> =>
    generate({
      repo: folder,
      out,
      state,
      client: await clientPackage(),
      signers,
      // The index of the last run may be lost or older than what clients have seen.
      published: url === undefined ? stored && readFromStore(stored) : readPublished(url),
    });
  const seconds = (): number => (performance.now() - started) / 1000;
  const report = await reporting('generate', out, work, (ended) => reportJson(ended, seconds()));
  for (const problem of report.problems.failing) {
    console.log(`::warning::${escapeCommandData(printable(formatProblem(problem)))}`);
  }
  console.log(formatSummary(report, seconds()));
  return 0;
}

/** Removes an index, its state, and what the generator keeps beside both, such as finished pages. */
function removeLeftovers(out: string, state: string): void {
  for (const path of [out, state]) {
    const folder = dirname(path);
    const names = existsSync(folder) ? readdirSync(folder) : [];
    const own = names.filter((name) => {
      // What monitoring reads has the time of the last run that succeeded.
      if (join(folder, name) === runReportFile(out)) return false;
      return name.startsWith(basename(path)) || name.startsWith(`.${basename(path)}.`);
    });
    for (const name of own) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** The last job of deploy.yml: keeps the published log in a branch of the repository, which rebuilds a registry that lost its host. */
export async function keepPublishedLog(env: Environment, folder: string): Promise<number> {
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
  pushOwn(env, folder, LOG_BRANCH);
  return 0;
}

/**
 * Raises an alarm when the newest commit of the base branch is not live some minutes after it landed:
 * without an alarm, a registry can go stale unnoticed. A newer commit than that of the run has a run of its own, which one runner
 * starts only after this one.
 */
export async function checkFreshness(env: Environment, folder: string): Promise<number> {
  const url = required(env, 'BASE_URL').replace(/\/+$/, '');
  const branch = required(env, 'BASE_BRANCH');
  const withinMs = Number(optional(env, 'FRESH_WITHIN_SECONDS') ?? '600') * 1000;
  const pollMs = Number(optional(env, 'POLL_SECONDS') ?? '15') * 1000;
  const own = optional(env, 'GITHUB_SHA');
  const host = openCodeHost(env);
  const { root } = layoutOf(folder);
  for (;;) {
    const { sha, time } =
      root === '' ? await host.newestCommit(branch) : newestOf(env, folder, [root, CONFIG_FILE]);
    const live = await liveCommit(url);
    const isLive = live === sha || (root !== '' && isSince(env, folder, sha, live));
    if (isLive || (live !== undefined && live === own)) {
      console.log(`live: ${isLive ? sha : own}`);
      return 0;
    }
    if (Date.now() - time < withinMs) {
      await sleep(pollMs);
      continue;
    }
    const minutes = Math.floor((Date.now() - time) / 60_000);
    const title = `The index is stale: commit ${sha.slice(0, 12)} is not live after ${minutes} minutes`;
    console.log(`::error::${title}`);
    await host.alarm(
      STALE_LABEL,
      title,
      `Live is ${live ?? 'nothing that can be read'}. See docs/operate.md.`,
    );
    return 1;
  }
}

/** In a larger repository other commits follow that change nothing of the registry, and none of them is deployed. */
function newestOf(
  env: Environment,
  folder: string,
  paths: readonly string[],
): { readonly sha: string; readonly time: number } {
  const log = ['log', '-1', '--first-parent', '--format=%H %ct', fetchBase(env, folder)];
  const [sha = '', seconds] = runGit(env, folder, [...log, '--', ...paths])
    .trim()
    .split(' ');
  return { sha, time: Number(seconds) * 1000 };
}

function isSince(env: Environment, folder: string, sha: string, live = ''): boolean {
  try {
    runGit(env, folder, ['merge-base', '--is-ancestor', sha, live], {}, 'pipe');
    return true;
  } catch {
    return false;
  }
}

/** The commit of the index that is served; `undefined` when it cannot be read. */
async function liveCommit(url: string): Promise<string | undefined> {
  try {
    const bytes = await readPublished(url)(REGISTRY_PATH);
    if (bytes === undefined) return undefined;
    const { source_commit: commit } = parseDocument(RegistryInfo, bytes, 'the registry');
    return /^[0-9a-f]{40,64}$/.test(commit) ? commit : undefined;
  } catch {
    return undefined;
  }
}
