/** Runs commands of a project: its tests, or the checks of guides. Only where the user asks for it. */
import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { PACKAGE_JSON } from '../edit/edited-files.ts';
import { findNodeManager } from '../project/package-managers.ts';
import { field } from '../../format/document/canonical-json.ts';
import { readJson } from '../project/read-file.ts';
import { startProgram, withoutIdentity } from '../project/start-program.ts';
import { findWorkspaceRoot } from '../project/workspace.ts';
import { pythonSteps } from '../apply/first-steps.ts';
import { venvPython } from '../apply/python-packages.ts';
import { INTEGRATION_FILE } from '../../format/build/build-files.ts';
import { isExpected, readStandaloneChecks } from '../../format/build/guide-checks.ts';
import { mayExpect } from '../../format/wiring/wire-info.ts';
import type { LockedBuild } from '../../format/project/lock.ts';
import { readEntries } from '../change/fetch-builds.ts';
import type { Registries } from '../registry/registries.ts';

interface Ran {
  /** As it is typed. */
  readonly command: string;
  /** Its exit status; 1 for a signal. */
  readonly status: number;
  /** What it wrote to its standard output and error, when it was captured. */
  readonly output: string;
}

const MAX_OUTPUT_CHARACTERS = 1_000_000;

const TEST_STEP = / -m pytest$/;

/** The command that tests the project: its script `test`, or pytest; `undefined` where it has none. */
export async function testCommand(project: string): Promise<string | undefined> {
  const scripts = field(readJson(join(project, PACKAGE_JSON)), 'scripts');
  if (typeof field(scripts, 'test') === 'string') {
    const { name } = await findNodeManager(project);
    return name === 'deno' ? 'deno task test' : `${name} run test`;
  }
  if (!pythonSteps(project).some(({ command }) => TEST_STEP.test(command))) return undefined;
  return `${projectPython(project) ?? 'python'} -m pytest`;
}

/** The Python of the environment of the project or of its workspace, for a shell in the project; `undefined` where there is none. */
export function projectPython(project: string): string | undefined {
  const up = relative(project, findWorkspaceRoot(project)).split(sep).join('/');
  const own = [venvPython(), venvPython().replace('.venv', 'venv')];
  const places = up === '' ? own : [...own, ...own.map((python) => `${up}/${python}`)];
  return places.find((python) => existsSync(join(project, python)));
}

/**
 * Runs a command by the shell of the system, with its output on standard error or captured, without standard input and
 * without the identity of the CI run: what runs there must not sign anything.
 */
export async function runShell(
  project: string,
  command: string,
  signal: AbortSignal,
  isCaptured = false,
): Promise<Ran> {
  const [program, args] =
    process.platform === 'win32'
      ? ['cmd.exe', ['/d', '/s', '/c', command]]
      : ['sh', ['-c', command]];
  const env = { ...withoutIdentity(process.env), ...(isCaptured && { NO_COLOR: '1' }) };
  const to = isCaptured ? 'pipe' : process.stderr;
  const child = startProgram(program, args, {
    cwd: project,
    env,
    stdio: ['ignore', to, to],
    signal,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(0, MAX_OUTPUT_CHARACTERS);
    });
  }
  const status = await new Promise<number>((resolve, reject) => {
    child.on('error', (error) => {
      if (signal.aborted) reject(error);
      else resolve(127);
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
  return { command, status, output };
}

interface GuideRun {
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

const START_LIMIT_MS = 30_000;

/**
 * Starts the application of the project and sends the requests that a guide promises answers to; `undefined` where it promises
 * none, or nothing starts the project.
 */
export async function runExpectations(
  project: string,
  build: string,
  guide: string,
  signal: AbortSignal,
  note: (line: string) => void,
): Promise<GuideRun | undefined> {
  if (!mayExpect(guide)) return undefined;
  const { parseExpectations } = await import('../../format/wiring/expectations.ts');
  const { requests, findings } = parseExpectations(guide);
  const { proofCommands } = await import('./proof-commands.ts');
  const start = (await proofCommands(project, false)).find(({ kind }) => kind === 'start');
  if (requests.length === 0 || findings.length > 0 || start === undefined) return undefined;
  const { withApplication } = await import('./run-command.ts');
  const { checkExpectations } = await import('./check-expectations.ts');
  const { command } = start;
  note(`${build}: ${command}`);
  const limits = { timeMs: START_LIMIT_MS, signal };
  const started = await withApplication(command, project, limits, (address) =>
    checkExpectations(address, requests, signal),
  );
  if (started.kind !== 'listened') {
    note(started.output.trimEnd());
    return { build, ran: [{ command, status: 1, output: started.output }], status: 1 };
  }
  const ran = started.result.map(({ request, status, why = '' }) => {
    if (why !== '') note(`${build}: ${request} answered ${status ?? 'nothing'}, ${why}`);
    return { command: request, status: why === '' ? 0 : 1, output: why };
  });
  return { build, ran, status: ran.some((one) => one.status !== 0) ? 1 : 0 };
}

/** Both runs of one guide as one. */
export function joinRuns(a: GuideRun | undefined, b: GuideRun | undefined): GuideRun | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return { build: a.build, ran: [...a.ran, ...b.ran], status: a.status || b.status };
}
