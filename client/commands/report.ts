/** `report`: opens a pull request with a statement about a published version. */
import { z } from 'zod';
import { PROPOSED, accountId, define, oneBuild, sendNothing, word } from '../terminal/options.ts';
import {
  MAX_NOTE_CHARACTERS,
  Flag,
  Report,
  statementId,
  statementPath,
  type StatementKind,
} from '../../format/statement/statement.ts';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import { ClientError } from '../errors.ts';
import { chooseProject } from '../project/choose-project.ts';
import { requireLock } from '../project/project.ts';
import { fullIds } from '../search/short-ids.ts';
import { checkedText } from '../publish/checked-text.ts';
import { withNamedRegistry } from '../publish/named-registry.ts';
import { publishedVersion } from '../publish/published-version.ts';
import { propose } from '../publish/propose.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import {
  branchName,
  type Proposal,
  type ProposalBase,
  type PublishedVersion,
} from '../publish/proposal.ts';

const Input = z.object({
  build: oneBuild('<owner>/<name>@<version>'),
  outcome: z.enum(['success', 'failure', 'proof', 'flag']).meta({
    description:
      'how it went; proof: success as the last proof in this project shows; flag asks the admins to review the version',
    isArgument: true,
  }),
  note: word('what worked or failed, at most 500 characters', 'text'),
  reason: z
    .enum(['malware', 'secrets', 'licence', 'impersonation', 'broken', 'other'])
    .optional()
    .meta({ description: 'of a flag: what is wrong', placeholder: 'reason' }),
  dryRun: sendNothing,
  accountId,
});

type StatementOptions = GlobalOptions & Omit<z.infer<typeof Input>, 'build' | 'outcome'>;

export const command = define({
  description:
    'Proposes a report or a flag of a published version; it is public, without personal data',
  input: Input,
  output: z.strictObject({ ...PROPOSED, version: z.string(), document: z.looseObject({}) }),
  examples: [
    'report alice/web@1.0.0 success --note "On Node 24"',
    'report alice/web proof  # after "add --prove"',
    'report alice/web@1.0.0 flag --reason broken',
  ],
  run: async ({ build: text, outcome, ...input }, shared, context) => {
    const options = { ...shared, ...input };
    const [build = ''] = await fullIds([text], undefined, options, context);
    if (outcome === 'flag') return flagVersion(build, options, context);
    if (input.reason !== undefined) {
      throw new ClientError('ERR_USAGE', 'Option --reason is of a flag', {
        hint: `say what went wrong with --note, or write: stackyard report ${build} flag --reason ${input.reason}`,
      });
    }
    const { proved, note } =
      outcome === 'proof' ? readProof(build, options) : { proved: build, note: input.note };
    const result = outcome === 'proof' ? 'success' : outcome;
    const claim = { outcome: result };
    return proposeStatement(proved, 'reports', claim, { ...options, note }, context);
  },
});

/**
 * The version that the last proof is about, with its facts as the note. A proof stays on this machine until someone reports it.
 * @throws {ClientError} `ERR_LOCK`; `ERR_USAGE` where it shows no success
 */
function readProof(
  build: string,
  options: StatementOptions,
): { readonly proved: string; readonly note: string } {
  const { proof } = requireLock(chooseProject(options));
  const proved = proof?.of.find((one) => one === build || one.startsWith(`${build}@`));
  const refuse = (why: string): ClientError =>
    new ClientError('ERR_USAGE', `Cannot report a proof of "${build}": ${why}`, {
      hint: `report what you found yourself: stackyard report ${build} failure --note "..."`,
    });
  if (proof === undefined) throw refuse(`${LOCK_FILE} has none`);
  if (proved === undefined) throw refuse(`the last one is about ${proof.of.join(', ')}`);
  if (!proof.is_good) throw refuse('the last one does not show that it works');
  const facts = proof.facts.join('; ');
  return { proved, note: options.note ?? facts.slice(0, MAX_NOTE_CHARACTERS) };
}

/** Proposes a flag for the admins. @throws {ClientError} with nothing pushed */
async function flagVersion(
  request: string,
  options: StatementOptions,
  context: CommandContext,
): Promise<Outcome> {
  const { reason } = options;
  if (reason === undefined) {
    throw new ClientError('ERR_USAGE', 'Option --reason is missing', {
      hint: 'see stackyard report --help for the reasons',
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

/** Proposes a report or a flag: one new file, named by its digest. */
interface StatementInput {
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
function statementProposal(
  { user, layout }: ProposalBase,
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
      { hint: 'leave out --account-id' },
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
      `${verb.toLowerCase()}/${id}@${version}/${statementId(statement).slice(0, 16)}`,
    ),
    title: `${verb} ${id} ${version}: ${what}`,
    body: note ?? `${verb} of ${id} ${version}: ${what}`,
    edits: [
      {
        path: `${layout.root}${statementPath(kind, statement)}`,
        bytes: Buffer.from(canonicalJson(statement)),
        executable: false,
      },
    ],
    data: { build: id, version, document: statement },
  };
}
