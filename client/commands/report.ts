/** `report`: opens a pull request with a statement about a published version. */
import { z } from 'zod';
import { CiReports, PROPOSAL, PROPOSED, accountId, define, oneBuild, service } from './options.ts';
import { MAX_NOTE_CHARACTERS } from '../../format/statement/statement.ts';
import { ClientError } from '../errors.ts';
import { checkedText } from '../publish/checked-text.ts';
import { withNamedRegistry, publishedVersion } from '../publish/published-version.ts';
import { propose } from '../publish/propose.ts';
import type { StatementInput } from '../publish/statement.ts';
import { statementProposal } from '../publish/statement.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';

const Input = z.object({
  build: oneBuild('<owner>/<name>@<version>; with --ci an installed build, or . for all'),
  outcome: z.enum(['success', 'failure', 'flag']).meta({
    description: 'how it went; flag asks the admins to review the version',
    isArgument: true,
  }),
  note: z
    .string()
    .optional()
    .meta({ description: 'what worked or failed, at most 500 characters', placeholder: 'text' }),
  reason: z
    .enum(['malware', 'secrets', 'licence', 'impersonation', 'broken', 'other'])
    .optional()
    .meta({ description: 'of a flag: what is wrong', placeholder: 'reason' }),
  ci: z.boolean().default(false).meta({ description: 'send it at once, signed by this CI run' }),
  service,
  ...PROPOSAL,
  accountId,
});

type StatementOptions = GlobalOptions & Omit<z.infer<typeof Input>, 'build' | 'outcome'>;

export const command = define({
  description:
    'Proposes a report or a flag of a published version; it is public, without personal data',
  input: Input,
  output: z.union([
    z.strictObject({ ...PROPOSED, version: z.string(), document: z.looseObject({}) }),
    z.strictObject({ reports: CiReports }),
  ]),
  examples: [
    'report alice/web@1.0.0 success --note "On Node 24"',
    'report alice/web@1.0.0 flag --reason broken',
  ],
  run: async ({ build, outcome, ...input }, shared, context) => {
    const options = { ...shared, ...input };
    if (outcome === 'flag') return flagVersion(build, options, context);
    if (input.reason !== undefined) {
      throw new ClientError('ERR_USAGE', 'Option --reason is of a flag', {
        hint: `say what went wrong with --note, or write: stackyard report ${build} flag --reason ${input.reason}`,
      });
    }
    if (!input.ci) return proposeStatement(build, 'reports', { outcome }, options, context);
    const { reportCi } = await import('./report-ci.ts');
    return reportCi(build, outcome, options, context);
  },
});

/** Proposes a flag for the admins. @throws {ClientError} with nothing pushed */
async function flagVersion(
  request: string,
  options: StatementOptions,
  context: CommandContext,
): Promise<Outcome> {
  const { reason, ci } = options;
  if (ci) {
    throw new ClientError('ERR_USAGE', 'Option --ci is not of a flag', {
      hint: 'a flag is a pull request: leave --ci out',
    });
  }
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
