/** Sends reports that a CI run signs to an account service, and reads what became of each. */
import { z } from 'zod';
import type { Report } from '../../format/statement/report.ts';
import { ClientError } from '../errors.ts';
import { oneLine } from '../terminal/printable.ts';
import { askJson } from './ask-json.ts';

/** What the run states; account and day come from the token and the service. */
export type CiReport = Omit<Report, 'account' | 'day' | 'note'>;

/** What became of a report: its id, or why the service does not take it. */
export interface CiReportResult {
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
export async function sendCiReports(
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
