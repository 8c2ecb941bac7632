/** `yank` and `deprecate`: open a pull request that edits the owner's file in the registry. */
import { isBuildId } from '../../format/build/build-id.ts';
import { ownerFilePath } from '../../format/registry/repository-layout.ts';
import { ClientError } from '../errors.ts';
import { checkedText } from '../publish/checked-text.ts';
import { unclaimedOwner } from '../publish/needs-admin.ts';
import { editDeprecation, editYank, isClaimed } from '../publish/owner-edit.ts';
import type { Proposal, ProposalBase, ProposalOptions } from '../publish/proposal.ts';
import { branchName } from '../publish/proposal.ts';
import {
  withNamedRegistry,
  publishedHead,
  publishedVersion,
} from '../publish/published-version.ts';
import { propose } from '../publish/propose.ts';
import { parseRequest } from '../resolve/request.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';
import { lowerCase } from '../../format/unicode.ts';

/** The limit of the owner file's schema. */
const MAX_REASON_CHARACTERS = 300;

export interface WithdrawOptions extends GlobalOptions, ProposalOptions {
  readonly reason: string | undefined;
  /** Undoes the yank or deprecation instead. */
  readonly undo: boolean;
}

/** @throws {ClientError} with nothing pushed */
export async function yank(
  text: string,
  given: WithdrawOptions,
  context: CommandContext,
): Promise<Outcome> {
  const { request, options } = withNamedRegistry(text, given);
  const reason = reasonOf(options);
  const { id, owner, name, version } = await publishedVersion(request, options, context);
  const verb = options.undo ? 'Unyank' : 'Yank';
  return propose(options, context, async (base) =>
    ownerProposal(base, owner, {
      branch: `${lowerCase(verb)}/${id}@${version}`,
      title: `${verb} ${id} ${version}`,
      reason,
      data: { build: id, version, ...(reason === undefined ? {} : { reason }) },
      edit: (text) => editYank(text, name, version, reason),
    }),
  );
}

export interface DeprecateOptions extends WithdrawOptions {
  /** Id of the build to use instead. */
  readonly replacement: string | undefined;
}

/** @throws {ClientError} with nothing pushed */
export async function deprecate(
  text: string,
  given: DeprecateOptions,
  context: CommandContext,
): Promise<Outcome> {
  const { request, options } = withNamedRegistry(text, given);
  const { id, range } = parseRequest(request);
  if (range !== undefined) {
    throw new ClientError('ERR_USAGE', 'A build is deprecated as a whole', {
      hint: `leave out "@${range}", or yank that version`,
    });
  }
  const { replacement, undo } = options;
  const reason = reasonOf(options);
  if (replacement !== undefined && (undo || !isBuildId(replacement) || replacement === id)) {
    throw new ClientError(
      'ERR_USAGE',
      `Option --replacement cannot be ${JSON.stringify(replacement)}`,
      {
        hint: 'give the id of another build, such as alice/web, and no --undo',
      },
    );
  }
  await publishedHead(id, options, context);
  if (replacement !== undefined) await publishedHead(replacement, options, context);
  const [owner = '', name = ''] = id.split('/');
  const instead = replacement === undefined ? {} : { replacement };
  return propose(options, context, async (base) =>
    ownerProposal(base, owner, {
      branch: `${undo ? 'undeprecate' : 'deprecate'}/${id}`,
      title: `${undo ? 'Undeprecate' : 'Deprecate'} ${id}`,
      reason,
      data: { build: id, ...(reason === undefined ? {} : { reason }), ...instead },
      edit: (text) =>
        editDeprecation(text, name, reason === undefined ? undefined : { reason, ...instead }),
    }),
  );
}

function reasonOf({ reason, undo }: WithdrawOptions): string | undefined {
  if (!undo) return checkedText(reason, '--reason', MAX_REASON_CHARACTERS);
  if (reason === undefined) return undefined;
  throw new ClientError('ERR_USAGE', 'Options --undo and --reason exclude each other', {
    hint: 'taking back needs no reason',
  });
}

interface OwnerChange {
  readonly branch: string;
  readonly title: string;
  readonly reason: string | undefined;
  readonly data: object;
  readonly edit: (text: string) => string;
}

async function ownerProposal(
  { clone, commit, layout }: ProposalBase,
  owner: string,
  { branch, title, reason, data, edit }: OwnerChange,
): Promise<Proposal> {
  const path = ownerFilePath(owner, layout);
  // An owner whose builds are older than owner files has none yet.
  const text = (await clone.read(commit, path)) ?? '{}\n';
  const bytes = Buffer.from(edit(text));
  const body = reason === undefined ? `${title}.` : `${title}: ${reason}`;
  const edits = [{ path, bytes, executable: false }];
  const warnings = isClaimed(text) ? [] : [unclaimedOwner(owner, layout)];
  return { branch: branchName(branch), title, body, edits, data, warnings };
}
