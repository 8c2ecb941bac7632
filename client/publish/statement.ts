/** Proposes a report or a flag: one new file, named by its digest. */
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { Flag } from '../../format/statement/flag.ts';
import { Report } from '../../format/statement/report.ts';
import { statementId, statementPath } from '../../format/statement/statement.ts';
import type { StatementKind } from '../../format/statement/statement.ts';
import { ClientError } from '../errors.ts';
import type { Proposal, ProposalBase, PublishedVersion } from './proposal.ts';
import { branchName } from './proposal.ts';
import { lowerCase } from '../../format/unicode.ts';

export interface StatementInput {
  readonly kind: StatementKind;
  /** `outcome` of a report, `reason` of a flag. */
  readonly claim: { readonly outcome: string } | { readonly reason: string };
  readonly note: string | undefined;
  /** `YYYY-MM-DD`, of UTC. */
  readonly day: string;
  /** The numeric account, when no token identifies it. */
  readonly accountId: number | undefined;
}

/** @throws {ClientError} `ERR_NEEDS_ANSWER` when the account is unknown */
export function statementProposal(
  { user }: ProposalBase,
  { id, version, integrity }: PublishedVersion,
  { kind, claim, note, day, accountId }: StatementInput,
): Proposal {
  const account = user?.id ?? accountId;
  if (account === undefined) {
    throw new ClientError('ERR_NEEDS_ANSWER', 'The account of this statement is unknown', {
      hint: 'set GITHUB_TOKEN, or give the number of your account at the code host with --account-id',
    });
  }
  if (user !== undefined && accountId !== undefined && accountId !== user.id) {
    throw new ClientError(
      'ERR_USAGE',
      `GITHUB_TOKEN is of the account ${user.id}, not ${accountId}`,
      {
        hint: 'leave out --account-id',
      },
    );
  }
  const noted = note === undefined ? {} : { note };
  const fields = {
    build: id,
    version,
    integrity,
    account: `host:${account}`,
    day,
    ...noted,
    ...claim,
  };
  const statement = kind === 'reports' ? Report.parse(fields) : Flag.parse(fields);
  const verb = kind === 'reports' ? 'Report' : 'Flag';
  const what = Object.values(claim).join('');
  return {
    branch: branchName(
      `${lowerCase(verb)}/${id}@${version}/${statementId(statement).slice(0, 16)}`,
    ),
    title: `${verb} ${id} ${version}: ${what}`,
    body: note ?? `${verb} of ${id} ${version}: ${what}`,
    edits: [
      {
        path: statementPath(kind, statement),
        bytes: Buffer.from(canonicalJson(statement)),
        executable: false,
      },
    ],
    data: { build: id, version, document: statement },
  };
}
