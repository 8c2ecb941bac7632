/** Of `update --pull-request`: what a request states, in Markdown. Texts of publishers stand in fences, where nothing of them counts. */
import { capabilitiesBeyond, capabilityPhrases } from '../../format/index/capabilities.ts';
import type { Head } from '../../format/index/record.ts';
import { readTarball } from '../../format/archive/tarball.ts';
import { StackyardError } from '../../format/errors.ts';
import { compareVersions } from '../../format/version/semver-range.ts';
import type { Plan } from '../plan/plan.ts';
import { advisoriesOf } from '../../format/advisory/found-advisories.ts';
import type { Registries } from '../registry/registries.ts';
import { oneLine, printable } from '../terminal/printable.ts';

const MAX_NOTES = 4_000;
const MAX_LISTED = 50;
/** The limit of GitHub is 65,536. */
const MAX_BODY = 60_000;

/**
 * What a request states about one build: phrases of what it can do more, such as `starts sh`; ids of advisories that only the old
 * version has; the versions after the old one, oldest first, with their notes.
 */
type BuildNote = Awaited<ReturnType<typeof notesOn>>[number];

/** What the registry knows about the builds of a plan; what it cannot tell is left out. */
export async function notesOn(plan: Plan, registry: Registries) {
  const notes = [];
  for (const build of plan.builds) {
    const { id, version, from } = build;
    const head = await registry.head(id);
    if (head === undefined || build.action === 'remove' || build.source !== undefined) {
      notes.push({ build, gained: [], fixed: [], versions: [] });
      continue;
    }
    const left = new Set(advisoriesOf(head, version).map((one) => one.id));
    const old = from === undefined ? [] : advisoriesOf(head, from).map((one) => one.id);
    notes.push({
      build,
      gained: await gainedIn(registry, id, from, version),
      fixed: [...new Set(old)].filter((one) => !left.has(one)),
      versions: await versionsBetween(registry, head, from, version),
    });
  }
  return notes;
}

async function gainedIn(
  registry: Registries,
  id: string,
  from: string | undefined,
  version: string,
): Promise<string[]> {
  const now = await tried(registry.capabilities(id, version));
  if (now === undefined) return [];
  const before = from === undefined ? undefined : await tried(registry.capabilities(id, from));
  const nothing = { hosts: [], environment: [], reads: [], writes: [], processes: [], unread: [] };
  const known = before ?? { ...nothing, dynamic_code: false };
  return capabilityPhrases(capabilitiesBeyond(now, known)).map(
    ({ does, what }) => `${does} ${what}`,
  );
}

/** With the section of each version in the CHANGELOG.md of the new one, where it has one. */
async function versionsBetween(
  registry: Registries,
  { id, versions }: Head,
  from: string | undefined,
  version: string,
) {
  if (from === undefined) return [];
  const own = versions.find((one) => one.version === version);
  const bytes = own && (await tried(registry.tarball(id, version, own.integrity)));
  const entries = bytes === undefined ? [] : readTarball(bytes);
  const file = entries.find(({ path }) => path === 'CHANGELOG.md');
  const changelog = file === undefined ? '' : Buffer.from(file.bytes).toString('utf8');
  return versions
    .filter((one) => compareVersions(one.version, from) > 0)
    .filter((one) => compareVersions(one.version, version) <= 0)
    .sort((a, b) => compareVersions(a.version, b.version))
    .slice(-MAX_LISTED)
    .map((one) => ({
      version: one.version,
      at: one.published_at.slice(0, 10),
      notes: sectionOf(changelog, one.version),
    }));
}

async function tried<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StackyardError) return undefined;
    throw error;
  }
}

/** The text below the heading that names `version`, as "## 1.2.0" or "## [1.2.0] - 2026-01-01". */
function sectionOf(changelog: string, version: string): string {
  const lines = changelog.split(/\r?\n/);
  const isHeading = (line: string): boolean => /^#{1,3} /.test(line);
  const names = (line: string): boolean =>
    isHeading(line) && line.split(/[\s[\]()]+/).some((word) => word.replace(/^v/, '') === version);
  const start = lines.findIndex(names);
  if (start === -1) return '';
  const level = /^#+/.exec(lines[start]!)![0].length;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => isHeading(line) && /^#+/.exec(line)![0].length <= level);
  return rest
    .slice(0, end === -1 ? undefined : end)
    .join('\n')
    .trim()
    .slice(0, MAX_NOTES);
}

/** How a request of the same versions is recognised. */
export function markerOf(builds: string): string {
  return `<!-- stackyard-builds: ${builds} -->`;
}

/**
 * @param before the facts that the lock had
 * @param after those of this change; absent where it was not proved
 * @param problem why something of the change is not done, such as an install of packages
 * @param builds what the request has, as `Stackyard-Builds` states it
 */
export function requestBody(
  { files }: Plan,
  notes: readonly BuildNote[],
  before: readonly string[],
  after: readonly string[] | undefined,
  problem: string | undefined,
  builds: string,
): string {
  const code = (text: string): string => `\`${oneLine(text).replaceAll('`', "'")}\``;
  const section = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : ['', `### ${title}`, '', ...items.map((item) => `- ${item}`)];
  const of = (...actions: string[]): string[] => {
    const all = files.filter(({ action }) => actions.includes(action));
    const more = all.length > MAX_LISTED ? [`and ${all.length - MAX_LISTED} more`] : [];
    return [...all.slice(0, MAX_LISTED).map(({ path }) => code(path)), ...more];
  };
  const rows = notes.map(({ build: { id, from = 'new', version, action } }) =>
    action === 'remove' ? `| ${code(id)} | | removed |` : `| ${code(id)} | ${from} | ${version} |`,
  );
  const gained = notes.flatMap((one) =>
    one.gained.map((what) => `${code(one.build.id)} ${code(what)}`),
  );
  const fixed = notes.flatMap((one) =>
    one.fixed.map((id) => `${code(id)} in ${code(one.build.id)}`),
  );
  const versions = notes.flatMap(({ build, versions: between }) =>
    between.map(({ version, at, notes: text }) => {
      const head = `${code(`${build.id} ${version}`)}, published ${at}`;
      return text === '' ? head : [`${head}:`, '', ...fenced(text), ''].join('\n');
    }),
  );
  const counts = Object.entries(Object.groupBy(files, ({ action }) => action));
  const lines = [
    '| Build | Before | After |',
    '| --- | --- | --- |',
    ...rows,
    ...section('It can do more than before', gained),
    ...section('Advisories that it fixes', fixed),
    ...section('Conflicts: merge what is between markers, on this branch, in', of('conflict')),
    ...section('What is not done', problem === undefined ? [] : [code(problem)]),
    ...section(
      'Files',
      counts.map(([action, all]) => `${action}: ${all.length}`),
    ),
    ...section('Merged with edits', of('merge')),
    ...section('Kept as the project has them', of('keep', 'orphan')),
    ...section('Proof after', after?.map(code) ?? ['not proved: run with `--prove`']),
    ...section('Proof before', before.map(code)),
    ...section('Versions', versions),
    '\n---',
    'Made by `stackyard update --pull-request`. It follows newer versions and the base branch, and closes itself; a branch that another person committed to is left alone. Closed, it stays closed for these versions.',
  ];
  const text = lines.join('\n');
  const cut = text.length > MAX_BODY ? `${text.slice(0, MAX_BODY)}\n\n(cut)` : text;
  return `${markerOf(builds)}\n${cut}\n`;
}

function fenced(text: string): string[] {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}text`, printable(text), fence];
}
