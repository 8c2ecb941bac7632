/** Judges one build folder in its state after merging: form, version, name, checks, capabilities. */
import { steersGit } from '../../format/build/build-files.ts';
import { checkBuildId } from '../../format/build/build-id.ts';
import { capabilitiesBeyond, capabilityPhrases } from '../../format/index/capability-gain.ts';
import { printable } from '../../format/build/file-path.ts';
import { finding, findingMessage, sortFindings } from '../../format/finding/finding.ts';
import type { Finding } from '../../format/finding/finding.ts';
import type { JudgedBuild, Reason } from '../../format/registry/gate-verdict.ts';
import type { RegistryConfig } from '../../format/registry/registry-config.ts';
import { buildFolder } from '../../format/registry/repository-layout.ts';
import { compareVersions } from '../../format/version/semver-range.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import { roleOf } from '../git/publication.ts';
import type { Repository } from '../git/repository.ts';
import { readSource } from '../git/source.ts';
import type { SafeExamination } from '../../examine/safe-examination.ts';
import type { Source } from '../../examine/source.ts';
import { checkConsent } from './consent-rules.ts';
import { fileStatistic } from './file-statistic.ts';
import { measuredRanges } from './measured-ranges.ts';
import { checkNewName } from './name-rules.ts';
import type { Proposal } from './proposed-versions.ts';
import { PublishedHistory } from './published-history.ts';
import { readCandidate } from './read-candidate.ts';
import { findingReason, reason } from './reason.ts';
import type { RegistryNames } from './registry-names.ts';
import { checkRequirements } from './requirement-rules.ts';
import { lowerCase } from '../../format/unicode.ts';

/** The registry as it is on the base branch, and what merging makes of it. */
export interface Registry {
  readonly repository: Repository;
  readonly reader: ObjectReader;
  readonly config: RegistryConfig;
  readonly names: () => Promise<RegistryNames>;
  readonly proposal: Proposal;
  /** Examines builds in another process. */
  readonly examination: () => SafeExamination;
}

/** A build folder after merging. */
export interface BuildFolder {
  readonly id: string;
  readonly mode: string;
  /** Object id; `undefined` when the folder is gone. */
  readonly oid: string | undefined;
}

export interface Judgement {
  readonly reasons: readonly Reason[];
  /** Absent when the entry is no build folder. */
  readonly build: JudgedBuild | undefined;
}

const MAX_LISTED_FINDINGS = 200;
/** Unread files that are named, each with a reason. */
const MAX_UNREAD = 20;

/** @throws {GeneratorError} `ERR_GIT` */
export async function judgeBuild(registry: Registry, folder: BuildFolder): Promise<Judgement> {
  const { repository, reader, examination } = registry;
  const { id, oid, mode } = folder;
  const path = buildFolder(id, registry.config.layout);
  const misplaced = await placeProblems(registry, folder);
  if (misplaced.length > 0) return { reasons: misplaced, build: undefined };
  await readNamesAhead(registry, path);
  const history = await PublishedHistory.read(repository, reader, id);
  const newest = await history.highest(() => true);
  if (oid === undefined || mode !== '040000') {
    const reasons = newest === undefined ? [] : [reason('gate-build-deleted', path)];
    return { reasons, build: undefined };
  }
  const [owner = '', name = ''] = id.split('/');
  const source = await readCandidate(repository.folder, reader, oid);
  const reasons: Reason[] = source.files
    .filter((file) => steersGit(file.path))
    .map((file) => {
      const args = { name: file.path.split('/').at(-1) ?? '' };
      return reason('gate-attributes', `${path}/${file.path}`, args);
    });
  const { valid, findings: found } = await examination().proposal({
    owner,
    name,
    source,
  });
  // The manifest may be among the files that were not listed.
  const findings = found.filter((f) => !source.isCut || f.code !== 'manifest-missing');
  reasons.push(
    ...findings.filter((f) => f.level === 'error').map((found) => findingReason(found, path)),
  );
  if (newest === undefined) {
    reasons.push(...checkNewName(id, await registry.names(), registry.config));
  }
  if (valid === undefined) {
    return { reasons, build: { ...emptyJudgement(id), findings: listed(findings) } };
  }
  const { version, builds = {} } = valid.build.manifest;
  const previous = await history.highest((one) => compareVersions(one, version) < 0);
  reasons.push(...(await versionProblems(path, version, oid, history)));
  reasons.push(...(await checkRequirements(registry, path, builds)));
  const measured = await measuredRanges(repository, reader, id, valid.build.manifest);
  const { risk, quality, capabilities: now } = valid;
  if (risk === 'danger') reasons.push(reason('gate-danger', path));
  if (risk === 'caution') reasons.push(reason('gate-caution', path));
  const old = previous === undefined ? undefined : await readSource(reader, previous.tree);
  reasons.push(...checkConsent(path, valid.build, old && { owner, name, source: old }));
  const before = old && (await examination().capabilities({ owner, name, source: old }));
  const gained = before === undefined ? undefined : capabilitiesBeyond(now, before);
  if (gained !== undefined && previous !== undefined) {
    for (const phrase of capabilityPhrases(gained)) {
      reasons.push(reason('gate-capability', path, { version: previous.version, ...phrase }));
    }
  }
  if (old !== undefined && previous !== undefined) {
    const changed = valid.unread.filter((file) => !isSameFile(file, source, old));
    const args = { version: previous.version };
    reasons.push(
      ...changed
        .slice(0, MAX_UNREAD)
        .map((file) => reason('gate-unread-changed', `${path}/${file}`, args)),
    );
  }
  const { files, more } = await fileStatistic(repository.folder, previous?.tree, oid);
  const build: JudgedBuild = {
    id,
    version,
    previous: previous?.version ?? '',
    risk,
    quality,
    findings: listed([...findings, ...measured]),
    // Of a first version everything is new.
    gained: gained ?? now,
    ...(before === undefined ? {} : { lost: capabilitiesBeyond(before, now) }),
    files,
    more_files: more,
  };
  return { reasons, build };
}

/**
 * A build that the base branch has no folder of is mostly new, and its name is compared with all others: they are read while
 * git reads the history. What goes wrong is reported where the names are needed.
 */
async function readNamesAhead(
  { reader, repository, names }: Registry,
  path: string,
): Promise<void> {
  const folder = await reader.read(`${repository.head}:${path}`);
  if (folder === undefined) names().catch(() => {});
}

/** Faults of the folder itself: its name, and a link or submodule in its place. */
async function placeProblems(registry: Registry, folder: BuildFolder): Promise<Reason[]> {
  const { id, mode, oid } = folder;
  const [owner = '', name = ''] = id.split('/');
  const path = printable(buildFolder(id, registry.config.layout));
  const found: Finding[] = [];
  if (oid !== undefined && mode === '120000') found.push(finding('build-id-symlink', ''));
  if (oid !== undefined && mode === '160000') found.push(finding('build-id-submodule', ''));
  // Listing a large registry is slow: only a name in upper case can have a twin.
  const ids = id === lowerCase(id) ? undefined : (await registry.names()).ids;
  found.push(...checkBuildId({ owner, name }, (known) => ids?.has(known) === true));
  // A misplaced folder may be deleted.
  return oid === undefined ? [] : found.map((one) => findingReason(one, path));
}

async function versionProblems(
  path: string,
  version: string,
  tree: string,
  history: PublishedHistory,
): Promise<Reason[]> {
  const file = `${path}/stackyard.json`;
  const published = await history.findSamePrecedence(version);
  const role = roleOf({ version, tree }, published);
  if (published !== undefined && role !== 'repeats') {
    const args = { version, commit: published.commit.slice(0, 12), published: published.version };
    const code = role === 'violates' ? 'gate-version-published' : 'gate-version-precedence';
    return [reason(code, file, args)];
  }
  const line = version.split('.')[0];
  const newest = await history.highest((one) => one.split('.')[0] === line);
  if (newest !== undefined && compareVersions(version, newest.version) < 0) {
    return [reason('gate-version-order', file, { version, newest: newest.version })];
  }
  return published === undefined ? [] : [reason('gate-restored', file, { version })];
}

/** What nobody reads may only stay as it is: compared byte by byte. */
function isSameFile(path: string, now: Source, before: Source): boolean {
  const [bytes, old] = [now, before].map(
    ({ files }) => files.find((file) => file.path === path)?.bytes,
  );
  return bytes !== undefined && old !== undefined && bytes.equals(old);
}

function emptyJudgement(id: string): JudgedBuild {
  return { id, version: '', previous: '', findings: [], files: [], more_files: 0 };
}

function listed(findings: readonly Finding[]): JudgedBuild['findings'] {
  return sortFindings(findings)
    .slice(0, MAX_LISTED_FINDINGS)
    .map((found) => {
      const { level, code, file, place } = found;
      return { level, code, file, line: place?.line ?? 0, message: findingMessage(found) };
    });
}
