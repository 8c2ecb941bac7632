/**
 * Waivers: safety findings that an admin accepted for a version of a build, in `moderation/<owner>/<name>.json`. One holds from that version
 * on, for as long as the file with the finding has the same content. The gate and the generator decide by the same rules.
 */
import { sha256Hex } from '../format/archive/integrity.ts';
import { FINDING_TEXTS, type FindingCode } from '../format/finding/catalogue.ts';
import { finding, type Finding, type PublishedFinding } from '../format/finding/finding.ts';
import type { Risk } from '../format/index/record.ts';
import type { Waived } from '../format/index/waivers.ts';
import { MODERATION_FOLDER, Moderation, type Waiver } from '../format/registry/moderation.ts';
import { compareVersions } from '../format/version/semver-range.ts';
import { riskOf } from '../scan/risk.ts';
import type { VersionFacts } from '../scan/version-facts.ts';
import type { ObjectReader } from './git/object-reader.ts';
import { readDocument } from './git/read-document.ts';
import { changedFiles } from './git/changed-files.ts';
import type { Repository } from './git/repository.ts';
import type { State } from './state/state.ts';

export function moderationPath(id: string, { root = '' }: Pick<Repository, 'root'>): string {
  return `${root}${MODERATION_FOLDER}/${id}.json`;
}

/** Whether a finding counts for the risk: no other can be waived. */
export function isSafetyCode(code: string): code is FindingCode {
  return (
    Object.hasOwn(FINDING_TEXTS, code) && FINDING_TEXTS[code as FindingCode].group === 'safety'
  );
}

/** The waivers that hold for a version, and those for an earlier content of a file. @param digestOf `undefined`: no such file */
export async function sortWaivers(
  waivers: readonly Waiver[],
  version: string,
  digestOf: (file: string) => string | undefined | Promise<string | undefined>,
): Promise<{ readonly holding: readonly Waiver[]; readonly stale: readonly Waiver[] }> {
  const [holding, stale]: [Waiver[], Waiver[]] = [[], []];
  for (const waiver of waivers) {
    if (compareVersions(waiver.version, version) > 0) continue;
    const isSame = (await digestOf(waiver.file)) === waiver.sha256;
    (isSame ? holding : stale).push(waiver);
  }
  return { holding, stale };
}

/** The findings with the waivers that hold, and the risk of the others. */
export function waive<Found extends Pick<PublishedFinding, 'level' | 'code' | 'file'>>(
  findings: readonly Found[],
  holding: readonly Waiver[],
): {
  readonly findings: readonly (Found & { waived?: Waived | undefined })[];
  readonly risk: Risk;
} {
  const open: (Found & { code: FindingCode })[] = [];
  const marked = findings.map((found) => {
    const { code, file } = found;
    if (!isSafetyCode(code)) return found;
    const waiver = holding.find((one) => one.code === code && one.file === file);
    if (waiver === undefined) {
      open.push({ ...found, code });
      return found;
    }
    const { reason, by, at } = waiver;
    return { ...found, waived: { reason, by, at } };
  });
  return { findings: marked, risk: riskOf(open.map((found) => ({ ...found, args: {} }))) };
}

/** The facts of a version, with the risk of the findings that are not waived. */
export function waiveFacts(facts: VersionFacts, holding: readonly Waiver[] = []): VersionFacts {
  return holding.length === 0 ? facts : { ...facts, risk: waive(facts.findings, holding).risk };
}

/**
 * Takes over what changed under `moderation/`, and decides what holds for the versions of each build that changed, and so its risk.
 * @param collected gets the builds whose waivers changed
 * @returns the builds of which nothing is waived any more
 */
export async function collectWaivers(
  repository: Repository,
  reader: ObjectReader,
  state: State,
  since: string | undefined,
  { builds }: { readonly builds: Set<string> },
): Promise<Set<string>> {
  const folder = `${repository.root ?? ''}${MODERATION_FOLDER}`;
  const unread = new Map<string, Error>();
  for (const { path, blob } of await changedFiles(repository, reader, folder, since)) {
    const id = path.slice(folder.length + 1).replace(/\.json$/, '');
    if (path !== moderationPath(id, repository)) continue;
    const read = blob === undefined ? undefined : await readDocument(reader, Moderation, blob);
    const waivers = read instanceof Error ? [] : (read?.waivers ?? []);
    state.dropProblems(path);
    if (read instanceof Error) unread.set(path, read);
    if (waivers.length === 0 && state.waivers(id).length === 0) continue;
    state.setWaivers(id, waivers);
    builds.add(id);
  }
  const unwaived = new Set<string>();
  for (const id of builds) {
    const before = state.heldWaivers(id);
    await settle(reader, state, id, moderationPath(id, repository), before);
    const isEmpty = Object.keys(state.heldWaivers(id)).length === 0;
    if (isEmpty && Object.keys(before).length > 0) unwaived.add(id);
  }
  // After that, which forgets the problems of the waivers that were there.
  for (const [path, { message }] of unread) state.addHeadProblem(path, invalid(message));
  return unwaived;
}

/** Also of a build whose last waiver was removed: `held` is then that of the run before. */
async function settle(
  reader: ObjectReader,
  state: State,
  id: string,
  path: string,
  before: ReturnType<State['heldWaivers']>,
): Promise<void> {
  const waivers = state.waivers(id);
  if (waivers.length === 0 && Object.keys(before).length === 0) return;
  state.dropProblems(path);
  const held: Record<string, readonly Waiver[]> = {};
  for (const { version } of state.risksOf(id)) {
    const { tree = '' } = state.findVersion(id, version) ?? {};
    const { holding } = await sortWaivers(waivers, version, async (file) => {
      const object = await reader.read(`${tree}:${file}`);
      return object?.bytes === undefined ? undefined : sha256Hex(object.bytes);
    });
    if (holding.length > 0) held[version] = holding;
    const facts = state.facts(id, version)!;
    state.setRisk(id, version, waiveFacts(facts, holding).risk);
  }
  for (const waiver of waivers) {
    const problem = problemOf(state, id, waiver, held[waiver.version] ?? []);
    if (problem !== undefined) state.addHeadProblem(path, invalid(problem));
  }
  state.setHeldWaivers(id, held);
}

/**
 * Why a waiver accepts nothing, and never will. One for a version that a pull request may still propose is no problem, nor one for a
 * finding that a newer version of the checks does not report any more.
 */
function problemOf(
  state: State,
  id: string,
  waiver: Waiver,
  holding: readonly Waiver[],
): string | undefined {
  const { version, code, file } = waiver;
  const about = `that of "${code}" in "${file}"`;
  if (!isSafetyCode(code)) return `${about} names no code of a finding that counts for the risk`;
  if (state.findVersion(id, version) !== undefined) {
    if (holding.includes(waiver)) return undefined;
    return `${about} is stale: version ${version} has another content there`;
  }
  const [line] = version.split('.');
  const isOver = state.risksOf(id).some((one) => {
    return one.version.split('.')[0] === line && compareVersions(one.version, version) > 0;
  });
  return isOver ? `${about} is for version ${version}, which was never published` : undefined;
}

function invalid(problem: string): Finding {
  return finding('moderation-waiver', '', { problem });
}
