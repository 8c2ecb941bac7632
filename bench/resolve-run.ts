/**
 * Resolves a universe that `bench/resolve.ts` wrote into a folder, and prints the outcome of this one run.
 *
 *     node bench/resolve-run.ts <folder>
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KnownHead } from '../client/resolve/version-age.ts';
import { Resolver } from '../client/resolve/resolver.ts';

export interface OwnRun {
  readonly outcome: 'solved' | 'refuted' | 'gave up';
  /** Duration of the search, without reading heads. */
  readonly searchMs: number;
  readonly peakBytes: number;
}

console.log(JSON.stringify(runSearch(process.argv[2] ?? '')));

/** Resolves the universe in `folder`, whose heads are read on demand. */
function runSearch(folder: string): OwnRun {
  const asked = JSON.parse(readFileSync(join(folder, 'requests.json'), 'utf8')) as [
    string,
    string,
  ][];
  const heads = new Map<string, KnownHead>();
  const requests = asked.map(([id, range]) => ({ id, range }));
  const input = {
    requests,
    heads,
    missing: new Set<string>(),
    locked: new Map(),
    stack: new Map(),
  };
  const resolver = new Resolver(input);
  let searchMs = 0;
  for (;;) {
    const started = performance.now();
    const resolution = resolver.run();
    searchMs += performance.now() - started;
    if (resolution.kind !== 'needs-heads') {
      const peakBytes = peakMemory();
      if (resolution.kind === 'solved') return { outcome: 'solved', searchMs, peakBytes };
      const outcome = resolution.code === 'ERR_RESOLVE_LIMIT' ? 'gave up' : 'refuted';
      return { outcome, searchMs, peakBytes };
    }
    for (const id of resolution.ids) {
      const text = readFileSync(join(folder, 'heads', `${id}.json`), 'utf8');
      heads.set(id, JSON.parse(text) as KnownHead);
    }
  }
}

/** Of this program alone: what the operating system counts may include the process that started it. */
function peakMemory(): number {
  try {
    const [, kilobytes] =
      /^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    if (kilobytes !== undefined) return Number(kilobytes) * 1024;
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS * 1024;
}
