/** What a CI run ran on, as a report states it: of the stack only what the build requires. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LockedBuild } from '../../format/lock/lock.ts';
import { MAX_STACK_VERSIONS, type RanOn, tryNameVersion } from '../../format/statement/ran-on.ts';
import { findNodeManager } from '../project/node-manager.ts';
import { readStack } from '../project/stack/read-stack.ts';
import { captureProgram } from '../project/start-program.ts';
import { withoutIdentity } from '../publish/ci-token.ts';

const OPERATING_SYSTEMS: Readonly<Partial<Record<NodeJS.Platform, RanOn['os']>>> = {
  linux: 'linux',
  darwin: 'macos',
  win32: 'windows',
};
const VERSION_TIMEOUT_MS = 10_000;
const MAX_VERSION_BYTES = 1000;

/** Reads the project once; the function that it returns is for each build. @throws {ClientError} `ERR_PROJECT_FILE` */
export async function readRanOn(
  project: string,
  signal: AbortSignal,
): Promise<(build: Pick<LockedBuild, 'requires'>) => RanOn> {
  const node = process.versions.node;
  const facts = await readStack(project, node);
  const manager = await managerInUse(project, signal);
  const os = OPERATING_SYSTEMS[process.platform] ?? 'other';
  return ({ requires }) => {
    const stack = Object.keys(requires).flatMap((tag) => {
      // The file of a project may name another Node.js than the one that runs.
      const version = tag === 'node' ? node : facts.get(tag)?.version;
      return version === undefined ? [] : (tryNameVersion(tag, version) ?? []);
    });
    const some = stack.sort().slice(0, MAX_STACK_VERSIONS);
    return { stack: some, ...(manager === undefined ? {} : { manager }), os };
  };
}

/**
 * Package managers read settings of the folder that they are started in, and run programs that those name: they are started in
 * an empty one, without the identity of the run.
 */
async function managerInUse(project: string, signal: AbortSignal): Promise<string | undefined> {
  const { name, version: named } = await findNodeManager(project);
  if (named !== undefined) return tryNameVersion(name, named);
  const cwd = mkdtempSync(join(tmpdir(), 'stackyard-empty-'));
  try {
    const printed = await captureProgram(name, ['--version'], {
      cwd,
      env: withoutIdentity(process.env),
      timeoutMs: VERSION_TIMEOUT_MS,
      maxBytes: MAX_VERSION_BYTES,
      signal,
    });
    const [version] = /\d[0-9A-Za-z.+-]*/.exec(printed ?? '') ?? [];
    return version === undefined ? undefined : tryNameVersion(name, version);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
