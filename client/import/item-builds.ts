/**
 * Turns the items of a registry for shadcn into builds, in memory. Each is examined as the registry examines it. Items
 * come from strangers: no path of theirs is used before it was checked.
 */
import {
  INTEGRATION_FILE,
  MANIFEST_FILE,
  MAX_FILES,
  README_FILE,
} from '../../format/build/build-files.ts';
import { checkFilePaths, printable } from '../../format/build/file-path.ts';
import { findingMessage } from '../../format/finding/finding.ts';
import { isNeverWritten } from '../../format/build/protected-path.ts';
import { examineBuild } from '../../scan/examine-build.ts';
import { isWithin, joinPath } from '../plan/place/layout.ts';
import {
  tryBuildName,
  buildIdOf,
  itemReferences,
  styleSheet,
  type BrokenItem,
  type ItemSource,
  type SourceItem,
} from './item-reference.ts';
import { itemIntegration, itemReadme, itemManifest } from './item-manifest.ts';
import { ModuleIndex, projectPath, rewriteImports } from './module-index.ts';

interface ImportRequirements {
  readonly owner: string;
  /** The folder of sources; "" without one. */
  readonly root: string;
  /** For items that state none. */
  readonly license: string | undefined;
}

interface ImportedBuild {
  readonly id: string;
  readonly name: string;
  /** The name of the item. */
  readonly item: string;
  /** Path within the build to text. */
  readonly files: ReadonlyMap<string, string>;
  /** Path in a project to text, of what an install places. */
  readonly placed: ReadonlyMap<string, string>;
  readonly requires: readonly string[];
  readonly license: string;
  /** What needs a person. */
  readonly notes: readonly string[];
}

interface ImportedItems {
  readonly builds: readonly ImportedBuild[];
  /** Items that only name others: what requires them requires those. */
  readonly bundles: readonly string[];
  readonly broken: readonly BrokenItem[];
}

/** Texts about the build in its folder. */
const OWN_FILES = new Set([MANIFEST_FILE, README_FILE, INTEGRATION_FILE, 'LICENSE']);
/** Files of a project that no module may replace. */
const PROJECT_FILES =
  /^(?:package\.json|package-lock\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lock)$/i;

export function itemBuilds(given: ItemSource, requirements: ImportRequirements): ImportedItems {
  const { source, bundles } = withoutBundles(given);
  const broken = new Map(source.broken.map((one) => [one.name, one]));
  const sound = source.items.filter((one) => {
    const problem = itemProblem(one, source.items, requirements, source.license);
    if (problem !== undefined) broken.set(one.item.name, { name: one.item.name, ...problem });
    return problem === undefined;
  });
  const modules = sound.flatMap((one) => modulesOf(one, requirements.root));
  const index = new ModuleIndex(modules, requirements.root);
  const names = new Set(source.items.map(({ item }) => item.name));
  const builds: ImportedBuild[] = [];
  for (const one of sound) {
    const made = makeBuild(one, { source, requirements, index, names });
    const examined = examine(made, requirements.owner);
    if (examined === undefined) builds.push(made);
    else {
      const code = 'ERR_ARCHIVE';
      broken.set(made.item, { name: made.item, code, problem: examined });
    }
  }
  return { ...withoutUnmet(builds, [...broken.values()]), bundles };
}

/** Leaves out builds that require one that is left out. */
function withoutUnmet(
  builds: readonly ImportedBuild[],
  broken: readonly BrokenItem[],
): Omit<ImportedItems, 'bundles'> {
  const ids = new Set(builds.map(({ id }) => id));
  const unmet = builds.filter(({ requires }) => requires.some((id) => !ids.has(id)));
  if (unmet.length === 0) return { builds, broken };
  const left = unmet.map(({ item, requires }) => {
    const missing = requires.filter((id) => !ids.has(id)).join(', ');
    return { name: item, code: 'ERR_BUILD_NOT_FOUND', problem: `it requires ${missing}` };
  });
  const rest = builds.filter((build) => !unmet.includes(build));
  return withoutUnmet(rest, [...broken, ...left]);
}

interface Making {
  readonly source: ItemSource;
  readonly requirements: ImportRequirements;
  readonly index: ModuleIndex;
  readonly names: ReadonlySet<string>;
}

function makeBuild(one: SourceItem, { source, requirements, index, names }: Making): ImportedBuild {
  const { item } = one;
  const { owner, root } = requirements;
  const name = tryBuildName(item.name) ?? '';
  const id = buildIdOf(owner, item.name);
  const { own, foreign } = itemReferences(item.registryDependencies ?? [], names, source.address);
  const texts = new Map<string, string>();
  const [uses, imported, unresolved] = [new Set(own), new Set<string>(), new Set<string>()];
  const notes: string[] = [];
  for (const [at, file] of one.files.entries()) {
    const module = modulesOf(one, root)[at]!;
    const made = rewriteImports(module, file.content, index, [item.name, ...own]);
    texts.set(module.place, made.content);
    for (const used of made.uses) uses.add(used);
    for (const used of made.packages) imported.add(used);
    for (const missing of made.unresolved) unresolved.add(missing);
    if (made.isUnread) notes.push(`the imports of "${module.place}" could not be read`);
  }
  uses.delete(item.name);
  const implied = [...uses].filter((used) => !own.includes(used));
  if (implied.length > 0)
    notes.push(`its code imports ${implied.join(', ')}, which it does not name`);
  const styles = styleSheet(item);
  const sheet =
    styles === undefined ? undefined : freePath(texts, joinPath(root, `styles/${name}`));
  if (sheet !== undefined && styles !== undefined) texts.set(sheet, styles);
  const base = baseOf([...texts.keys()], root);
  const license = licenseOf(one) ?? source.license ?? requirements.license ?? '';
  const requires = [...new Set([...uses].map((used) => buildIdOf(owner, used)))].sort();
  const { homepage } = source;
  const leftOut = [README_FILE, INTEGRATION_FILE];
  if (source.licenseText !== undefined) leftOut.push('LICENSE');
  const facts = { name, item, license, base, requires, leftOut, homepage, imported: [...imported] };
  const { manifest, lost } = itemManifest(facts);
  const guide = {
    id,
    manifest,
    item,
    address: source.address,
    styleSheet: sheet,
    foreign,
    unresolved: [...unresolved],
  };
  const files = new Map([
    [MANIFEST_FILE, `${JSON.stringify(manifest, null, 2)}\n`],
    [README_FILE, itemReadme(guide)],
    [INTEGRATION_FILE, itemIntegration(guide)],
    ...(source.licenseText === undefined ? [] : [['LICENSE', source.licenseText] as const]),
    ...[...texts].map(
      ([path, text]) => [path.slice(base === '' ? 0 : base.length + 1), text] as const,
    ),
  ]);
  notes.push(...lost);
  if (foreign.length > 0) notes.push(`it needs ${foreign.join(', ')} of another registry`);
  if (unresolved.size > 0) notes.push(`no item has ${[...unresolved].join(', ')}`);
  if (item.tailwind !== undefined)
    notes.push('its configuration of Tailwind CSS is a step of its guide');
  if (item.font !== undefined) notes.push('its font is a step of its guide');
  return { id, name, item: item.name, files, placed: texts, requires, license, notes };
}

/** The folder of sources where all files are below it, and none has the name of a text of the build. */
function baseOf(paths: readonly string[], root: string): string {
  const isBelow = paths.every((path) => {
    return path !== root && isWithin(root, path) && !OWN_FILES.has(path.slice(root.length + 1));
  });
  return isBelow ? root : '';
}

function freePath(taken: ReadonlyMap<string, string>, stem: string): string {
  return taken.has(`${stem}.css`) ? freePath(taken, `${stem}-item`) : `${stem}.css`;
}

function modulesOf(
  { item, files }: SourceItem,
  root: string,
): Parameters<typeof rewriteImports>[0][] {
  return files.map((file) => {
    return { item: item.name, source: file.path, place: projectPath(file, root) };
  });
}

/** Why an item can become no build. */
function itemProblem(
  one: SourceItem,
  all: readonly SourceItem[],
  { root, license }: ImportRequirements,
  common: string | undefined,
): { code: string; problem: string } | undefined {
  const { item, files } = one;
  const name = tryBuildName(item.name);
  if (name === undefined)
    return { code: 'ERR_BUILD_ID', problem: 'its name has no letter or digit' };
  const twin = all.find((other) => other !== one && tryBuildName(other.item.name) === name);
  if (twin !== undefined) {
    const problem = `"${printable(twin.item.name)}" would become the same build "${name}"`;
    return { code: 'ERR_CONFLICT', problem };
  }
  if ((licenseOf(one) ?? common ?? license) === undefined) {
    return { code: 'ERR_USAGE', problem: 'it states no licence' };
  }
  if (files.length === 0 && styleSheet(item) === undefined) {
    return { code: 'ERR_ARCHIVE', problem: `it has no files (type ${printable(item.type)})` };
  }
  if (files.length > MAX_FILES) return { code: 'ERR_ARCHIVE', problem: 'it has too many files' };
  const paths = modulesOf(one, root).map(({ place }) => place);
  const [fault] = checkFilePaths(paths);
  if (fault !== undefined) {
    const problem = `file "${printable(fault.file)}": ${findingMessage(fault)}`;
    return { code: 'ERR_PATH_POLICY', problem };
  }
  const forbidden = paths.find(
    (path) => isNeverWritten(path) || PROJECT_FILES.test(path) || OWN_FILES.has(path),
  );
  if (forbidden === undefined) return undefined;
  return { code: 'ERR_PATH_POLICY', problem: `no build may write "${printable(forbidden)}"` };
}

/** Items that a Stackyard registry serves state one. */
function licenseOf({ item }: SourceItem): string | undefined {
  const { stackyard, license } = item.meta ?? {};
  const stated =
    typeof stackyard === 'object' && stackyard !== null && 'license' in stackyard
      ? stackyard.license
      : license;
  return typeof stated === 'string' && stated !== '' ? stated : undefined;
}

/** Why the registry would refuse a build. */
function examine({ name, files }: ImportedBuild, owner: string): string | undefined {
  const source = [...files].map(([path, text]) => {
    const bytes = Buffer.from(text);
    return { path, isUtf8Path: true, type: 'file' as const, size: bytes.length, bytes };
  });
  const { findings, isPublishable } = examineBuild({
    owner,
    name,
    source: { files: source, isCut: false },
  });
  if (isPublishable) return undefined;
  const errors = findings.filter(({ level }) => level === 'error');
  const [first] = errors;
  if (first === undefined) return 'it is no valid build';
  const where = first.file === '' ? '' : `${first.file}: `;
  const more = errors.length > 1 ? `, and ${errors.length - 1} more` : '';
  return `the registry would refuse it: ${where}${findingMessage(first)}${more}`;
}

/** The registry without its bundles, and their names. */
export function withoutBundles(source: ItemSource): {
  readonly source: ItemSource;
  readonly bundles: readonly string[];
} {
  const names = new Set(source.items.map(({ item }) => item.name));
  const bundles = new Map<string, readonly string[]>();
  for (const { item } of source.items.filter(isBundle)) {
    bundles.set(item.name, item.registryDependencies ?? []);
  }
  if (bundles.size === 0) return { source, bundles: [] };
  const items = source.items
    .filter(({ item }) => !bundles.has(item.name))
    .map(({ item, files }) => {
      const named = new Set(item.registryDependencies);
      // The set grows during the loop.
      for (const reference of named) {
        const [bundle] = itemReferences([reference], names, source.address).own;
        const inner = bundle === undefined ? undefined : bundles.get(bundle);
        for (const one of inner ?? []) named.add(one);
      }
      const isKept = (reference: string): boolean => {
        const [own] = itemReferences([reference], names, source.address).own;
        return own === undefined || (own !== item.name && !bundles.has(own));
      };
      return { item: { ...item, registryDependencies: [...named].filter(isKept) }, files };
    });
  return { source: { ...source, items }, bundles: [...bundles.keys()] };
}

function isBundle({ item, files }: SourceItem): boolean {
  const isEmpty = files.length === 0 && styleSheet(item) === undefined;
  return isEmpty && (item.registryDependencies ?? []).length > 0;
}
