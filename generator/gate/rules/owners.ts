/** Who may change an owner's folder, and what may change in the owner file: maintainers, yanks, withdrawals, take-downs, texts. */
import { shownTextProblem } from '../../../format/document/shown-text.ts';
import { finding } from '../../../format/finding/finding.ts';
import type { Reason } from '../gate-verdict.ts';
import { isAccountOf } from '../../../format/registry/account.ts';
import type { OwnerFile } from '../../../format/registry/owner-file.ts';
import { statedIn, takeDownOf, WHOLE_BUILD } from '../../../format/registry/status.ts';
import { ownerFilePath } from '../../../format/registry/repository-layout.ts';
import { isWithdrawable, WITHDRAWAL_HOURS } from '../../withdrawals.ts';
import { isDeepStrictEqual } from 'node:util';
import { commitTime } from '../../git/commits.ts';
import type { Change } from './rule.ts';
import type { ChangedOwner } from '../owners.ts';
import { findingReason, reason } from '../reasons.ts';

/** An owner whose file is added or changed and can be read, by an author who may do so. */
type Proposing = Omit<ChangedOwner, 'after'> & { readonly after: OwnerFile };

export function checkAuthority({ owners }: Change): Reason[] {
  return owners.flatMap(({ owner, folder, after, authority, isKnown }) => [
    ...(after instanceof Error
      ? [
          findingReason(
            finding('owner-file-invalid', 'owner.json', { problem: after.message }),
            folder,
          ),
        ]
      : []),
    ...authority.reasons,
    ...(isKnown || authority.role === 'nobody'
      ? []
      : [reason('gate-first-build', folder, { owner })]),
  ]);
}

/** What a pull request may change in an owner file. */
export async function checkOwnerFiles(change: Change): Promise<Reason[]> {
  const { owners, config } = change;
  const deleted = owners
    .filter(({ after, authority }) => after === 'deleted' && authority.role !== 'nobody')
    .map(({ owner }) => reason('gate-owner-deleted', ownerFilePath(owner, config)));
  const reasons: Reason[] = [];
  for (const one of proposing(change)) {
    const file = ownerFilePath(one.owner, config);
    reasons.push(...checkAccounts(file, one));
    reasons.push(...checkTexts(file, one));
    reasons.push(...(await checkYanks(file, one, change)));
  }
  return [...deleted, ...reasons];
}

/**
 * Versions that are withdrawn completely: by the owner or an admin, soon after the publication, and permanently. Nothing that
 * others publish, report or flag prevents it; no time of the pull request counts.
 */
export async function checkWithdrawals(change: Change): Promise<Reason[]> {
  const { repository, reader, config } = change;
  const reasons: Reason[] = [];
  for (const { owner, before = {}, after, authority } of proposing(change)) {
    const path = ownerFilePath(owner, config);
    const [old, now] = [statedIn(before.withdrawn), statedIn(after.withdrawn)];
    for (const [name, number] of without(old, now)) {
      const version = `${owner}/${name}@${number}`;
      reasons.push(reason('gate-withdrawal-undone', path, { version }));
    }
    const wanted = without(now, old);
    if (wanted.length > 0 && authority.role === 'maintainer') {
      reasons.push(reason('gate-withdrawal-role', path));
    }
    for (const [name, number] of wanted) {
      const id = `${owner}/${name}`;
      const version = `${id}@${number}`;
      const history = await change.history(id);
      const published = await history.find(number);
      if (published === undefined) {
        reasons.push(reason('gate-withdrawal-unknown', path, { version }));
        continue;
      }
      const at = await commitTime(repository, reader, published.commit);
      if (!isWithdrawable(at, change.now, WITHDRAWAL_HOURS)) {
        reasons.push(
          reason('gate-withdrawal-late', path, { version, at, hours: WITHDRAWAL_HOURS }),
        );
      }
    }
  }
  return reasons;
}

/**
 * What is taken down: by an admin, at any time, whatever requires it, and permanently. Of such a build or version nothing is published
 * again.
 */
export async function checkTakeDowns(change: Change): Promise<Reason[]> {
  const { config, author } = change;
  const reasons: Reason[] = [];
  for (const { owner, before = {}, after } of proposing(change)) {
    const path = ownerFilePath(owner, config);
    const [old, now] = [takeDowns(before), takeDowns(after)];
    for (const [version, statement] of old) {
      if (isDeepStrictEqual(now.get(version), statement)) continue;
      reasons.push(reason('gate-take-down-undone', path, { version: `${owner}/${version}` }));
    }
    const wanted = [...now.keys()].filter((version) => !old.has(version));
    if (wanted.length > 0 && !config.admins.some((admin) => isAccountOf(admin, author))) {
      reasons.push(reason('gate-take-down-role', path));
    }
    for (const one of wanted) {
      const [name = '', version = ''] = one.split('@');
      const history = await change.history(`${owner}/${name}`);
      const isPublished =
        version === WHOLE_BUILD
          ? (await history.highest(() => true)) !== undefined
          : (await history.find(version)) !== undefined;
      if (isPublished) continue;
      reasons.push(reason('gate-take-down-unknown', path, { version: `${owner}/${one}` }));
    }
  }
  for (const { id, folder, proposal } of change.builds) {
    const [owner = '', name = ''] = id.split('/');
    const file = change.owners.find((one) => one.owner === owner)?.before ?? {};
    const version = proposal?.version?.examined.build.manifest.version ?? '';
    if (proposal === undefined || takeDownOf(file, name, version) === undefined) continue;
    reasons.push(
      reason('gate-taken-down', `${folder}/stackyard.json`, { version: `${id}@${version}` }),
    );
  }
  return reasons;
}

/** The statements of a file by `<name>@<version>`. */
function takeDowns({ taken_down }: OwnerFile): Map<string, unknown> {
  return new Map(
    statedIn(taken_down).map(([name, version, statement]) => [`${name}@${version}`, statement]),
  );
}

/** The owners whose file the pull request brings. */
export function proposing({ owners }: Change): Proposing[] {
  return owners.flatMap((one) => {
    const { after, authority } = one;
    if (after === undefined || after === 'deleted' || after instanceof Error) return [];
    return authority.role === 'nobody' ? [] : [{ ...one, after }];
  });
}

function checkAccounts(file: string, { before, after, authority }: Proposing): Reason[] {
  const reasons: Reason[] = [];
  if (
    before !== undefined &&
    before.account_id !== after.account_id &&
    authority.role !== 'admin'
  ) {
    reasons.push(reason('gate-owner-id', file));
  }
  if (JSON.stringify(before?.maintainers ?? []) !== JSON.stringify(after.maintainers ?? [])) {
    const bare = (after.maintainers ?? []).filter((one) => typeof one === 'string');
    reasons.push(reason('gate-maintainers', file));
    reasons.push(...bare.map((login) => reason('gate-maintainer-id', file, { login })));
  }
  return reasons;
}

async function checkYanks(
  file: string,
  { owner, folder, before, after }: Proposing,
  { builds, history }: Change,
): Promise<Reason[]> {
  const reasons: Reason[] = [];
  const [old, now] = [statedIn(before?.yanked), statedIn(after.yanked)];
  for (const [name, version] of without(old, now)) {
    // An admin may have yanked the version: the owner alone cannot revert that.
    reasons.push(reason('gate-unyank', file, { version: `${owner}/${name}@${version}` }));
  }
  for (const [name, version] of without(now, old)) {
    const id = `${owner}/${name}`;
    if (builds.some((one) => one.id === id && versionOf(one) === version)) continue;
    if ((await (await history(id)).find(version)) !== undefined) continue;
    const found = finding('owner-file-yank-unknown', 'owner.json', { version: `${id}@${version}` });
    reasons.push(findingReason(found, folder));
  }
  return reasons;
}

function versionOf({ proposal }: Change['builds'][number]): string | undefined {
  return proposal?.version?.examined.build.manifest.version;
}

type Named = readonly [name: string, version: string, stated: string];

function without(all: readonly Named[], others: readonly Named[]): Named[] {
  const left = new Set(others.map(([name, version]) => `${name}@${version}`));
  return all.filter(([name, version]) => !left.has(`${name}@${version}`));
}

/**
 * The reasons for yanks, withdrawals, take-downs and deprecations, which terminals, pages and coding agents show, are hostile: a reason to
 * refuse for each new one that people do not see as it is. The schema of the owner file allows every character, because
 * published files must stay readable.
 */
function checkTexts(file: string, { before, after }: Proposing): Reason[] {
  const known = new Set(texts(before).map(([, text]) => text));
  return texts(after).flatMap(([what, text]) => {
    const problem = known.has(text) ? undefined : shownTextProblem(text);
    return problem === undefined ? [] : [reason('gate-owner-text', file, { what, problem })];
  });
}

/** What each text is about, and the text. */
function texts(file: OwnerFile | undefined): [what: string, text: string][] {
  const { yanked, withdrawn, taken_down, deprecated = {} } = file ?? {};
  const takings = statedIn(taken_down).flatMap(([name, version, { reason: why, reference }]) => {
    return [why, reference].map((text) => [name, version, text] as const);
  });
  const ofVersions = [...statedIn(yanked), ...statedIn(withdrawn), ...takings];
  return [
    ...ofVersions.map(([name, version, text]): [string, string] => [`${name}@${version}`, text]),
    ...Object.entries(deprecated).map(([name, { reason: text }]): [string, string] => [name, text]),
  ];
}
