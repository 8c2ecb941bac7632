/** Runs what the guide of a build verifies it with: its commands, and its requests to the application. */
import { INTEGRATION_FILE } from '../../format/build/build-files.ts';
import { isExpected, readStandaloneChecks } from '../../format/build/guide-checks.ts';
import type { LockedBuild } from '../../format/project/lock.ts';
import { mayExpect } from '../../format/wiring/wire-info.ts';
import type { Watch } from '../apply/install-packages.ts';
import { readEntries } from '../change/fetch-builds.ts';
import type { Registries } from '../registry/registries.ts';

interface Ran {
  /** As it is typed. */
  readonly command: string;
  /** 0 when it did what the guide expects. */
  readonly status: number;
}

/** Nothing ends what a publisher has written for hours. */
const LIMIT_MS = 600_000;

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

/** Runs the commands of a guide that need nothing else. @throws what the signal is aborted with */
export async function runGuideChecks(
  project: string,
  build: string,
  guide: string,
  { signal, note }: Watch,
): Promise<Ran[]> {
  const { runLimited } = await import('./run-command.ts');
  const ran: Ran[] = [];
  for (const check of readStandaloneChecks(guide)) {
    const [command = ''] = check.commands;
    note(`${build}: ${command}`);
    const { status = 1, output } = await runLimited(command, project, { timeMs: LIMIT_MS, signal });
    const isGood = status === 0 && isExpected(output, check);
    if (!isGood) note(output.trimEnd());
    ran.push({ command, status: isGood ? 0 : status || 1 });
  }
  return ran;
}

/**
 * Starts the application of the project and sends the requests that a guide promises answers to; nothing where it promises
 * none, or nothing starts the project.
 * @throws what the signal is aborted with
 */
export async function runExpectations(
  project: string,
  build: string,
  guide: string,
  { signal, note }: Watch,
): Promise<Ran[]> {
  if (!mayExpect(guide)) return [];
  const { parseExpectations } = await import('../../format/wiring/expectations.ts');
  const { requests, findings } = parseExpectations(guide);
  const { proofCommands } = await import('./proof-commands.ts');
  const start = (await proofCommands(project)).find(({ kind }) => kind === 'start');
  if (requests.length === 0 || findings.length > 0 || start === undefined) return [];
  const { measure } = await import('./measure.ts');
  const watch = { signal, note: (line: string): void => note(`${build}: ${line}`) };
  const { results, answers } = await measure(project, { commands: [start], requests, ...watch });
  const { state, output } = results.get(start)!;
  for (const line of output) note(line);
  if (state !== 'passed') return [{ command: start.command, status: 1 }];
  return answers.map(({ request, status, why }) => {
    if (why !== undefined) note(`${build}: ${request} answered ${status ?? 'nothing'}, ${why}`);
    return { command: request, status: why === undefined ? 0 : 1 };
  });
}
