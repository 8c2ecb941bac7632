/** Carries out the guides of the builds of a change in the code of a project, or takes their steps out. Pure. */
import type { Lock, LockedBuild, LockedWiring } from '../../format/project/lock.ts';
import { parseWiring, type WiredStep } from '../../format/wiring/wiring.ts';
import { ClientError } from '../errors.ts';
import { fetchedPlace, lockedPlace, packagesOf } from '../plan/place/place-builds.ts';
import type { ProjectCode } from '../plan/place/project-code.ts';
import type { RewriteContext } from '../plan/place/rewrite.ts';
import { applyEdits } from '../edit/text-edit.ts';
import { Layout } from '../plan/place/layout.ts';
import { folderOf, resolvePath } from '../plan/place/paths.ts';
import { findSpecifiers } from '../plan/place/javascript-specifiers.ts';
import { targetPaths } from '../plan/files.ts';
import type { Change, FetchedBuild } from '../plan/plan.ts';
import type { PlannedWiring, WiringConflict, WiringEntry } from '../plan/planned-entries.ts';
import { type CodeStyle, completeStyle, readStyle } from './code-style.ts';
import { ProjectTexts } from './project-texts.ts';
import { resolveModule } from './resolve-module.ts';
import { takeOutEntries } from './take-out-entries.ts';
import { prefixesOf } from './mounted-paths.ts';
import type { StyleFile } from './place-block.ts';
import { type BuildWiring, wireBuild } from './wire-build.ts';
import { languageOf } from '../../scan/parse/syntax.ts';
import { rewriteJavaScript } from '../plan/place/rewrite-javascript.ts';
import { TagImports, tagsOf } from './tag-imports.ts';
import { rewritePython } from '../plan/place/rewrite-python.ts';
import type { RewriteImports } from './render-block.ts';

interface Work {
  readonly build: FetchedBuild;
  readonly steps: readonly WiredStep[];
  /** Whether all steps of the guide are wired. */
  readonly isWhole: boolean;
  readonly previous: readonly LockedWiring[];
  readonly isRepeated: boolean;
  /** Whether the user agreed to text that can do more than the present one. */
  readonly isAgreed: boolean;
}

/** Why a step is left that is for applications which the project does not have. */
const OF_OTHERS =
  /^(?:the project has no such file; otherwise: )?no file makes an application with \w+(?:; otherwise: no file makes an application with \w+)*$/;

/**
 * @param change with its builds at their places
 * @param code of the project as the other parts of the plan leave it
 * @param styleFile of the files that steps create
 * @returns `undefined` where no build is wired or was
 */
export async function wireBuilds(
  change: Change,
  code: ProjectCode,
  styleFile: StyleFile = (_, text) => text,
): Promise<PlannedWiring | undefined> {
  const { lock, leaving, choices } = change;
  const work = workOf(change);
  const out = new Set([...leaving, ...(choices.unwire ?? [])]);
  const going = dependentsFirst(Object.entries(lock?.builds ?? {})).filter(
    ([id, { wiring }]) => out.has(id) && wiring !== undefined,
  );
  const orphans = importsOfLeaving(lock, leaving, out);
  if (work.length === 0 && going.length === 0 && orphans.length === 0) return undefined;
  // The analysis is loaded where text may be replaced.
  const mayGain = work.some(({ isAgreed }) => !isAgreed);
  const gainedBy = mayGain ? (await import('./gained-capabilities.ts')).gainedBy : undefined;
  const { texts, contextOf, tags } = openTexts(change, work, code, styleFile);
  const entries: WiringEntry[] = [...orphans];
  const conflicts: WiringConflict[] = [];
  const integrated = new Set<string>();
  const locked = new Map<string, readonly LockedWiring[] | undefined>();
  for (const [id, { wiring = [] }] of going) {
    const { mine, others } = handOver(wiring, lock, out, locked);
    for (const [other, entry] of others) locked.set(other, entry);
    entries.push(...takeOutEntries(id, mine, texts));
    locked.set(id, undefined);
  }
  const onConflict = choices.on_conflict === 'ours' ? 'ours' : 'fail';
  for (const { build, steps, isWhole, previous, isRepeated, isAgreed } of work) {
    const gainOf = isAgreed ? undefined : gainedBy;
    const context = contextOf(build, steps);
    const { id } = build;
    // Text that a leaving build has handed over is text of this build, and follows its new steps.
    const before = locked.get(id) ?? previous;
    const { problem: tagProblem } = tags;
    const wired = wireBuild(
      { id, steps, context, previous: before, isRepeated, onConflict, gainOf, tagProblem },
      texts,
    );
    entries.push(...wired.entries);
    conflicts.push(...wired.conflicts);
    locked.set(id, wired.locked);
    // The plan has the steps that are left to the user; a held one is there again after a yes.
    const isHeld = wired.entries.some(({ action }) => action === 'held');
    if (isWhole && !isHeld) integrated.add(id);
  }
  // A build that requires another one mounts it in the application that there is.
  const mounting = work.filter(({ build }) =>
    locked.get(build.id)?.some(({ target }) => target.startsWith('@')),
  );
  const mounted = new Set(
    mounting.flatMap(({ build }) => Object.keys(build.manifest.builds ?? {})),
  );
  const shown = entries.filter(
    ({ build, action, why = '' }) =>
      action !== 'by_hand' || !mounted.has(build) || !OF_OTHERS.test(why),
  );
  const files = [...texts.changes()].filter(([path, text]) => text !== code.read(path));
  return { entries: shown, files: new Map(files), locked, conflicts, integrated };
}

/** The tags whose builds enter the list of modules first. */
const FIRST_TAGS = ['database', 'auth'];

/** The builds to wire, each after those that it requires or imports from by a tag. */
function workOf({ command, builds, lock, wired = [], choices }: Change): Work[] {
  const { wire, unwire } = choices;
  // An update carries out the guides of builds that are wired, and of no other.
  const isAll = wire === true && command !== 'update';
  const isNamed = (id: string): boolean => Array.isArray(wire) && wire.includes(id);
  const candidates = [...builds, ...wired].filter(({ id }) => {
    const isUpdated = lock?.builds[id]?.wiring !== undefined && unwire?.includes(id) !== true;
    return isUpdated || isAll || isNamed(id);
  });
  const all = candidates.flatMap((build): Work[] => {
    const previous = lock?.builds[build.id]?.wiring;
    const { steps, plainSteps } = parseWiring(build.wiredGuide ?? '');
    if (steps.length === 0 && previous === undefined) return [];
    const isRepeated = isNamed(build.id);
    const isAgreed = previous === undefined || wire === true || isRepeated;
    const isWhole = steps.length > 0 && plainSteps === 0;
    return [{ build, steps, isWhole, previous: previous ?? [], isRepeated, isAgreed }];
  });
  const sorted: Work[] = [];
  const add = (work: Work, seen: ReadonlySet<string>): void => {
    if (sorted.includes(work) || seen.has(work.build.id)) return;
    const required = Object.keys(work.build.manifest.builds ?? {});
    const tags = work.steps.flatMap(({ alternatives }) => alternatives.flat().flatMap(tagsOf));
    for (const other of all) {
      const provided = other.build.manifest.stack?.provides ?? [];
      const isNeeded =
        required.includes(other.build.id) || provided.some((tag) => tags.includes(tag));
      if (isNeeded) add(other, new Set([...seen, work.build.id]));
    }
    sorted.push(work);
  };
  // What others are wired to comes first; the sort is stable.
  const rank = ({ build }: Work): number => {
    const at = FIRST_TAGS.findIndex((tag) => build.manifest.stack?.provides?.includes(tag));
    return at < 0 ? FIRST_TAGS.length : at;
  };
  for (const work of [...all].sort((a, b) => rank(a) - rank(b))) add(work, new Set());
  return sorted;
}

/** What was put into a file of another build's steps goes before that file. */
function dependentsFirst(
  locked: readonly (readonly [string, LockedBuild])[],
): (readonly [string, LockedBuild])[] {
  const sorted: (readonly [string, LockedBuild])[] = [];
  const add = (entry: readonly [string, LockedBuild], above: ReadonlySet<string>): void => {
    if (sorted.includes(entry) || above.has(entry[0])) return;
    for (const other of locked) {
      if (Object.hasOwn(other[1].builds, entry[0])) add(other, new Set([...above, entry[0]]));
    }
    sorted.push(entry);
  };
  for (const entry of locked) add(entry, new Set());
  return sorted;
}

/** Wired text of builds that stay, which imports from one that leaves: a tag stood for it. */
function importsOfLeaving(
  lock: Lock | undefined,
  leaving: ReadonlySet<string>,
  out: ReadonlySet<string>,
): WiringEntry[] {
  const locked = Object.entries(lock?.builds ?? {});
  const gone = new Map(
    locked.flatMap(([id, { files }]) =>
      leaving.has(id) ? Object.keys(files).map((path) => [stemOf(path), id] as const) : [],
    ),
  );
  if (gone.size === 0) return [];
  return locked.flatMap(([build, { wiring = [] }]) => {
    if (out.has(build)) return [];
    return wiring.flatMap(({ step, verb, file, text }): WiringEntry[] => {
      const specifiers =
        verb === 'file' || verb === 'import' ? findSpecifiers(file, text) : undefined;
      const id = specifiers?.specifiers
        .map(({ value }) => gone.get(stemOf(resolvePath(folderOf(file), value) ?? '')))
        .find((one) => one !== undefined);
      if (id === undefined) return [];
      const why = `it imports from ${id}, which is removed: import from another build that provides the same`;
      return [{ build, step, file, text: text.trim(), action: 'left', why }];
    });
  });
}

function blocksOf(steps: readonly WiredStep[]): WiredStep['alternatives'][number][number][] {
  return steps.flatMap(({ alternatives }) => alternatives.flat());
}

/** Text that another build needs as well becomes text of that build. */
function handOver(
  wiring: readonly LockedWiring[],
  lock: Lock | undefined,
  out: ReadonlySet<string>,
  handed: ReadonlyMap<string, readonly LockedWiring[] | undefined>,
): { mine: LockedWiring[]; others: Map<string, readonly LockedWiring[]> } {
  const others = new Map<string, readonly LockedWiring[]>();
  const mine = wiring.filter((entry) => {
    if (entry.action === 'kept') return false;
    for (const [id, build] of Object.entries(lock?.builds ?? {})) {
      const theirs = others.get(id) ?? handed.get(id) ?? build.wiring ?? [];
      const at = theirs.findIndex((other) => {
        const isSame = other.file === entry.file && other.text.trim() === entry.text.trim();
        return other.action === 'kept' && isSame;
      });
      if (out.has(id) || at < 0) continue;
      others.set(id, theirs.with(at, { ...theirs[at]!, text: entry.text, action: 'added' }));
      return false;
    }
    return true;
  });
  return { mine, others };
}

/** The code of the project for the placing of blocks, and what each build brings to it. */
function openTexts(
  { builds, leaving, lock, providers, choices: { requested } }: Change,
  work: readonly Work[],
  code: ProjectCode,
  styleFile: StyleFile,
): {
  texts: ProjectTexts;
  tags: TagImports;
  contextOf: (build: FetchedBuild, steps: readonly WiredStep[]) => BuildWiring['context'];
} {
  const locked = Object.entries(lock?.builds ?? {});
  const ofModules = locked.flatMap(([, { kind, files }]) =>
    kind === 'module' ? Object.keys(files) : [],
  );
  const coming = targetPaths(builds.filter(({ manifest }) => manifest.kind === 'module'));
  const modules = new Set([...coming, ...ofModules]);
  const before = locked.flatMap(([, { wiring = [] }]) =>
    wiring.map(({ verb, file: target }) => ({ verb, target })),
  );
  const blocks = [...before, ...work.flatMap(({ steps }) => blocksOf(steps))];
  const made = new Set(blocks.flatMap(({ verb, target }) => (verb === 'file' ? [target] : [])));
  const staying = locked.filter(([id]) => !leaving.has(id) && !builds.some((one) => one.id === id));
  const layout = new Layout([...staying.map(lockedPlace), ...builds.map(fetchedPlace)]);
  const tags = new TagImports(layout, providers, [
    ...staying.map(([id, one]) => ({
      id,
      provides: one.provides,
      isRequested: one.requested !== undefined,
    })),
    ...builds.map(({ id, manifest }) => ({
      id,
      provides: manifest.stack?.provides ?? [],
      isRequested: (requested[id] ?? lock?.builds[id]?.requested) !== undefined,
    })),
  ]);
  const paths = code.paths().filter((path) => !modules.has(path) && !made.has(path));
  const has = (path: string): boolean => code.read(path) !== undefined;
  const aliases = (): ReturnType<ProjectCode['aliases']> => readableAliases(code);
  const styles = new Map<boolean, CodeStyle>();
  const styleOf = (path: string): CodeStyle => {
    const isPython = path.endsWith('.py');
    const known = styles.get(isPython);
    if (known !== undefined) return known;
    const sample = paths.filter((one) => one.endsWith('.py') === isPython).slice(0, 40);
    const read = sample.map((one) => code.read(one) ?? '');
    const style = completeStyle(readStyle(read.join('\n')), read.map(readStyle));
    styles.set(isPython, style);
    return style;
  };
  const texts = new ProjectTexts({
    ...code,
    paths,
    isOfModule: (path) => modules.has(path),
    resolve: (from, specifier) => resolveModule(from, specifier, aliases(), has),
  });
  return {
    texts,
    tags,
    contextOf: (build, steps) => {
      const { manifest, imports: style, alias } = build;
      const place = layout.get(build.id) ?? fetchedPlace(build);
      const packages = packagesOf(build);
      const tagged = tags.finder(build.form);
      const placed = { layout, build: place, style, alias, packages, aliases, tagged };
      const context = { ...placed, pythonRoots: code.pythonRoots, hasModule: code.has };
      return {
        home: (manifest.base ?? '').split('/').slice(0, -1).join('/'),
        rewrite: importRewriter(context, [...made]),
        prefixes: prefixesOf(blocksOf(steps), build.expectedGuide),
        styleOf,
        styleFile,
      };
    },
  };
}

/** Aliases that cannot be read resolve nothing: then less is known of the project, and less is wired. */
function readableAliases(code: ProjectCode): ReturnType<ProjectCode['aliases']> {
  try {
    return code.aliases();
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    return { aliases: [], baseUrl: undefined };
  }
}

/** @param files that the blocks create: they are modules of the project */
export function importRewriter(context: RewriteContext, files: readonly string[]): RewriteImports {
  const stems = new Set(files.map(stemOf));
  const own: RewriteContext = {
    ...context,
    hasModule: (path) => stems.has(stemOf(path)) || context.hasModule(path),
  };
  return (file) => {
    const language = languageOf(file.placed, undefined);
    if (language === undefined) return file.text;
    const rewrite = language === 'python' ? rewritePython : rewriteJavaScript;
    return applyEdits(file.text, rewrite(file, own).edits);
  };
}

function stemOf(path: string): string {
  return path.replace(/\.(?:[cm]?[jt]sx?|py)$/, '');
}
