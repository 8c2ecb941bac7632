/**
 * Runs the commands under "Verify" in the guides of installed builds: those that need nothing else, such as a server that
 * was started. Publishers write them, so they run only where the user asks for it.
 */
import { INTEGRATION_FILE } from '../../format/build/build-files.ts';
import { isExpected, readStandaloneChecks } from '../../format/build/guide-checks.ts';
import type { LockedBuild } from '../../format/lock/lock.ts';
import { readEntries } from '../registry/fetch-build.ts';
import type { Registries } from '../registry/registries.ts';
import { type Ran, runShell } from './run-tests.ts';

export interface GuideRun {
  readonly build: string;
  readonly ran: readonly Ran[];
  /** 0 when all commands did what the guide expects. */
  readonly status: number;
}

/** The verified text of each guide; `undefined` for a build without one. @throws {ClientError} those of the registry */
export async function readGuides(
  registry: Registries,
  installed: readonly (readonly [string, LockedBuild])[],
): Promise<Map<string, string | undefined>> {
  const guides = installed.map(async ([id, { version, integrity }]) => {
    const entries = readEntries(id, version, await registry.tarball(id, version, integrity));
    const guide = entries.find(({ path }) => path === INTEGRATION_FILE);
    return [id, guide && new TextDecoder().decode(guide.bytes)] as const;
  });
  return new Map(await Promise.all(guides));
}

/** Runs the checks of one guide; `undefined` when none of them can run by itself. */
export async function runGuideChecks(
  project: string,
  build: string,
  guide: string,
  signal: AbortSignal,
  note: (line: string) => void,
): Promise<GuideRun | undefined> {
  const ran: Ran[] = [];
  for (const check of readStandaloneChecks(guide)) {
    const [command = ''] = check.commands;
    note(`${build}: ${command}`);
    const one = await runShell(project, command, signal, true);
    const isGood = one.status === 0 && isExpected(one.output, check);
    const status = isGood ? 0 : one.status || 1;
    ran.push({ ...one, status });
    if (!isGood) note(one.output.trimEnd());
  }
  if (ran.length === 0) return undefined;
  return { build, ran, status: ran.find((one) => one.status !== 0)?.status ?? 0 };
}
