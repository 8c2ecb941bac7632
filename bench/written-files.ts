/** What a run of the generator changed in an index. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface WrittenFile {
  /** In the index, with a `/` before it. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/** The files below `root` that were written at the time `started` or later. */
export function filesSince(root: string, started: number): WrittenFile[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => ({ path: `/${path}`, stats: statSync(join(root, path)) }))
    .filter(({ stats }) => stats.isFile() && stats.mtimeMs >= started)
    .map(({ path, stats }) => ({ path, size: stats.size }));
}

/** `12 files, 34 KB; 1 shards, 5 KB`: a shard of the catalog grows with the registry up to its limit, so it stands apart. */
export function describeWritten(written: readonly WrittenFile[]): string {
  const shards = written.filter(({ path }) => path.includes('/catalog/'));
  const others = written.filter((file) => !shards.includes(file));
  const kilobytes = (some: readonly WrittenFile[]): string =>
    `${(some.reduce((sum, { size }) => sum + size, 0) / 1000).toFixed(0)} KB`;
  return `${others.length} files, ${kilobytes(others)}; ${shards.length} shards, ${kilobytes(shards)}`;
}
