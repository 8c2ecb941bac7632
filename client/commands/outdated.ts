/** `outdated`: compares the installed versions with those of the registry. */
import { join, relative, sep } from 'node:path';
import { z } from 'zod';
import { ClientError } from '../errors.ts';
import { RegistryOf, define, flag } from '../terminal/options.ts';
import {
  advisoryLines,
  advisoryUpdates,
  describedAdvisories,
  ignoreAdvisory,
  AdvisoriesOutput,
} from '../change/ignored-advisories.ts';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import { installedSarif, type InstalledResult } from '../../format/document/sarif.ts';
import { deprecationText, type Head } from '../../format/index/record.ts';
import { TakeDown } from '../../format/registry/owner-file.ts';
import { isGone, OPEN, statusText } from '../../format/registry/status.ts';
import type { Lock, LockedBuild } from '../../format/project/lock.ts';
import {
  compareVersions,
  hasSamePrecedence,
  satisfies,
  firstPublications,
} from '../../format/version/semver-range.ts';
import { VERSION } from '../program.ts';
import { chooseProject } from '../project/choose-project.ts';
import { conflictWarnings } from '../project/open-conflicts.ts';
import { requireLock } from '../project/project.ts';
import { readText } from '../project/read-file.ts';
import { findWorkspaceRoot } from '../project/workspace.ts';
import { advisoriesOf, type FoundAdvisory } from '../../format/project/found-advisories.ts';
import { namesExactly } from '../resolve/request.ts';
import { counted } from '../terminal/closing-sentence.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';
import { clauseOf, problemsWith } from '../change/passed-over.ts';
import { usableVersions } from '../project/installed-notes.ts';
import { unreachable } from '../change/lock-registries.ts';
import { span, type StyledText } from '../terminal/styled-text.ts';
import { withRegistry } from '../registry/open-registry.ts';

const ADVISORIES = 'Of advisories';

const Input = z.object({
  exitCode: flag('end with status 10 when there is anything to report, as for advisories'),
  sarif: flag('print what is reported as SARIF 2.1.0, for code hosts'),
  ignore: z.string().optional().meta({
    description: 'record in the lock that this one is not reported; needs --reason',
    placeholder: 'id',
    group: ADVISORIES,
  }),
  reason: z
    .string()
    .optional()
    .meta({ description: 'why it is ignored', placeholder: 'text', group: ADVISORIES }),
});

type OutdatedOptions = GlobalOptions & z.infer<typeof Input>;

const VersionStatus = z.discriminatedUnion('is', [
  z.strictObject({ is: z.enum(['yanked', 'withdrawn']), reason: z.string() }),
  TakeDown.extend({ is: z.literal('taken down') }),
]);

const Row = z.looseObject({
  id: z.string(),
  current: z.string(),
  wanted: z
    .string()
    .describe(
      'The highest version in every range for the build; the current one when none is higher.',
    ),
  latest: z.string().optional().describe('Absent: the registry no longer has the build.'),
  problem: z.string().optional().describe('What keeps the project from the latest version.'),
  status: VersionStatus.optional().describe('Of an installed version that is not open.'),
  deprecated: z.string().optional(),
  moved: z.string().optional().describe('The id under which the build goes on.'),
  advisories: z
    .array(z.string())
    .optional()
    .describe('Ids of advisories about the installed version that are not ignored.'),
  good: z.string().optional().describe('The first version without any of them.'),
  ...RegistryOf,
  unreachable: z.literal(true).optional().describe('Its registry cannot be reached.'),
  source: z.string().optional().describe('Where a build that is not published came from.'),
  published: z.literal(true).optional().describe('An update replaces a build of a source.'),
});
type Row = z.infer<typeof Row>;

/** @throws {ClientError} `ERR_LOCK`, `ERR_NO_PROJECT`, and those of the registry */
async function outdated(options: OutdatedOptions, context: CommandContext): Promise<Outcome> {
  const project = chooseProject(options);
  const lock = requireLock(project);
  return withRegistry(options, lock, context, async (registry) => {
    const ids = Object.keys(lock.builds).sort();
    await registry.checkInstalled();
    const heads = await Promise.all(ids.map((id) => registry.head(id)));
    const compared = ids.map((id, at): Row => {
      const { name } = registry.entryOf(id);
      const place = registry.isSeveral ? { registry: name } : {};
      if (!registry.down.has(name)) return { ...compare(id, lock, heads[at]), ...place };
      const current = lock.builds[id]!.version;
      return { id, current, wanted: current, ...place, unreachable: true };
    });
    const newer = compared.flatMap(({ id, current, latest = current, source }) =>
      source === undefined && compareVersions(latest, current) > 0 ? [[id, latest] as const] : [],
    );
    const problems = await problemsWith(project, registry, lock, new Map(newer));
    const rows = compared.map((row) => ({ ...row, problem: problems.get(row.id) }));
    const found = await describedAdvisories(registry, lock);
    const isAdvised = found.some(({ ignored }) => ignored === undefined);
    const warnings = [...unreachable(registry.down), ...conflictWarnings(project, lock)];
    const behind = rows.filter(isOutdated);
    const status = isAdvised || (behind.length > 0 && options.exitCode) ? 'different' : 'done';
    if (options.sarif) {
      const log = outdatedLog(project, behind, found);
      const text = [JSON.stringify(log, null, 2)];
      return { status, data: { builds: rows, advisories: found }, warnings, text };
    }
    const notable = rows.filter((row) => row.source !== undefined || behind.includes(row));
    return {
      status,
      data: { builds: rows, advisories: found },
      warnings,
      next: advisoryUpdates(found),
      closing: `Compared ${counted(rows.length, 'build')}`,
      text: [
        ...(notable.length === 0 ? ['All builds are up to date'] : notable.map(describe)),
        ...advisoryLines(found),
      ],
    };
  });
}

function compare(id: string, lock: Lock, head: Head | undefined): Row {
  const build = lock.builds[id]!;
  const { version: current, source } = build;
  if (head === undefined) return { id, current, wanted: current, source };
  const ranges = rangesOn(id, build, lock);
  const seen = firstPublications(head.versions);
  const usable = usableVersions(head);
  const wanted = usable.find((version) => ranges.every((range) => satisfies(version, range)));
  const isPublished = wanted !== undefined && compareVersions(wanted, current) >= 0;
  const { status } = head.versions.find(({ version }) => version === current) ?? { status: OPEN };
  const isReplaced = wanted !== undefined && (isGone(status) || isUpdate(build, wanted));
  const isLatestThere = seen.some(({ version }) => version === head.latest);
  return {
    id,
    current,
    wanted: isReplaced ? wanted : current,
    latest: isLatestThere ? head.latest : (usable[0] ?? current),
    source,
    published: source !== undefined && isPublished ? true : undefined,
    status: status.is === 'open' ? undefined : status,
    ...advised(source === undefined ? advisoriesOf(head, current, lock.ignored) : []),
    deprecated: head.deprecated === undefined ? undefined : deprecationText(head.deprecated),
    moved: head.moved?.to,
  };
}

function advised(found: readonly FoundAdvisory[]): Pick<Row, 'advisories' | 'good'> {
  const open = found.filter(({ ignored }) => ignored === undefined);
  if (open.length === 0) return {};
  return { advisories: open.map(({ id }) => id), good: open[0]?.good };
}

/** The ranges of the user and of other builds for a build. */
function rangesOn(id: string, { requested }: LockedBuild, lock: Lock): string[] {
  const others = Object.values(lock.builds).flatMap(({ builds }) => builds[id] ?? []);
  return requested === undefined ? others : [requested, ...others];
}

/** Whether an update replaces the installed version with `wanted`: with a higher one, or with the one that it repeats. */
function isUpdate({ version, requested }: LockedBuild, wanted: string): boolean {
  if (compareVersions(wanted, version) > 0) return true;
  return hasSamePrecedence(wanted, version) && !namesExactly({ range: requested }, version);
}

function isOutdated({ current, wanted, latest, source, published, ...row }: Row): boolean {
  if (source !== undefined) return published === true;
  const { status, deprecated } = row;
  if (row.advisories !== undefined || row.moved !== undefined) return true;
  if (latest === undefined || status !== undefined || deprecated !== undefined) return true;
  return wanted !== current || compareVersions(latest, current) > 0;
}

function describe({ id, current, wanted, latest, status, deprecated, ...row }: Row): StyledText {
  const head = [span('strong', id), ' ', span('number', current), '  '];
  const { registry, source, advisories, good } = row;
  if (row.unreachable) {
    return [...head, span('bad', `registry "${registry}" cannot be reached`)];
  }
  if (source !== undefined) {
    const state = row.published
      ? ['published: ', span('command', `stackyard update ${id}`), ' replaces it']
      : ['the registry has no such version or a newer one yet'];
    return [...head, 'from ', span('path', source), ', ', ...state];
  }
  if (latest === undefined) {
    return [...head, span('bad', 'the registry does not have it any more')];
  }
  const notes = [
    ...(status === undefined ? [] : [`${statusText(status)}: ${status.reason}`]),
    ...(status?.is === 'taken down' ? [`"stackyard remove ${id}" removes its files`] : []),
    ...(advisories === undefined ? [] : [`${advisories.join(', ')}: ${goodFrom(good)}`]),
    ...(deprecated === undefined ? [] : [`deprecated: ${deprecated}`]),
    ...(row.moved === undefined ? [] : [`moved to ${row.moved}`]),
  ];
  const note = notes.length === 0 ? [] : [span('bad', `  (${notes.join('; ')})`)];
  const next = wanted === current ? wanted : span('added', wanted);
  const newest = span('number', latest);
  const why = row.problem === undefined ? '' : clauseOf(row.problem, id, latest);
  return [...head, 'wanted ', next, ', latest ', newest, why, ...note];
}

function goodFrom(version: string | undefined): string {
  return version === undefined ? 'no good version yet' : `good from ${version}`;
}

/** Each result stands at the build in the lock. */
function outdatedLog(
  project: string,
  rows: readonly Row[],
  found: Awaited<ReturnType<typeof describedAdvisories>>,
): object {
  const folder = relative(findWorkspaceRoot(project), project).split(sep).join('/');
  const lines = readText(join(project, LOCK_FILE)).split('\n');
  const result = (
    id: string,
    rule: InstalledResult['rule'],
    text: string,
    about = '',
  ): InstalledResult => {
    const line = lines.findIndex((one) => one.startsWith(`    "${id}":`)) + 1;
    const place = line === 0 ? {} : { place: { line, column: 5, length: id.length + 2 } };
    const identity = `${rule} ${id} ${about}`;
    return { rule, text, path: `${folder}/${LOCK_FILE}`, identity, ...place };
  };
  const advised = found.flatMap(({ id, build, version, summary, good, ignored }) => {
    if (ignored !== undefined) return [];
    const about = summary === undefined ? id : `${id}: ${summary}`;
    const text = `${build} ${version} has ${about} (${goodFrom(good)})`;
    return [result(build, 'build-advisory', text, id)];
  });
  const others = rows.flatMap((row) => {
    const { id, current, wanted, latest, moved, deprecated, status } = row;
    const newest = latest !== undefined && compareVersions(latest, wanted) > 0 ? latest : wanted;
    const all: InstalledResult[] = [];
    if (status !== undefined) {
      const text = `${id} ${current} was ${statusText(status)}: ${status.reason}`;
      all.push(result(id, 'build-withdrawn', text, current));
    }
    if (latest === undefined) {
      all.push(
        result(id, 'build-left', `${id} ${current}: the registry does not have it any more`),
      );
    } else if (moved !== undefined) {
      all.push(result(id, 'build-left', `${id} goes on as ${moved}`));
    } else if (deprecated !== undefined) {
      all.push(result(id, 'build-left', `${id} is deprecated: ${deprecated}`));
    }
    if (newest !== current) {
      all.push(result(id, 'build-behind', `${id} ${current} is installed, and ${newest} is there`));
    }
    return all;
  });
  return installedSarif('stackyard', VERSION, [...advised, ...others]);
}

export const command = define({
  description:
    'Compares the installed versions with those of the registry, and lists the advisories about them; exit status 10 when there are any that the project does not ignore',
  input: Input,
  output: z.union([
    z.looseObject({
      builds: z.array(Row),
      advisories: AdvisoriesOutput,
    }),
    z.looseObject({ id: z.string() }).describe('With --ignore.'),
  ]),
  examples: ['outdated -C my-app --exit-code', 'outdated --ignore SYA-2026-1 --reason "Not used"'],
  run: async (input, shared, context) => {
    const options = { ...shared, ...input };
    if (input.ignore !== undefined) return ignoreAdvisory(input.ignore, options, context);
    if (input.reason === undefined) return outdated(options, context);
    throw new ClientError('ERR_USAGE', 'Option --reason goes with --ignore', {
      hint: 'write "stackyard outdated --ignore <id> --reason <text>"',
    });
  },
});
