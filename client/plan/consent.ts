/**
 * What of a plan needs the user's consent: files, wired text and scripts that programs run or read by themselves. A plan
 * lists it, and nothing is written before each entry has a yes. Pure.
 */
import { CONSENT_CLASSES, type FileClass } from '../../format/build/consent-classes.ts';
import { ALLOW_ALL, consentClass, isLifecycleScript } from '../../format/build/consent.ts';
import { printable } from '../../format/build/file-path.ts';
import type { Lock, LockedBuild } from '../../format/project/lock.ts';
import { STEERING, wireConsent } from '../../format/wiring/wire-info.ts';
import { ClientError } from '../errors.ts';
import { targetPath } from './files.ts';
import type { Change, FetchedBuild, PlannedFile, Snapshot, Warning } from './plan.ts';
import type { ConsentEntry, PlannedWiring, ScriptEntry } from './planned-entries.ts';

/** Files that the plan does not give to a build. */
const NOT_PLACED = new Set<PlannedFile['action']>(['skip', 'delete', 'orphan']);
const MAX_LISTED_PATHS = 10;
const VIEW = ' ("stackyard info <build> <file>" prints a file)';

interface Planning extends Pick<Change, 'builds' | 'lock'>, Pick<Snapshot, 'project'> {
  /** Of `new`: the builds that the user named, whose files are the project. */
  readonly named?: Readonly<Record<string, string>> | undefined;
  /** Classes, paths of the project, or `all`. */
  readonly allow: readonly string[];
}

interface Planned {
  readonly files: readonly PlannedFile[];
  readonly scripts: readonly ScriptEntry[];
  readonly wired: PlannedWiring | undefined;
}

/**
 * A lock is no consent, since a pull request may edit it: an update asks for each file that it changes. A file that the
 * project has already counts as well: the build owns it from now on.
 */
export function plannedConsent(input: Planning, planned: Planned): ConsentEntry[] {
  const found = [
    ...planned.files.flatMap((file) => fileEntry(input, file)),
    ...wiredEntries(input, planned.wired),
    ...planned.scripts.flatMap(scriptEntry),
  ];
  return answered(found, input.allow);
}

/** Classes of files that nothing runs or reads because of their name. */
const ORDINARY: ReadonlySet<FileClass> = new Set(['root', 'program', 'unknown']);

/**
 * Whether only a yes lets a build of this kind delete a file that the lock lists. Of a foundation, which is a whole project, only
 * files that steer agents, CI, git or editors.
 */
export function isProtected(
  { path, mode }: Pick<PlannedFile, 'path' | 'mode'>,
  kind: LockedBuild['kind'],
  allow: readonly string[],
): boolean {
  const found = consentClass({ path, executable: mode === '755' });
  if (found === undefined || ORDINARY.has(found)) return false;
  if (kind === 'foundation' && !STEERING.has(found)) return false;
  return !isAllowed({ class: found, path }, allow);
}

/** About a file that a lock lists and that stays. */
export function keptWithoutConsent(path: string): Warning {
  const message =
    'programs run or read it by themselves, and a lock alone is no consent to delete it: look at it, and delete it yourself or with --allow';
  return { code: 'file-protected', path, message };
}

/** Sorted, with what each can do and whether `allow` has it. */
function answered(found: readonly Found[], allow: readonly string[]): ConsentEntry[] {
  const entries = found.map((entry): ConsentEntry => {
    return { ...entry, does: CONSENT_CLASSES[entry.class], given: isAllowed(entry, allow) };
  });
  return entries.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

/** Whether the user named the class, the path or all with `--allow`. */
function isAllowed({ class: name, path }: Omit<Found, 'build'>, allow: readonly string[]): boolean {
  return [ALLOW_ALL, name, path].some((word) => allow.includes(word));
}

/** The consent that restoring the files of `builds` needs: the lock that lists them is untrusted. */
export function restoredConsent(
  builds: readonly FetchedBuild[],
  allow: readonly string[],
): ConsentEntry[] {
  const files = builds.flatMap((build) =>
    [...build.files].map(([from, { executable }]): PlannedFile => {
      const path = targetPath(build, from);
      return { build: build.id, path, from, action: 'create', mode: executable ? '755' : '644' };
    }),
  );
  const input = { builds, allow, lock: undefined, project: new Map<string, Uint8Array>() };
  return plannedConsent(input, { files, scripts: [], wired: undefined });
}

/** @throws {ClientError} `ERR_CONSENT` when an entry has no yes */
export function checkConsent({ consent = [] }: Consented): void {
  const open = consent.filter(({ given }) => !given);
  if (open.length > 0) throw consentError(open);
}

/** What the foundation of a new project would write that steers tools, and has no yes. */
export function openSettings({ consent = [] }: Consented): ConsentEntry[] {
  return consent.filter((entry) => !entry.given && STEERING.has(entry.class as FileClass));
}

/** The error where nobody gives the consent. */
export function consentError(open: readonly ConsentEntry[]): ClientError {
  const lines = ['Cannot write without your consent what programs run or read by themselves:'];
  return new ClientError('ERR_CONSENT', [...lines, ...describeConsent(open)].join('\n'), {
    hint: `read it first${VIEW}, then run or plan again with ${allowOption(open)}`,
  });
}

/** The lines of a dry run. */
export function consentLines({ consent = [] }: Consented): string[] {
  const open = consent.filter(({ given }) => !given);
  const given = consent.filter((entry) => entry.given);
  return [
    ...(given.length === 0 ? [] : ['With your consent:', ...describeConsent(given)]),
    ...(open.length === 0
      ? []
      : [`Needs your consent (${allowOption(open)}):`, ...describeConsent(open)]),
  ];
}

/** The part of a plan that consent is about. */
interface Consented {
  readonly consent?: readonly ConsentEntry[];
}

/** The option that gives the consent. */
export function allowOption(open: readonly ConsentEntry[]): string {
  return `--allow ${[...new Set(open.map((entry) => entry.class))].sort().join(',')}`;
}

/** Two lines for each class: what it is about, and what that can do. */
export function describeConsent(entries: readonly ConsentEntry[]): string[] {
  return [...Map.groupBy(entries, (entry) => entry.class)].flatMap(([name, of]) => {
    const paths = [...new Set(of.map(({ path }) => printable(path)))];
    const more = paths.length - MAX_LISTED_PATHS;
    const listed = paths.slice(0, MAX_LISTED_PATHS).join(', ');
    const rest = more > 0 ? ` and ${more} more` : '';
    return [`  ${name}: ${listed}${rest}`, `    ${CONSENT_CLASSES[name]}.`];
  });
}

type Found = Pick<ConsentEntry, 'build' | 'path' | 'class'>;

/** Files of a new project that need no yes: all but those that steer agents, CI, editors and the hooks of git. */
function isOfProject(found: FileClass, path: string): boolean {
  return path === '.gitignore' || path === '.gitattributes' || !STEERING.has(found);
}

function fileEntry(
  { builds, lock, named = {} }: Planning,
  { build, path, from, action, mode, before, after }: PlannedFile,
): Found[] {
  if (NOT_PLACED.has(action)) return [];
  const text = builds.find(({ id }) => id === build)?.files.get(from)?.bytes;
  const found = consentClass({ path, executable: mode === '755', text });
  if (found === undefined) return [];
  if (Object.hasOwn(named, build) && isOfProject(found, path)) return [];
  const old = own(lock?.builds[build]?.files, path);
  const isUnchanged = old !== undefined && old.mode === mode && before === after;
  return isUnchanged ? [] : [{ build, path, class: found }];
}

/** Text of the lock is accepted where nothing writes it: a block that the file does not have may be what a stranger put into the lock. */
function wiredEntries(
  { lock, project, named = {} }: Planning,
  wired: PlannedWiring | undefined,
): Found[] {
  const others = [...(wired?.locked ?? [])].filter(([build]) => !Object.hasOwn(named, build));
  return others.flatMap(([build, entries = []]) =>
    entries.flatMap((entry): Found[] => {
      const found =
        entry.action === 'added'
          ? wireConsent({ ...entry, target: entry.file, isThere: project.has(entry.file) })
          : undefined;
      if (found === undefined) return [];
      const text = Buffer.from(project.get(entry.file) ?? []).toString('utf8');
      const isThere = wired?.files.has(entry.file) !== true || text.includes(entry.text);
      const isAccepted = lock?.builds[build]?.wiring?.some((old) => {
        return old.file === entry.file && old.text === entry.text;
      });
      return isAccepted === true && isThere ? [] : [{ build, path: entry.file, class: found }];
    }),
  );
}

function scriptEntry({ build, name, action, unchanged }: ScriptEntry): Found[] {
  if (action !== 'added' || unchanged === true || !isLifecycleScript(name)) return [];
  return [{ build, path: `package.json#/scripts/${name}`, class: 'lifecycle' }];
}

function own(files: Lock['builds'][string]['files'] | undefined, path: string) {
  return files !== undefined && Object.hasOwn(files, path) ? files[path] : undefined;
}

function orderOf({ class: name, path, build }: Found): string {
  return `${name}\n${path}\n${build}`;
}
