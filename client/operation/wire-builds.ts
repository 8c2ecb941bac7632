/**
 * Wires the builds of a plan: reads the project for `client/wire/`, which finds the places. Parsers are loaded only
 * when a build is wired, or was.
 */
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lock, LockedBuild, LockedWiring } from '../../format/lock/lock.ts';
import { isFilePath } from '../../format/build/file-path.ts';
import type { WiredStep, parseWiring } from '../../format/wiring/wiring.ts';
import { ClientError } from '../errors.ts';
import type { FetchedBuild, PlanInput } from '../plan/plan.ts';
import type { WiringConflict } from '../plan/planned-wiring.ts';
import type { WiringEntry } from '../plan/planned-entries.ts';
import { targetPaths } from '../plan/files.ts';
import { isEsPackage, sourceFiles } from '../project/source-files.ts';
import type { Aliases } from '../rewrite/aliases.ts';
import { Layout } from '../rewrite/layout.ts';
import { fetchedPlace, lockedPlace } from './place-builds.ts';

/** What the wiring of a plan depends on. */
export type WiringInput = Pick<
  PlanInput,
  'command' | 'builds' | 'leaving' | 'lock' | 'onConflict' | 'wiring'
> & {
  /** Installed builds whose guides are carried out although their files stay. */
  readonly installed?: readonly FetchedBuild[];
};

export interface PreparedWiring {
  /** Files that the wiring may change, as far as it is known without looking for places. */
  readonly paths: readonly string[];
  /** @param known paths whose content is that of `get`; others are read from the disk */
  readonly wire: (known: ReadonlySet<string>) => NonNullable<PlanInput['wire']>;
}

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

/** `undefined` where no build is wired or was. */
export async function prepareWiring(
  project: string,
  input: WiringInput,
): Promise<PreparedWiring | undefined> {
  const work = await workOf(input);
  const locked = Object.entries(input.lock?.builds ?? {});
  const out = new Set([...input.leaving, ...(input.wiring?.unwire ?? [])]);
  const going = dependentsFirst(locked).filter(
    ([id, { wiring }]) => out.has(id) && wiring !== undefined,
  );
  if (work.length === 0 && going.length === 0) return undefined;
  const [{ wireBuild }, { takeOutEntries }, { ProjectTexts }, reading] = await Promise.all([
    import('../wire/wire-build.ts'),
    import('../wire/take-out-entries.ts'),
    import('../wire/project-texts.ts'),
    readProject(project, input, work),
  ]);
  // The analysis is loaded where text may be replaced.
  const mayGain = work.some(({ isAgreed }) => !isAgreed);
  const gainedBy = mayGain ? (await import('../wire/gained-capabilities.ts')).gainedBy : undefined;
  const targets = work.flatMap(({ steps }) => blocksOf(steps).map(({ target }) => target));
  const paths = [
    ...targets,
    ...locked.flatMap(([, { wiring = [] }]) => wiring.map(({ file }) => file)),
  ];
  return {
    paths: paths.filter(isFilePath),
    wire: (known) => (get) => {
      const texts = new ProjectTexts(
        reading.of((path) => (known.has(path) ? decode(get(path)) : undefined), known),
      );
      const entries: WiringEntry[] = [];
      const conflicts: WiringConflict[] = [];
      const integrated = new Set<string>();
      const kept = new Map<string, readonly LockedWiring[] | undefined>();
      for (const [id, { wiring = [] }] of going) {
        const { mine, others } = handOver(wiring, input.lock, out);
        for (const [other, entry] of others) kept.set(other, entry);
        entries.push(...takeOutEntries(id, mine, texts));
        kept.set(id, undefined);
      }
      for (const { build, steps, isWhole, previous, isRepeated, isAgreed } of work) {
        const onConflict = input.onConflict === 'ours' ? 'ours' : 'fail';
        const context = reading.contextOf(build, steps);
        const wired = wireBuild(
          {
            id: build.id,
            steps,
            context,
            previous,
            isRepeated,
            onConflict,
            gainOf: isAgreed ? undefined : gainedBy,
          },
          texts,
        );
        entries.push(...wired.entries);
        conflicts.push(...wired.conflicts);
        kept.set(build.id, wired.locked);
        const isLeft = wired.entries.some(
          ({ action }) => action === 'by_hand' || action === 'held',
        );
        if (isWhole && !isLeft) integrated.add(build.id);
      }
      const files = [...texts.changes()].filter(
        ([path, text]) => text !== texts.project.read(path),
      );
      return { entries, files: new Map(files), locked: kept, conflicts, integrated };
    },
  };
}

/** The builds to wire, each after those that it requires. */
async function workOf(input: WiringInput): Promise<Work[]> {
  const { builds, lock, wiring = {}, installed = [] } = input;
  // An update carries out the guides of builds that are wired, and of no other.
  const isAll = wiring.wire === true && input.command !== 'update';
  const isNamed = (id: string): boolean => Array.isArray(wiring.wire) && wiring.wire.includes(id);
  const isWanted = (id: string): boolean => isAll || isNamed(id);
  const candidates = [...builds, ...installed].filter(({ id }) => {
    const isUpdated =
      lock?.builds[id]?.wiring !== undefined && wiring.unwire?.includes(id) !== true;
    return isUpdated || isWanted(id);
  });
  // Most commands read no guide: the reader of Markdown is loaded for those that do.
  const hasGuide = candidates.some(({ wiredGuide }) => wiredGuide !== undefined);
  const read = hasGuide ? (await import('../../format/wiring/wiring.ts')).parseWiring : noSteps;
  const all = candidates.flatMap((build): Work[] => {
    const previous = lock?.builds[build.id]?.wiring;
    const { steps, plainSteps } = read(build.wiredGuide ?? '');
    if (steps.length === 0 && previous === undefined) return [];
    const isRepeated = isNamed(build.id);
    const isAgreed = previous === undefined || wiring.wire === true || isRepeated;
    const isWhole = steps.length > 0 && plainSteps === 0;
    return [{ build, steps, isWhole, previous: previous ?? [], isRepeated, isAgreed }];
  });
  const sorted: Work[] = [];
  const add = (work: Work, seen: ReadonlySet<string>): void => {
    if (sorted.includes(work) || seen.has(work.build.id)) return;
    for (const id of Object.keys(work.build.manifest.builds ?? {})) {
      const required = all.find(({ build }) => build.id === id);
      if (required !== undefined) add(required, new Set([...seen, work.build.id]));
    }
    sorted.push(work);
  };
  for (const work of all) add(work, new Set());
  return sorted;
}

function noSteps(): ReturnType<typeof parseWiring> {
  return { steps: [], plainSteps: 0, findings: [] };
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

function blocksOf(steps: readonly WiredStep[]): WiredStep['alternatives'][number][number][] {
  return steps.flatMap(({ alternatives }) => alternatives.flat());
}

/** Text that another build needs as well becomes text of that build. */
function handOver(
  wiring: readonly LockedWiring[],
  lock: Lock | undefined,
  out: ReadonlySet<string>,
): { mine: LockedWiring[]; others: Map<string, readonly LockedWiring[]> } {
  const others = new Map<string, readonly LockedWiring[]>();
  const mine = wiring.filter((entry) => {
    if (entry.action === 'kept') return false;
    for (const [id, build] of Object.entries(lock?.builds ?? {})) {
      const theirs = others.get(id) ?? build.wiring ?? [];
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

/** How `client/wire/` reads the project and knows the places of builds. */
async function readProject(project: string, input: WiringInput, work: readonly Work[]) {
  const [{ importRewriter }, { resolveModule }, { prefixesOf }, { readStyle, completeStyle }] =
    await Promise.all([
      import('../wire/rewrite-imports.ts'),
      import('../wire/resolve-module.ts'),
      import('../wire/taken-prefix.ts'),
      import('../wire/code-style.ts'),
    ]);
  const { readAliases } = await import('../project/module-aliases.ts');
  const { readPythonRoots } = await import('../project/python-roots.ts');
  const locked = Object.entries(input.lock?.builds ?? {});
  const modules = new Set(
    targetPaths(input.builds.filter(({ manifest }) => manifest.kind === 'module')),
  );
  for (const [, { kind, files }] of locked) {
    if (kind === 'module') for (const path of Object.keys(files)) modules.add(path);
  }
  const made = new Set([
    ...locked.flatMap(([, { wiring = [] }]) =>
      wiring.flatMap(({ verb, file }) => (verb === 'file' ? [file] : [])),
    ),
    ...work.flatMap(({ steps }) =>
      blocksOf(steps).flatMap(({ verb, target }) => (verb === 'file' ? [target] : [])),
    ),
  ]);
  const staying = locked.filter(
    ([id]) => !input.leaving.has(id) && !input.builds.some((one) => one.id === id),
  );
  const layout = new Layout([...staying.map(lockedPlace), ...input.builds.map(fetchedPlace)]);
  const paths = sourceFiles(project).filter((path) => !modules.has(path) && !made.has(path));
  let aliases: Aliases | undefined;
  const readOwn = (): Aliases => (aliases ??= aliasesOf(() => readAliases(project)));
  const texts = new Map<string, string | undefined>();
  const readDisk = (path: string): string | undefined => {
    if (!texts.has(path)) texts.set(path, readText(join(project, path)));
    return texts.get(path);
  };
  const styles = new Map<boolean, ReturnType<typeof readStyle>>();
  const styleOf = (path: string): ReturnType<typeof readStyle> => {
    const isPython = path.endsWith('.py');
    const known = styles.get(isPython);
    if (known !== undefined) return known;
    const sample = paths.filter((one) => one.endsWith('.py') === isPython).slice(0, 40);
    const all = sample.map((one) => readStyle(readDisk(one) ?? ''));
    const style = completeStyle(
      readStyle(sample.map((one) => readDisk(one) ?? '').join('\n')),
      all,
    );
    styles.set(isPython, style);
    return style;
  };
  return {
    of: (planned: (path: string) => string | undefined, known: ReadonlySet<string>) => {
      const read = (path: string): string | undefined =>
        known.has(path) ? planned(path) : readDisk(path);
      const has = (path: string): boolean => read(path) !== undefined;
      return {
        paths,
        read,
        isOfModule: (path: string) => modules.has(path),
        isEsPackage: (path: string) => isEsPackage(project, path),
        resolve: (from: string, specifier: string) =>
          resolveModule(from, specifier, readOwn(), has),
        isTaken: (path: string) =>
          lstatSync(join(project, path), { throwIfNoEntry: false }) !== undefined,
      };
    },
    contextOf: (build: FetchedBuild, steps: readonly WiredStep[]) => {
      const place = layout.get(build.id) ?? fetchedPlace(build);
      const { manifest, imports: style, alias } = build;
      const tables = [manifest.dependencies?.npm, manifest.devDependencies?.npm];
      const context = {
        layout,
        build: place,
        style,
        alias,
        packages: new Set(tables.flatMap((table) => Object.keys(table ?? {}))),
        aliases: readOwn,
        pythonRoots: () => readPythonRoots(project),
        hasModule: (path: string) => existsSync(join(project, path)),
      };
      return {
        home: (manifest.base ?? '').split('/').slice(0, -1).join('/'),
        rewrite: importRewriter(context, [...made]),
        prefixes: prefixesOf(blocksOf(steps)),
        styleOf,
      };
    },
  };
}

/** Aliases that cannot be read resolve nothing: then less is known of the project, and less is wired. */
function aliasesOf(read: () => Aliases): Aliases {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    return { aliases: [], baseUrl: undefined };
  }
}

function readText(file: string): string | undefined {
  const status = lstatSync(file, { throwIfNoEntry: false });
  return status?.isFile() === true ? decode(readFileSync(file)) : undefined;
}

function decode(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined || bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
