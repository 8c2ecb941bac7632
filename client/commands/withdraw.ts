/** `yank`, also with `--withdraw`, and `deprecate`: open a pull request that edits the owner's file in the registry. */
import { z } from 'zod';
import { PROPOSED, define, oneBuild, sendNothing, flag, word } from '../terminal/options.ts';
import { isBuildId } from '../../format/build/build-id.ts';
import { ownerFilePath } from '../../format/registry/repository-layout.ts';
import { ClientError } from '../errors.ts';
import { checkedText } from '../publish/checked-text.ts';
import { unclaimedOwner } from '../publish/build-proposal.ts';
import { editDeprecation, editWithdrawal, editYank, isClaimed } from '../publish/owner-edit.ts';
import { branchName, type Proposal, type ProposalBase } from '../publish/proposal.ts';
import { withNamedRegistry } from '../publish/named-registry.ts';
import { publishedHead, publishedVersion } from '../publish/published-version.ts';
import { propose } from '../publish/propose.ts';
import { parseRequest } from '../resolve/request.ts';
import { fullIds } from '../search/short-ids.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';

/** The limit of the owner file's schema. */
const MAX_REASON_CHARACTERS = 300;

const Yank = z.object({
  build: oneBuild('<owner>/<name>@<version>'),
  reason: word('why, at most 300 characters', 'text'),
  undo: flag('undo it instead'),
  withdraw: z.boolean().default(false).meta({
    description:
      'withdraw it completely and permanently, in the 72 hours after its publication: its tarball, README and guide go',
    excludes: 'undo',
  }),
  dryRun: sendNothing,
});
const Deprecate = Yank.omit({ withdraw: true }).extend({
  build: oneBuild('<owner>/<name>'),
  replacement: word('the build to use instead', 'build'),
});

type YankOptions = GlobalOptions & Omit<z.infer<typeof Yank>, 'build'>;
type DeprecateOptions = GlobalOptions & Omit<z.infer<typeof Deprecate>, 'build'>;

export const yankCommand = define({
  description:
    'Proposes to yank a published version: locked installs keep working, new ones do not choose it',
  input: Yank,
  output: z.strictObject({ ...PROPOSED, version: z.string(), reason: z.string().optional() }),
  examples: [
    'yank alice/web@1.0.1 --reason "Loses the last line"',
    'yank alice/web@1.0.1 --withdraw --reason "Has a key"',
  ],
  run: async ({ build, ...input }, shared, context) => {
    const [id = ''] = await fullIds([build], undefined, shared, context);
    return yank(id, { ...shared, ...input }, context);
  },
});

export const deprecateCommand = define({
  description:
    'Proposes to deprecate a build: installing it prints a warning, with the replacement',
  input: Deprecate,
  output: z.strictObject({
    ...PROPOSED,
    reason: z.string().optional(),
    replacement: z.string().optional(),
  }),
  examples: ['deprecate alice/web --reason "Not maintained" --replacement bob/web'],
  run: async ({ build, replacement, ...input }, shared, context) => {
    const [id = ''] = await fullIds([build], undefined, shared, context);
    const named = replacement === undefined ? [] : [replacement];
    const [other] = await fullIds(named, undefined, shared, context);
    return deprecate(id, { ...shared, ...input, replacement: other }, context);
  },
});

/** @throws {ClientError} with nothing pushed */
async function yank(text: string, given: YankOptions, context: CommandContext): Promise<Outcome> {
  const { request, options } = withNamedRegistry(text, given);
  const reason = reasonOf(options);
  const { id, owner, name, version } = await publishedVersion(request, options, context);
  const verb = options.withdraw ? 'Withdraw' : options.undo ? 'Unyank' : 'Yank';
  return propose(options, context, async (base) =>
    ownerProposal(base, owner, {
      branch: `${verb.toLowerCase()}/${id}@${version}`,
      title: `${verb} ${id} ${version}`,
      reason,
      data: { build: id, version, ...(reason === undefined ? {} : { reason }) },
      edit: (text) =>
        options.withdraw
          ? editWithdrawal(text, name, version, reason ?? '')
          : editYank(text, name, version, reason),
    }),
  );
}

/** @throws {ClientError} with nothing pushed */
async function deprecate(
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
      { hint: 'give the id of another build, such as alice/web, and no --undo' },
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

function reasonOf({ reason, undo }: Pick<YankOptions, 'reason' | 'undo'>): string | undefined {
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
