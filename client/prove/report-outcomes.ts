/**
 * Reports the outcomes of a CI run to the account services of the registries, signed by the run's own identity. Nothing here
 * fails: a run without an identity, a network or a service has a note instead.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { StackyardError } from '../../format/errors.ts';
import { isReportAddress } from '../../format/index/registry-info.ts';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import type { Lock, LockedBuild } from '../../format/project/lock.ts';
import { ClientError } from '../errors.ts';
import { requestCiToken, withoutIdentity, askJson } from '../publish/ask-json.ts';
import type { CommandContext, GlobalOptions } from '../terminal/command.ts';
import { withCached } from '../registry/open-registry.ts';
import {
  MAX_STACK_VERSIONS,
  tryNameVersion,
  type RanOn,
  type Report,
} from '../../format/statement/statement.ts';
import { findNodeManager } from '../project/package-managers.ts';
import { readStack } from '../project/stack/read-stack.ts';
import { captureProgram } from '../project/start-program.ts';
import { span, type StyledText } from '../terminal/styled-text.ts';
import { oneLine } from '../terminal/printable.ts';

export interface ReportServiceOptions extends GlobalOptions {
  /** Address of the account service, which the workflow gives; default: the one that the lock has. */
  readonly service?: string | undefined;
}

/** Build to what the run found. */
type Outcomes = ReadonlyMap<string, 'success' | 'failure'>;

interface Reported {
  readonly results: readonly CiReportResult[];
  /** Why something was not sent. */
  readonly notes: readonly string[];
  /** A registry names another service than the accepted one. */
  readonly error?: ClientError;
}

/** How many the service takes in one request. */
const MAX_REPORTS = 100;
const NO_IDENTITY =
  'this run has no identity: GitHub Actions needs the permission "id-token: write", GitLab CI id_tokens with STACKYARD_ID_TOKEN';

/**
 * Sends the outcomes of builds that a registry has published, to the service that the workflow gives or that the lock has: what
 * a registry names is only compared with it.
 */
export async function reportOutcomes(
  project: string,
  lock: Lock,
  outcomes: Outcomes,
  options: ReportServiceOptions,
  context: CommandContext,
): Promise<Reported> {
  const results: CiReportResult[] = [];
  const notes: string[] = [];
  let refused: ClientError | undefined;
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      context.signal.throwIfAborted();
      if (!(error instanceof StackyardError)) throw error;
      if (error instanceof ClientError && error.code === 'ERR_REPORT_SERVICE') refused = error;
      else notes.push(error.message);
    }
  };
  if (outcomes.size === 0) return { results, notes };
  if (options.offline) return { results, notes: ['--offline sends nothing'] };
  await attempt(async () => {
    const ranOn = await readRanOn(project, context.signal);
    const byRegistry = Map.groupBy(outcomes, ([id]) => lock.builds[id]?.registry ?? '');
    for (const [registry, builds] of byRegistry) {
      const reports = builds.flatMap(([build, outcome]): CiReport[] => {
        const locked = lock.builds[build];
        if (locked === undefined) return [];
        const { version, integrity } = locked;
        return [{ build, version, integrity, outcome, ran_on: ranOn(locked) }];
      });
      await attempt(async () => {
        const service = await findService(options, lock, registry, context);
        if ('missing' in service) return void notes.push(service.missing);
        context.terminal.message(`Reporting to ${service.address}`);
        results.push(...(await send(service.address, reports, notes, context.signal)));
      });
    }
  });
  return refused === undefined ? { results, notes } : { results, notes, error: refused };
}

/**
 * The address that a person has accepted, or why there is none.
 * @throws {ClientError} `ERR_REPORT_SERVICE` when the registry names another one; `ERR_USAGE`, and those of the registry
 */
async function findService(
  options: ReportServiceOptions,
  lock: Lock,
  registry: string,
  context: CommandContext,
): Promise<{ readonly address: string } | { readonly missing: string }> {
  const given = (options.service ?? process.env['STACKYARD_REPORTS'] ?? '').replace(/\/+$/, '');
  if (given !== '') {
    if (isReportAddress(given)) return { address: given };
    throw new ClientError('ERR_USAGE', `The address of the account service is not one of https`);
  }
  const accepted = lock.registries[registry]?.reports;
  const info = await withCached(options, lock, context, async ({ set }) => {
    const found = await set.use(set.named(registry)).info();
    await set.checked(set.named(registry));
    return found;
  });
  const named = info?.reports?.address;
  const accept = `stackyard registry reports ${registry}`;
  if (named === undefined) return { missing: 'the registry names no service that takes reports' };
  if (accepted === named) return { address: named };
  if (accepted === undefined) {
    const way = `run "${accept} ${named}" and commit ${LOCK_FILE}, or give --service`;
    return { missing: `nobody has accepted ${named}, which the registry names: ${way}` };
  }
  throw new ClientError(
    'ERR_REPORT_SERVICE',
    `The registry "${registry}" names ${named} for reports of CI runs, and ${LOCK_FILE} has ${accepted}: nothing was sent`,
    { hint: `if its operators confirm the new address: ${accept} ${named}` },
  );
}

async function send(
  address: string,
  reports: readonly CiReport[],
  notes: string[],
  signal: AbortSignal,
): Promise<CiReportResult[]> {
  const results: CiReportResult[] = [];
  // A token serves for one request.
  for (let at = 0; at < reports.length; at += MAX_REPORTS) {
    const token = await requestCiToken(address, process.env, signal);
    if (token === undefined) {
      notes.push(NO_IDENTITY);
      return results;
    }
    const some = reports.slice(at, at + MAX_REPORTS);
    results.push(...(await sendCiReports(address, token, some, signal)));
  }
  return results;
}

const OPERATING_SYSTEMS: Readonly<Partial<Record<NodeJS.Platform, RanOn['os']>>> = {
  linux: 'linux',
  darwin: 'macos',
  win32: 'windows',
};
const VERSION_TIMEOUT_MS = 10_000;
const MAX_VERSION_BYTES = 1000;

/** Reads the project once; the function that it returns is for each build. @throws {ClientError} `ERR_PROJECT_FILE` */
async function readRanOn(
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

/** One line for each report that was sent. */
export function reportedLines(
  outcomes: Outcomes,
  results: readonly CiReportResult[],
): StyledText[] {
  return results.map(({ build, version, refused }) => {
    const about = `${build}@${version}`;
    if (refused !== undefined) return [span('changed', 'refused'), `  ${about}: ${refused}`];
    return [span('good', 'reported'), `  ${about}  ${outcomes.get(build) ?? ''}`];
  });
}

/** What the run states; account and day come from the token and the service. */
type CiReport = Omit<Report, 'account' | 'day' | 'note'>;

/** What became of a report: its id, or why the service does not take it. */
interface CiReportResult {
  readonly build: string;
  readonly version: string;
  readonly id?: string | undefined;
  readonly refused?: string | undefined;
}

const Problem = z.object({ code: z.string(), message: z.string() });
const Results = z.object({
  results: z.array(
    z.object({
      build: z.string(),
      version: z.string(),
      id: z.string().optional(),
      error: Problem.optional(),
    }),
  ),
});

/**
 * @param service an address that a person has accepted: it gets the token
 * @throws {ClientError} `ERR_NETWORK`; `ERR_CODE_HOST` when the service takes none of them
 */
async function sendCiReports(
  service: string,
  token: string,
  reports: readonly CiReport[],
  signal: AbortSignal,
): Promise<CiReportResult[]> {
  const url = `${service}/reports`;
  const { status, value } = await askJson('the account service', url, {
    token,
    body: { reports },
    signal,
  });
  const results = status === 202 ? Results.safeParse(value).data?.results : undefined;
  if (results === undefined) {
    const { error } = z.object({ error: Problem }).safeParse(value).data ?? {};
    const why =
      error === undefined ? '' : `: ${oneLine(error.message).slice(0, 300)} (${error.code})`;
    throw new ClientError('ERR_CODE_HOST', `The account service answers ${status}${why}`);
  }
  return results.map(({ build, version, id, error }) => {
    return { build, version, id, refused: error && oneLine(error.message).slice(0, 300) };
  });
}
