/** `publish`: opens a pull request with a new version of a build. */
import { resolve } from 'node:path';
import { z } from 'zod';
import {
  accountId,
  define,
  PROPOSED,
  Refused,
  sendNothing,
  word,
  folder,
} from '../terminal/options.ts';
import { Integrity } from '../../format/index/record.ts';
import { examineFolder, UNPLACED_OWNER } from '../project/build-folder.ts';
import { findingLines, placedFinding } from '../terminal/finding-lines.ts';
import { ClientError } from '../errors.ts';
import { buildProposal } from '../publish/build-proposal.ts';
import { folderGit } from '../project/folder-git.ts';
import type { ProposalBase } from '../publish/proposal.ts';
import { parseOwner } from '../resolve/id-parts.ts';
import { propose } from '../publish/propose.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';
import { withRegistry } from '../registry/open-registry.ts';
import type { Warning } from '../plan/plan.ts';

const Input = z.object({
  folder,
  owner: word('who publishes; default: the account of GITHUB_TOKEN', 'login'),
  dryRun: sendNothing,
  accountId,
});

type PublishOptions = GlobalOptions & Omit<z.infer<typeof Input>, 'folder'>;

/**
 * Proposes the build in `folder` as git would commit it. Changes nothing in that folder.
 * @throws {ClientError} with nothing pushed
 */
export async function publish(
  folder: string,
  options: PublishOptions,
  context: CommandContext,
): Promise<Outcome> {
  const root = resolve(options.cwd, folder);
  const wanted = options.owner === undefined ? undefined : options.owner.toLowerCase();
  const examined = await examineFolder(root, wanted);
  const { name, source, valid, findings, isPublishable } = examined;
  const placed = examined.owner === UNPLACED_OWNER ? undefined : examined.owner;
  const named = wanted ?? placed;
  const owner = named === undefined ? undefined : parseOwner(named);
  const warnings: Warning[] = [...examined.warnings, ...(await uncommitted(root, context))];
  if (!isPublishable || valid === undefined) {
    const data = { build: name, publishable: false, findings: findings.map(placedFinding) };
    const text = [...findingLines(findings, source), `${name}: cannot be published as it is`];
    return { status: 'different', data, warnings, text };
  }
  if (owner === undefined && (process.env['GITHUB_TOKEN'] ?? '') === '') throw unknownOwner();
  const { build, tarball, risk, quality } = valid;
  const summary = `Risk ${risk}, quality ${quality}, findings: ${findings.length}`;
  const outcome = await propose(options, context, async (base) => {
    const to = owner ?? ownerOf(base);
    const published = await publishedVersions(`${to}/${name}`, options, context);
    const { accountId } = options;
    const { integrity } = tarball;
    return buildProposal(base, {
      owner: to,
      build,
      integrity,
      published,
      accountId,
      summary,
    });
  });
  return { ...outcome, warnings: [...warnings, ...(outcome.warnings ?? [])] };
}

function ownerOf({ user }: ProposalBase): string {
  if (user === undefined) throw unknownOwner();
  return parseOwner(user.login.toLowerCase());
}

/** The published versions, if a registry was named; the repository itself only shows the newest version. */
async function publishedVersions(
  id: string,
  options: GlobalOptions,
  context: CommandContext,
): Promise<readonly string[]> {
  const isNamed =
    options.registry !== undefined || (process.env['STACKYARD_REGISTRY'] ?? '') !== '';
  if (!isNamed) return [];
  return withRegistry(options, undefined, context, async (registry) => {
    const head = await registry.head(id);
    return head?.versions.map(({ version }) => version) ?? [];
  });
}

async function uncommitted(root: string, { signal }: CommandContext): Promise<Warning[]> {
  const args = [
    'status',
    '--porcelain',
    '-z',
    '--no-renames',
    '--ignore-submodules=all',
    '--',
    '.',
  ];
  const status = await folderGit(root, args, { signal });
  const count = (status ?? '').split('\0').filter((line) => line !== '').length;
  if (count === 0) return [];
  const message = `Files of the build that are not committed in your repository: ${count}. They are published as "git add" would take them now`;
  return [{ code: 'uncommitted', message, path: '' }];
}

function unknownOwner(): ClientError {
  return new ClientError('ERR_NEEDS_ANSWER', 'The owner of the build is unknown', {
    hint: 'give your login at the code host with --owner, or set GITHUB_TOKEN',
  });
}

export const command = define({
  description:
    "Checks the build in a folder, puts it on a branch of the registry's repository or of your fork, and opens a pull request where GITHUB_TOKEN is set",
  input: Input,
  output: z.union([
    z.strictObject({
      ...PROPOSED,
      version: z.string(),
      integrity: Integrity,
      first_of_owner: z.boolean(),
    }),
    Refused,
  ]),
  examples: ['publish src/dates --owner alice --dry-run'],
  run: ({ folder, ...input }, shared, context) => publish(folder, { ...shared, ...input }, context),
});
