/**
 * `fleet.json`: which project of a team has which version of a build, and what there is to do. It names private repositories, and
 * is no part of any index.
 */
import { z } from 'zod';
import { advisoriesOf } from '../../format/advisory/found-advisories.ts';
import { compareText } from '../../format/compare-text.ts';
import {
  INSTALLED_RULES,
  installedSarif,
  type InstalledRule,
} from '../../format/document/sarif.ts';
import type { Head } from '../../format/index/record.ts';
import { cycloneDx, type CopiedProject } from '../../format/project/bill-of-materials.ts';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import { compareVersions } from '../../format/version/semver-range.ts';

const Build = z.object({
  version: z.string(),
  kind: z.enum(['module', 'foundation']),
  license: z.string(),
  integrity: z.string(),
  origin: z.string().describe('The name of its registry, as the lock states it.'),
  base: z.string(),
  requires: z.array(z.string()).describe('Ids of builds.'),
  requested: z.string().optional(),
  source: z.string().optional(),
  ignored: z.array(z.string()).describe('Advisories that the project ignores.'),
  edits: z.int().describe('How many of its files differ from what was installed.'),
  edited: z.array(z.string()).describe('The first of them.'),
});
export type FleetBuild = z.infer<typeof Build>;

const Project = z.object({
  path: z.string().describe('The folder in the repository; "" is its root.'),
  problem: z.string().optional().describe('Why its lock cannot be read.'),
  proof: z.enum(['good', 'failed', 'none']).optional(),
  builds: z.record(z.string(), Build),
});
export type FleetProject = z.infer<typeof Project>;

const Repository = z.object({
  address: z.string(),
  state: z.enum(['read', 'empty', 'archived', 'forbidden', 'huge', 'failed']),
  head: z.string().optional(),
  problem: z.string().optional(),
  projects: z.array(Project).describe('Where it cannot be read now, what an earlier run read.'),
});
export type RepositoryRow = z.infer<typeof Repository>;

const Finding = z.object({
  rule: z.enum(INSTALLED_RULES),
  project: z.string(),
  build: z.string().optional(),
  about: z.string().optional().describe('The id of an advisory, or the version that is there.'),
  text: z.string(),
});
export type FleetFinding = z.infer<typeof Finding>;

const Day = z.object({
  day: z.iso.date(),
  projects: z.int(),
  builds: z.int().describe('Installed builds of all projects.'),
  with: z.record(z.enum(INSTALLED_RULES), z.int()).describe('Projects that have a finding.'),
});
export type FleetDay = z.infer<typeof Day>;

const MAX_DAYS = 1_000;

const FLEET_SCHEMA = 'stackyard/fleet@1';

export const FleetDocument = z.object({
  schema: z.literal(FLEET_SCHEMA),
  updated_at: z.iso.datetime(),
  registries: z.record(z.string(), z.string()).describe('Origin to the address that was asked.'),
  repositories: z.record(z.string(), Repository),
  builds: z.record(
    z.string(),
    z.object({
      origin: z.string(),
      latest: z.string().optional().describe('Absent: the registry is unknown or has it no more.'),
      versions: z.record(z.string(), z.int()).describe('Version to the number of projects.'),
    }),
  ),
  findings: z.array(Finding),
  history: z.array(Day),
});
export type FleetDocument = z.infer<typeof FleetDocument>;

/** The head of a build at the registry of an origin; `undefined` for an unknown registry and a build that it does not have. */
export type FindHead = (origin: string, id: string) => Promise<Head | undefined>;

export function projectName(repository: string, path: string): string {
  return path === '' ? repository : `${repository}/${path}`;
}

/** Everything that follows from what was read. @param at the time, ISO 8601 in UTC */
export async function fleetDocument(
  rows: ReadonlyMap<string, RepositoryRow>,
  registries: Readonly<Record<string, string>>,
  findHead: FindHead,
  history: readonly FleetDay[],
  at: string,
): Promise<FleetDocument> {
  const findings: FleetFinding[] = [];
  const builds = new Map<string, FleetDocument['builds'][string]>();
  let [projects, installed] = [0, 0];
  for (const [repository, row] of rows) {
    for (const project of row.projects) {
      const name = projectName(repository, project.path);
      projects += 1;
      if (project.problem !== undefined) {
        findings.push({ rule: 'lock-unreadable', project: name, text: project.problem });
        continue;
      }
      for (const [id, build] of Object.entries(project.builds)) {
        installed += 1;
        const { origin, version } = build;
        const head = build.source === undefined ? await findHead(origin, id) : undefined;
        const isKnown = Object.hasOwn(registries, origin) && build.source === undefined;
        findings.push(...buildFindings(name, id, build, head, isKnown));
        const entry = builds.get(id) ?? { origin, latest: head?.latest, versions: {} };
        entry.versions[version] = (entry.versions[version] ?? 0) + 1;
        builds.set(id, entry);
      }
      const { proof } = project;
      if (proof === 'good' || Object.keys(project.builds).length === 0) continue;
      const text = proof === 'failed' ? 'the last proof failed' : 'no change of it was proved';
      findings.push({ rule: 'project-unproven', project: name, text });
    }
  }
  const counts = INSTALLED_RULES.map((rule) => {
    const having = findings.filter((one) => one.rule === rule).map((one) => one.project);
    return [rule, new Set(having).size] as const;
  });
  const of = Object.fromEntries(counts) as FleetDay['with'];
  const day = { day: at.slice(0, 10), projects, builds: installed, with: of };
  const others = history.filter((one) => one.day !== day.day);
  return {
    schema: FLEET_SCHEMA,
    updated_at: at,
    registries,
    repositories: Object.fromEntries(rows),
    builds: Object.fromEntries([...builds].sort(([a], [b]) => compareText(a, b))),
    findings,
    history: [...others, day].sort((a, b) => compareText(a.day, b.day)).slice(-MAX_DAYS),
  };
}

/** @param isKnown whether the registry was asked */
function buildFindings(
  project: string,
  id: string,
  build: FleetBuild,
  head: Head | undefined,
  isKnown: boolean,
): FleetFinding[] {
  const { version, edits, ignored } = build;
  const found: FleetFinding[] = [];
  const add = (rule: InstalledRule, text: string, about?: string): void => {
    found.push({ rule, project, build: id, text, about });
  };
  if (edits > 0) add('build-edited', `${id}: files that differ: ${edits}`);
  if (head === undefined) {
    if (isKnown) add('build-left', `${id} ${version}: the registry does not have it`);
    return found;
  }
  const own = head.versions.find((one) => one.version === version);
  const reasons = Object.fromEntries(ignored.map((one) => [one, { reason: '', builds: [id] }]));
  const advised = advisoriesOf(head, version, reasons)
    .filter((one) => one.ignored === undefined)
    .map((one) => [one.id, one.good] as const);
  for (const [one, good] of new Map(advised)) {
    const until = good === undefined ? 'no version without it yet' : `good from ${good}`;
    add('build-advisory', `${id} ${version} has ${one} (${until})`, one);
  }
  if (typeof own?.yanked === 'string') {
    add('build-withdrawn', `${id} ${version} was withdrawn: ${own.yanked}`, version);
  }
  if (head.moved !== undefined) add('build-left', `${id} goes on as ${head.moved.to}`);
  else if (head.deprecated !== undefined) {
    add('build-left', `${id} is deprecated: ${head.deprecated.reason}`);
  }
  if (compareVersions(head.latest, version) > 0) {
    add('build-behind', `${id} ${version} is installed, and ${head.latest} is there`, head.latest);
  }
  return found;
}

/** Each result is placed at the lock of its project, below the name of its repository. */
export function fleetSarif({ findings }: FleetDocument, version: string): object {
  const results = findings.map(({ rule, project, build = '', about = '', text }) => ({
    rule,
    text: `${project}: ${text}`,
    path: `${project}/${LOCK_FILE}`,
    identity: `${rule} ${project} ${build} ${about}`,
  }));
  return installedSarif('stackyard-registry', version, results);
}

/** All projects in one bill, with the advisories about what they have. */
export function fleetBill(fleet: FleetDocument, version: string): object {
  const advised = Map.groupBy(
    fleet.findings.filter(({ rule }) => rule === 'build-advisory'),
    ({ project, build }) => `${project} ${build}`,
  );
  const addresses = Object.entries(fleet.registries);
  const registries = Object.fromEntries(
    addresses.map(([origin, address]) => [origin, { origin, address }]),
  );
  const projects = Object.entries(fleet.repositories).flatMap(([repository, row]) =>
    row.projects.map(({ path, builds }): CopiedProject => {
      const name = projectName(repository, path);
      const entries = Object.entries(builds);
      return {
        name,
        lock: {
          registries,
          builds: Object.fromEntries(
            entries.map(([id, { origin, requires, ...build }]) => {
              const required = Object.fromEntries(requires.map((one) => [one, '*']));
              return [id, { ...build, registry: origin, builds: required }];
            }),
          ),
        },
        edited: new Map(entries.map(([id, { edited }]) => [id, edited])),
        advisories: new Map(
          entries.map(([id]) => [
            id,
            (advised.get(`${name} ${id}`) ?? []).map((one) => one.about!),
          ]),
        ),
      };
    }),
  );
  const written = { tool: 'stackyard-registry', version, at: fleet.updated_at };
  return cycloneDx('fleet', projects, written);
}
