/** `report` and `flag`: open a pull request with a statement about a published version. */
import { MAX_NOTE_CHARACTERS } from '../../format/statement/statement.ts';
import { ClientError } from '../errors.ts';
import { checkedText } from '../publish/checked-text.ts';
import type { ProposalOptions } from '../publish/proposal.ts';
import { withNamedRegistry, publishedVersion } from '../publish/published-version.ts';
import { propose } from '../publish/propose.ts';
import type { StatementInput } from '../publish/statement.ts';
import { statementProposal } from '../publish/statement.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';

export interface StatementOptions extends GlobalOptions, ProposalOptions {
  readonly note: string | undefined;
  readonly accountId: number | undefined;
}

/** Proposes a report that a version worked or failed. @throws {ClientError} with nothing pushed */
export async function reportVersion(
  request: string,
  outcome: string,
  options: StatementOptions,
  context: CommandContext,
): Promise<Outcome> {
  return proposeStatement(request, 'reports', { outcome }, options, context);
}

/** Proposes a flag for the admins. @throws {ClientError} with nothing pushed */
export async function flagVersion(
  request: string,
  options: StatementOptions & { readonly reason: string | undefined },
  context: CommandContext,
): Promise<Outcome> {
  const { reason } = options;
  if (reason === undefined) {
    throw new ClientError('ERR_USAGE', 'Option --reason is missing', {
      hint: 'see stackyard flag --help for the reasons',
    });
  }
  return proposeStatement(request, 'flags', { reason }, options, context);
}

async function proposeStatement(
  text: string,
  kind: StatementInput['kind'],
  claim: StatementInput['claim'],
  given: StatementOptions,
  context: CommandContext,
): Promise<Outcome> {
  const { request, options } = withNamedRegistry(text, given);
  const { note: written, accountId } = options;
  const note =
    written === undefined ? undefined : checkedText(written, '--note', MAX_NOTE_CHARACTERS);
  const version = await publishedVersion(request, options, context);
  const day = new Date().toISOString().slice(0, 10);
  return propose(options, context, async (base) =>
    statementProposal(base, version, { kind, claim, note, day, accountId }),
  );
}
