/**
 * Reports the outcomes of a CI run to the account services of the registries, signed by the run's own identity. Nothing here
 * fails: a run without an identity, a network or a service has a note instead.
 */
import { StackyardError } from '../../format/errors.ts';
import { isReportAddress } from '../../format/index/report-service.ts';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import type { Lock } from '../../format/lock/lock.ts';
import { ClientError } from '../errors.ts';
import { requestCiToken } from '../publish/ci-token.ts';
import { type CiReport, type CiReportResult, sendCiReports } from '../publish/send-ci-reports.ts';
import type { Registries } from '../registry/registries.ts';
import type { CommandContext, GlobalOptions } from './command.ts';
import { withRegistryIfNeeded } from './open-registry.ts';
import { readRanOn } from './ran-on.ts';

export interface ReportServiceOptions extends GlobalOptions {
  /** Address of the account service, which the workflow gives; default: the one that the lock has. */
  readonly service?: string | undefined;
}

/** Build to what the run found. */
export type Outcomes = ReadonlyMap<string, 'success' | 'failure'>;

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
        const service = await withRegistryIfNeeded(options, lock, context, (open) =>
          findService(options, lock, registry, open),
        );
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
  { service }: ReportServiceOptions,
  lock: Lock,
  registry: string,
  open: () => Promise<Registries>,
): Promise<{ readonly address: string } | { readonly missing: string }> {
  const given = (service ?? process.env['STACKYARD_REPORTS'] ?? '').replace(/\/+$/, '');
  if (given !== '') {
    if (isReportAddress(given)) return { address: given };
    throw new ClientError('ERR_USAGE', `The address of the account service is not one of https`);
  }
  const accepted = lock.registries[registry]?.reports;
  const { set } = await open();
  const info = await set.use(set.named(registry)).info();
  await set.checked(set.named(registry));
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
