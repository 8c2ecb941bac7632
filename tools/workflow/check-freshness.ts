/**
 * Raises an alarm when the newest commit of the base branch is not live some minutes after it landed:
 * without an alarm, a registry can go stale unnoticed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseDocument } from '../../format/document/document.ts';
import { REGISTRY_PATH } from '../../format/index/layout.ts';
import { RegistryInfo } from '../../format/index/registry-info.ts';
import { CodeHost } from './code-host.ts';
import { optional, required } from './environment.ts';
import type { Environment } from './environment.ts';
import { runScript } from './run-script.ts';

const TIMEOUT_MS = 20_000;
const LABEL = 'stale index';

await runScript(() => main(process.env));

async function main(env: Environment): Promise<number> {
  const url = required(env, 'BASE_URL').replace(/\/+$/, '');
  const branch = required(env, 'BASE_BRANCH');
  const withinMs = Number(optional(env, 'FRESH_WITHIN_SECONDS') ?? '600') * 1000;
  const pollMs = Number(optional(env, 'POLL_SECONDS') ?? '15') * 1000;
  const host = new CodeHost(env);
  for (;;) {
    const { sha, time } = await host.newestCommit(branch);
    const live = await liveCommit(url);
    if (live === sha) {
      console.log(`live: ${sha}`);
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
      LABEL,
      title,
      `Live is ${live ?? 'nothing that can be read'}. See docs/hosting.md.`,
    );
    return 1;
  }
}

/** The commit of the index that is served; `undefined` when it cannot be read. */
async function liveCommit(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/${REGISTRY_PATH}`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { 'cache-control': 'no-cache' },
    });
    if (!response.ok) return undefined;
    const bytes = new Uint8Array(await response.arrayBuffer());
    const { source_commit: commit } = parseDocument(RegistryInfo, bytes, 'the registry');
    return /^[0-9a-f]{40,64}$/.test(commit) ? commit : undefined;
  } catch {
    return undefined;
  }
}
