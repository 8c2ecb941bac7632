/**
 * Reports the outcomes of a CI run to the account services of the registries, signed by the run's own identity. Nothing here
 * fails: a run without an identity, a network or a service has a note instead.
 */
import { StackyardError } from '../../format/errors.ts';
import type { Lock } from '../../format/lock/lock.ts';
import { requestCiToken } from '../publish/ci-token.ts';
import { type CiReport, type CiReportResult, sendCiReports } from '../publish/send-ci-reports.ts';
import type { Registries } from '../registry/registries.ts';
import type { CommandContext, GlobalOptions } from './command.ts';
import { withRegistryIfNeeded } from './open-registry.ts';
import { readRanOn } from './ran-on.ts';

export interface ReportServiceOptions extends GlobalOptions {
  /** Address of the account service; default: the one that the registry of a build names. */
  readonly service: string | undefined;
  readonly audience: string | undefined;
}

/** Build to what the run found. */
export type Outcomes = ReadonlyMap<string, 'success' | 'failure'>;

interface Reported {
  readonly results: readonly CiReportResult[];
  /** Why something was not sent. */
  readonly notes: readonly string[];
}

interface Service {
  readonly address: string;
  readonly audience: string;
}

/** How many the service takes in one request. */
const MAX_REPORTS = 100;
const DEFAULT_AUDIENCE = 'stackyard';
const NO_IDENTITY =
  'this run has no identity: GitHub Actions needs the permission "id-token: write", GitLab CI id_tokens with STACKYARD_ID_TOKEN';

/** Sends the outcomes of builds that a registry has published. */
export async function reportOutcomes(
  project: string,
  lock: Lock,
  outcomes: Outcomes,
  options: ReportServiceOptions,
  context: CommandContext,
): Promise<Reported> {
  const results: CiReportResult[] = [];
  const notes: string[] = [];
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      context.signal.throwIfAborted();
      if (!(error instanceof StackyardError)) throw error;
      notes.push(error.message);
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
          findService(options, registry, open),
        );
        if (service === undefined) notes.push('the registry names no service that takes reports');
        else results.push(...(await send(service, reports, notes, context.signal)));
      });
    }
  });
  return { results, notes };
}

async function findService(
  { service, audience }: ReportServiceOptions,
  registry: string,
  open: () => Promise<Registries>,
): Promise<Service | undefined> {
  const given = service ?? process.env['STACKYARD_REPORTS'] ?? '';
  if (given !== '') {
    return { address: given.replace(/\/+$/, ''), audience: audience ?? DEFAULT_AUDIENCE };
  }
  const { set } = await open();
  const info = await set.use(set.named(registry)).info();
  await set.checked(set.named(registry));
  const named = info?.reports;
  return named && { address: named.address, audience: audience ?? named.audience };
}

async function send(
  { address, audience }: Service,
  reports: readonly CiReport[],
  notes: string[],
  signal: AbortSignal,
): Promise<CiReportResult[]> {
  const results: CiReportResult[] = [];
  // A token serves for one request.
  for (let at = 0; at < reports.length; at += MAX_REPORTS) {
    const token = await requestCiToken(audience, process.env, signal);
    if (token === undefined) {
      notes.push(NO_IDENTITY);
      return results;
    }
    const some = reports.slice(at, at + MAX_REPORTS);
    results.push(...(await sendCiReports(address, token, some, signal)));
  }
  return results;
}
