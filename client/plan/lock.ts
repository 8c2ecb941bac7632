/** The lock after a change. Pure. */
import { LOCK_VERSION, type Lock, type LockedBuild } from '../../format/project/lock.ts';
import { DEFAULT_REGISTRY_NAME } from '../../format/registry/registry-name.ts';
import type { LockedEdits, PlannedEdits } from './previous-edits.ts';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import { integrityOf } from '../../format/archive/integrity.ts';
import type { Change, FetchedBuild, FileChange, PlanChoices, PlannedFile } from './plan.ts';

/** The previous lock with the new builds and without the leaving ones; adds `created` to its field `made`. */
export function nextLock(
  input: Change,
  requested: PlanChoices['requested'],
  files: readonly PlannedFile[],
  edits: PlannedEdits,
  created: readonly string[],
): Lock {
  const builds: Record<string, LockedBuild> = { ...input.lock?.builds };
  for (const id of input.leaving) delete builds[id];
  for (const build of input.builds) {
    const { requested, registry = DEFAULT_REGISTRY_NAME } = builds[build.id] ?? {};
    const locked = lockedBuild({ registry, ...build }, files, edits);
    builds[build.id] = requested === undefined ? locked : { ...locked, requested };
  }
  for (const [id, { npm, pip, scripts, env }] of edits.relocked) {
    const build = builds[id];
    if (build !== undefined) builds[id] = { ...build, npm, pip, scripts, env };
  }
  for (const [id, range] of Object.entries(requested)) {
    const build = builds[id];
    if (build !== undefined) builds[id] = { ...build, requested: range };
  }
  const minAge = input.minAgeHours ?? input.lock?.min_age_hours;
  const isChanging = input.builds.length > 0 || input.leaving.size > 0;
  const marks = new Set([...(input.lock?.made ?? []), ...created, ...edits.created]);
  for (const mark of edits.stale) marks.delete(mark);
  return {
    lockVersion: LOCK_VERSION,
    registries: keptRegistries(input.registries, builds),
    builds: withRequirers(builds),
    ...keptIgnored(input.lock?.ignored, builds),
    ...(minAge === undefined ? {} : { min_age_hours: minAge }),
    // A proof is about the present builds.
    ...(input.lock?.proof === undefined || isChanging ? {} : { proof: input.lock.proof }),
    made: [...marks].sort(),
  };
}

/** With the builds that require each. */
export function withRequirers(builds: Lock['builds']): Lock['builds'] {
  const entries = Object.entries(builds).map(([id, build]) => {
    const required_by = Object.keys(builds).filter((one) => Object.hasOwn(builds[one]!.builds, id));
    return [id, { ...build, required_by: required_by.sort() }] as const;
  });
  return Object.fromEntries(entries);
}

/** The lock entries for the edits of one build. */
export function lockedEdits(
  id: string,
  edits: Pick<PlannedEdits, 'npm' | 'pip' | 'scripts' | 'env'>,
): LockedEdits {
  const ofThis = <Entry extends { build: string }>(entries: readonly Entry[]): Entry[] =>
    entries.filter((entry) => entry.build === id);
  return {
    npm: Object.fromEntries(
      ofThis(edits.npm).map(({ name, table, range, action, wanted, dev }) => [
        name,
        {
          table,
          range,
          action,
          ...(wanted === range ? {} : { wanted }),
          ...devOf(table, dev === true),
        },
      ]),
    ),
    pip: Object.fromEntries(
      ofThis(edits.pip).map(({ name, file, table, specifier, action, wanted, dev }) => {
        const other = wanted === specifier ? {} : { wanted };
        return [name, { file, table, specifier, action, ...other, ...devOf(table, dev === true) }];
      }),
    ),
    scripts: Object.fromEntries(
      ofThis(edits.scripts).map(({ name, value, action }) => [name, { value, action }]),
    ),
    env: Object.fromEntries(
      ofThis(edits.env).map(({ name, action, text }) => [
        name,
        text === undefined ? { action } : { text, action },
      ]),
    ),
  };
}

/** Recorded only where the table of the entry does not show it. */
export function devOf(table: string, isDev: boolean): { dev?: true } {
  return isDev && table === 'dependencies' ? { dev: true } : {};
}

/**
 * The lock file: sorted keys, two spaces, a final newline; otherwise as a formatter of the project laid out `before`. A project
 * without builds has none, unless it names registries.
 */
export function lockBytes(lock: Lock, before?: Uint8Array): Uint8Array | undefined {
  const isEmpty =
    Object.keys(lock.builds).length === 0 &&
    Object.keys(lock.registries).every((name) => name === DEFAULT_REGISTRY_NAME);
  return isEmpty ? undefined : Buffer.from(inLayoutOf(before, sortKeys(lock)));
}

/** Of lines into which formatters of JSON bring a list that fits; the first is that of `JSON.stringify()`. */
const WIDTHS = [0, 80, 100, 120, 90, 110, 140, 160, 60];

function inLayoutOf(before: Uint8Array | undefined, value: unknown): string {
  const text = Buffer.from(before ?? []).toString();
  const [, indent = '  '] = /^\{\n(\t| {1,8})"/.exec(text) ?? [];
  const width = WIDTHS.find((one) => {
    try {
      return printJson(JSON.parse(text), indent, one) === text;
    } catch {
      return false;
    }
  });
  return width === undefined ? printJson(value, '  ', 0) : printJson(value, indent, width);
}

function printJson(value: unknown, indent: string, width: number): string {
  /** @param used columns that are taken in the line, with the comma behind it */
  const print = (one: unknown, depth: number, used: number): string => {
    if (typeof one !== 'object' || one === null) return JSON.stringify(one);
    const isList = Array.isArray(one);
    const [open, close] = isList ? '[]' : '{}';
    const entries = Object.entries(one);
    if (entries.length === 0) return `${open}${close}`;
    const columns = (depth + 1) * (indent === '\t' ? 2 : indent.length);
    const items = entries.map(([name, item], at) => {
      const key = isList ? '' : `${JSON.stringify(name)}: `;
      const comma = at < entries.length - 1 ? 1 : 0;
      return key + print(item, depth + 1, columns + key.length + comma);
    });
    const flat = `[${items.join(', ')}]`;
    if (isList && !flat.includes('\n') && used + flat.length <= width) return flat;
    const start = `\n${indent.repeat(depth + 1)}`;
    return `${open}${start}${items.join(`,${start}`)}\n${indent.repeat(depth)}${close}`;
  };
  return `${print(value, 0, 0)}\n`;
}

/** The change that writes `lock`. @param before what its file has now */
export function lockChange(before: Uint8Array | undefined, lock: Lock): FileChange {
  const expected = before === undefined ? undefined : integrityOf(before);
  return { path: LOCK_FILE, bytes: lockBytes(lock, before), expected };
}

/** Without builds that are no longer installed. */
function keptIgnored(ignored: Lock['ignored'], builds: Lock['builds']): Pick<Lock, 'ignored'> {
  const kept = Object.entries(ignored ?? {}).flatMap(([id, entry]) => {
    const left = entry.builds.filter((build) => Object.hasOwn(builds, build));
    return left.length === 0 ? [] : [[id, { ...entry, builds: left }] as const];
  });
  return kept.length === 0 ? {} : { ignored: Object.fromEntries(kept) };
}

/** Without those that the user did not name and of which no build is left. */
function keptRegistries(
  registries: Lock['registries'],
  builds: Lock['builds'],
): Lock['registries'] {
  const used = new Set(Object.values(builds).map(({ registry }) => registry));
  const kept = Object.entries(registries).filter(([name, { via }]) => {
    return via === undefined || used.has(name);
  });
  return Object.fromEntries(kept);
}

function lockedBuild(
  build: FetchedBuild & { readonly registry: string },
  files: readonly PlannedFile[],
  edits: PlannedEdits,
): LockedBuild {
  const { id, version, integrity, manifest, registry, source, log } = build;
  return {
    version,
    registry,
    ...(source === undefined ? {} : { source }),
    ...(log === undefined ? {} : { log }),
    kind: manifest.kind,
    integrity,
    required_by: [],
    license: manifest.license,
    base: manifest.base ?? '',
    ...placementOf(build, files),
    requires: manifest.stack?.requires ?? {},
    provides: manifest.stack?.provides ?? [],
    builds: manifest.builds ?? {},
    // A user's file that was kept is not verified or removed with the build.
    files: Object.fromEntries(
      files
        .filter((file) => file.build === id)
        .flatMap(({ path, from, action, after, shipped = after, mode, conflict }) => {
          const isTheirs = action === 'skip' || action === 'orphan' || shipped === undefined;
          const marks = conflict === undefined ? {} : { conflict };
          return isTheirs ? [] : [[path, { from, integrity: shipped, mode, ...marks }]];
        }),
    ),
    ...lockedEdits(id, edits),
  };
}

/** Absent for a build in its own folder with its files as shipped. */
function placementOf(
  { id, to, imports, alias, style: own, form }: FetchedBuild,
  files: readonly PlannedFile[],
): Pick<LockedBuild, 'placement'> {
  const rewritten = files.flatMap(({ build, path, action, placed }) => {
    const isTheirs = build !== id || action === 'skip' || action === 'orphan';
    return isTheirs || placed === undefined ? [] : [[path, placed] as const];
  });
  if (to === undefined && imports === undefined && rewritten.length === 0) return {};
  const folder = to === undefined ? {} : { to };
  const style = {
    ...(imports && { imports }),
    ...(alias === undefined ? {} : { alias }),
    ...(own && { style: own }),
    ...(form && { form }),
  };
  return { placement: { ...folder, ...style, rewritten: Object.fromEntries(rewritten) } };
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sortKeys(item)]));
}
