/**
 * Completes the conflict about a stack tag with what the project and its registry know: the command that updates a package, the
 * builds that provide what is missing, and whether the project is one of Python.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { declaredFact, isIn } from '../../format/project/stack-fact.ts';
import { lowestVersion, rangesIntersect } from '../../format/version/semver-range.ts';
import type { BuildSummary } from '../../format/index/record.ts';
import type { Lock } from '../../format/project/lock.ts';
import type { FetchedBuild } from '../plan/plan.ts';
import { PACKAGE_JSON, PYPROJECT, REQUIREMENTS } from '../edit/edited-files.ts';
import { findNodeManager } from '../project/package-managers.ts';
import { npmFacts } from '../project/stack/npm.ts';
import type { Conflict } from '../resolve/conflict.ts';
import type { Registries } from '../registry/registries.ts';
import { listBuilds } from './search-catalog.ts';
import { closeness } from './search-registries.ts';

const PYTHON_FILES = [PYPROJECT, REQUIREMENTS];
const RUNTIMES = ['node', 'python'];
/** How many builds of each kind a hint names. */
const MAX_NAMED = 3;
/** How many builds are compared for that. */
const MAX_COMPARED = 50;

/** `conflict` as it is, where it is about something else than a tag. */
export async function withStackHint(
  conflict: Conflict,
  project: string,
  registry: Registries,
  isNew = false,
): Promise<Conflict> {
  const { need, hint = '' } = conflict;
  if (need === undefined || RUNTIMES.includes(need.tag)) return conflict;
  const { tag, fact, isProvided } = need;
  const [first = '', ...rest] = hint.split('; ');
  const changed = (better: string): Conflict => ({
    ...conflict,
    hint: [better, ...rest].join('; '),
  });
  if (fact?.isDevelopment === true) {
    return changed(`if your server runs with ${tag}, move it to "dependencies" in ${PACKAGE_JSON}`);
  }
  if (fact?.range !== undefined) return changed(await updateText(project, need, fact.range));
  if (isProvided) return conflict;
  const python = isNew ? undefined : pythonFile(project);
  if (python !== undefined) {
    const message = `${conflict.message}: it is a Python project (${python})`;
    const better = 'choose a build for Python: stackyard search requires:python';
    return { ...changed(better), message };
  }
  const others = isNew ? [] : await fittingOf(registry, need.by, project);
  if (others.length > 0)
    return changed(`take the build for this project: stackyard add ${others.join(' or ')}`);
  const providers = await providersOf(registry, need, isNew ? undefined : project);
  return providers === undefined ? conflict : changed(first.replace(/, or .*$/, '') + providers);
}

/**
 * By tag: the best modules of the registry that provide it, for the tags from which steps of the builds import and that no
 * installed build provides; `undefined` where there is nothing to tell.
 */
export async function offeredForTags(
  registry: Registries,
  builds: readonly FetchedBuild[],
  lock: Lock | undefined,
): Promise<ReadonlyMap<string, readonly string[]> | undefined> {
  const guides = builds.flatMap(({ wiredGuide = '' }) =>
    wiredGuide.includes('tag:') ? wiredGuide : [],
  );
  if (guides.length === 0) return undefined;
  // Read where there is a step with a tag: every command that resolves loads this file.
  const { parseWiring } = await import('../../format/wiring/wiring.ts');
  const { tagsOf } = await import('../wire/tag-imports.ts');
  const provided = [
    ...Object.values(lock?.builds ?? {}).flatMap(({ provides }) => provides),
    ...builds.flatMap(({ manifest }) => manifest.stack?.provides ?? []),
  ];
  const steps = guides.flatMap((guide) => parseWiring(guide).steps);
  const tags = new Set(steps.flatMap(({ alternatives }) => alternatives.flat().flatMap(tagsOf)));
  const offered = new Map<string, readonly string[]>();
  try {
    for (const tag of [...tags].filter((one) => !provided.includes(one)).toSorted()) {
      const ids = await bestIds(registry, ({ kind, provides, yanked, deprecated }) => {
        return kind === 'module' && !yanked && !deprecated && provides.includes(tag);
      });
      offered.set(tag, ids);
    }
  } catch {
    // As for the builds that provide a tag.
    return undefined;
  }
  return offered;
}

/** The file that makes a folder without package.json a project of Python. */
function pythonFile(project: string): string | undefined {
  if (existsSync(join(project, PACKAGE_JSON))) return undefined;
  return PYTHON_FILES.find((file) => existsSync(join(project, file)));
}

/** The command that brings a declared package into the range: within its own, or by another. */
async function updateText(
  project: string,
  { tag, range }: NonNullable<Conflict['need']>,
  declared: string,
): Promise<string> {
  const { name } = await findNodeManager(project);
  if (rangesIntersect(declared, range)) {
    const update = ['npm', 'pnpm', 'bun', 'deno'].includes(name) ? 'update' : 'upgrade';
    return `your range ${declared} admits it: ${name} ${update} ${tag}`;
  }
  const install = name === 'npm' ? 'install' : 'add';
  return `have ${tag} ${range} in the project: ${name} ${install} "${tag}@^${lowestVersion(range)}"`;
}

/** Modules that provide what `by` provides, for a framework that the project has. */
async function fittingOf(registry: Registries, by: string, project: string): Promise<string[]> {
  const facts = npmFacts(project);
  try {
    const [own] = await listBuilds(registry.defaultRegistry, 1, ({ id }) => id === by);
    return await bestIds(registry, ({ kind, requires, provides, ...build }) => {
      const tags = Object.entries(requires).filter(([tag]) => !RUNTIMES.includes(tag));
      const isSame = own?.provides.some((tag) => provides.includes(tag)) === true;
      const isFor = tags.some(([tag]) => tag !== 'typescript');
      const isUsable = kind === 'module' && !build.yanked && !build.deprecated && build.id !== by;
      return isUsable && isSame && isFor && tags.every(([tag, range]) => isIn(facts, tag, range));
    });
  } catch {
    // As for the builds that provide a tag.
    return [];
  }
}

/** The best builds, those for the framework of the project first, that provide the tag or start a project that has it; `undefined` where the registry cannot be read. */
async function providersOf(
  registry: Registries,
  { tag, range }: NonNullable<Conflict['need']>,
  project: string | undefined,
): Promise<string | undefined> {
  const stack = project === undefined ? new Map() : npmFacts(project);
  const provides = ({ provides: tags, brings = {}, ...build }: BuildSummary): boolean => {
    if (build.yanked || build.deprecated) return false;
    if (tags.includes(tag)) return true;
    if (!Object.hasOwn(brings, tag)) return false;
    return isIn(new Map([[tag, declaredFact(brings[tag], '')]]), tag, range);
  };
  const named = async (kind: BuildSummary['kind']): Promise<string[]> => {
    const admits = (build: BuildSummary): boolean => build.kind === kind && provides(build);
    const builds = await listBuilds(registry.defaultRegistry, MAX_COMPARED, admits);
    const close = (build: BuildSummary): number => closeness(build, { stack, locked: new Map() });
    const best = builds.toSorted((a, b) => close(b) - close(a)).slice(0, MAX_NAMED);
    return best.map(({ id }) => id);
  };
  try {
    const modules = await named('module');
    const foundations = project === undefined ? [] : await named('foundation');
    const adds = `, or add what provides it: stackyard add ${modules.join(' or ')}`;
    const starts = `, or start a project that has it: stackyard new ${foundations.join(' or ')}`;
    const texts = [modules.length === 0 ? '' : adds, foundations.length === 0 ? '' : starts];
    return texts.join('') || '; no build of the registry provides it';
  } catch {
    // The conflict is what the user has to know; a registry that cannot be read is not.
    return undefined;
  }
}

async function bestIds(
  registry: Registries,
  admits: (build: BuildSummary) => boolean,
): Promise<string[]> {
  const builds = await listBuilds(registry.defaultRegistry, MAX_NAMED, admits);
  return builds.map(({ id }) => id);
}
