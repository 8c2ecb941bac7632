/** Proposes a new version of a build: its files in the folder of the build, and a new owner's file if needed. */
import semver from 'semver';
import { MANIFEST_FILE } from '../../format/build/build-files.ts';
import { declaredVersion } from '../../format/build/manifest.ts';
import {
  buildFolder,
  ownerFilePath,
  ownerFolder,
  type Layout,
} from '../../format/registry/repository-layout.ts';
import { compareVersions } from '../../format/version/semver-range.ts';
import type { Build } from '../../scan/validate.ts';
import { ClientError } from '../errors.ts';
import type { TreeEdit } from './clone.ts';
import { newOwnerFile } from './owner-edit.ts';
import { branchName, type Proposal, type ProposalBase } from './proposal.ts';
import type { Warning } from '../plan/plan.ts';

interface BuildInput {
  readonly owner: string;
  readonly build: Build;
  readonly integrity: string;
  /** Known versions of the registry. */
  readonly published: readonly string[];
  /** The numeric account of the owner, when no token identifies it. */
  readonly accountId: number | undefined;
  readonly summary: string;
}

/** @throws {ClientError} `ERR_CONFLICT` when the version is not higher than the published ones, `ERR_NEEDS_ANSWER` */
export async function buildProposal(base: ProposalBase, input: BuildInput): Promise<Proposal> {
  const { owner, build, integrity, summary } = input;
  const { name, version } = build.manifest;
  const id = `${owner}/${name}`;
  const { layout } = base;
  const folder = buildFolder(id, layout);
  const edits: TreeEdit[] = [
    { path: `${folder}/`, bytes: undefined },
    ...build.files.map(({ path, bytes, executable }) => {
      return { path: `${folder}/${path}`, bytes, executable };
    }),
  ];
  await checkVersion(base, input, id, edits);
  const isFirst = (await base.clone.read(base.commit, ownerFilePath(owner, layout))) === undefined;
  if (isFirst) edits.push(await newOwner(base, input));
  const hasBuilds =
    (await base.clone.list(base.commit, `${ownerFolder(owner, layout)}/`)).length > 0;
  const warnings = [
    ...(isFirst && hasBuilds ? [unclaimedOwner(owner, layout)] : []),
    ...(isFirst && !hasBuilds && !isOwnLogin(base, owner) ? [foreignOwner(owner, layout)] : []),
  ];
  return {
    branch: branchName(`publish/${id}@${version}`),
    title: `Publish ${id} ${version}`,
    body: [build.manifest.description, summary, `Integrity: \`${integrity}\``].join('\n\n'),
    edits,
    data: { build: id, version, integrity, first_of_owner: isFirst },
    warnings,
  };
}

function isOwnLogin({ user }: ProposalBase, owner: string): boolean {
  return user === undefined || user.login.toLowerCase() === owner;
}

async function checkVersion(
  { clone, commit, layout }: ProposalBase,
  { build, published }: BuildInput,
  id: string,
  edits: readonly TreeEdit[],
): Promise<void> {
  const { version } = build.manifest;
  const text = await clone.read(commit, `${buildFolder(id, layout)}/${MANIFEST_FILE}`);
  const newest = text === undefined ? undefined : declaredVersion(Buffer.from(text));
  const known = newest === undefined ? published : [...published, newest];
  const line = known.filter((one) => isSameLine(one, version)).sort(compareVersions);
  const last = line.at(-1);
  if (last === undefined) return;
  if (known.includes(version)) {
    const isUnchanged =
      version === newest && (await clone.writeTree(commit, edits)) === (await clone.treeOf(commit));
    const problem = isUnchanged
      ? 'is published already, and nothing has changed since'
      : 'is published already, with other content: a published version never changes';
    throw new ClientError('ERR_CONFLICT', `"${id}" ${version} ${problem}`, {
      hint: `${isUnchanged ? 'after a change, ' : ''}${suggestVersions(last)}`,
    });
  }
  if (compareVersions(version, last) > 0) return;
  throw new ClientError(
    'ERR_CONFLICT',
    `"${id}" ${version} is not higher than ${last}, which is published`,
    { hint: suggestVersions(last) },
  );
}

async function newOwner(base: ProposalBase, { owner, accountId }: BuildInput): Promise<TreeEdit> {
  const { user, accountOf, layout } = base;
  const found = await accountOf(owner);
  if (found !== undefined && accountId !== undefined && found !== accountId) {
    throw new ClientError('ERR_USAGE', `The account of "${owner}" is ${found}, not ${accountId}`, {
      hint: 'leave out --account-id',
    });
  }
  const id = found ?? accountId;
  if (id === undefined) {
    throw new ClientError(
      'ERR_NEEDS_ANSWER',
      `"${owner}" publishes for the first time, and its account is unknown`,
      {
        hint: 'set GITHUB_TOKEN, or give the number of the account at the code host with --account-id',
      },
    );
  }
  // Someone who publishes for an organisation is recorded: the login is not that of the owner.
  const isOwn = isOwnLogin(base, owner);
  const member = user === undefined || isOwn ? [] : [{ login: user.login, account_id: user.id }];
  const text = newOwnerFile(id, member);
  return { path: ownerFilePath(owner, layout), bytes: Buffer.from(text), executable: false };
}

/** `set "version" to "1.0.1" (a fix), "1.1.0" (an addition) or "2.0.0" (a break)`. */
export function suggestVersions(newest: string): string {
  const [fix, addition, breaking] = (['patch', 'minor', 'major'] as const).map((part) =>
    semver.inc(newest, part),
  );
  return `set "version" to "${fix}" (a fix), "${addition}" (an addition) or "${breaking}" (a break)`;
}

/** Whether two versions have the same major version. */
export function isSameLine(a: string, b: string): boolean {
  return semver.major(a) === semver.major(b);
}

/** Only the login of an organisation may publish first in its name: otherwise anybody could take the name. */
function foreignOwner(owner: string, layout: Layout): Warning {
  const what = `"${owner}" is not your login and has no owner file yet`;
  return needsAdmin(
    ownerFilePath(owner, layout),
    what,
    'has merged one that lists you under "maintainers"',
  );
}

/** The builds are older than owner files: the account of their owner is unknown. */
export function unclaimedOwner(owner: string, layout: Layout): Warning {
  const what = `The registry does not know which account "${owner}" is`;
  return needsAdmin(
    ownerFilePath(owner, layout),
    what,
    'has written "account_id" into the owner file',
  );
}

function needsAdmin(path: string, what: string, deed: string): Warning {
  const message = `${what}: the gate refuses this until an admin of the registry ${deed}`;
  return { code: 'needs-admin', message, path };
}
