/** Resolves against a registry and a project: fetches the heads that the resolver asks for. */
import { deprecationText, type HeadVersion, type Head } from '../../format/index/record.ts';
import type { Lock } from '../../format/project/lock.ts';
import { updateRequests, type Movable } from '../resolve/candidates.ts';
import { BUILD_DANGER } from '../terminal/ask.ts';
import { hideYoung, type KnownHead, type AgeRule } from '../resolve/version-age.ts';
import type { Registries } from './registries.ts';
import { formatRequest, type BuildRequest } from '../resolve/request.ts';
import {
  firstPublications,
  compareVersions,
  isPrerelease,
  satisfies,
} from '../../format/version/semver-range.ts';
import { nearHint } from './search-catalog.ts';
import { withStackHint } from './stack-hint.ts';
import { aboveMeasured, belowInUse } from '../resolve/stack-incompatibility.ts';
import type { Conflict } from '../resolve/conflict.ts';
import { nodeInUse } from '../project/stack/node-in-use.ts';
import { readStack } from '../project/stack/read-stack.ts';
import { advisoriesOf, advisorySentence } from '../../format/project/found-advisories.ts';
import type { Warning } from '../plan/plan.ts';
import type { ResolveInput, Explanation } from '../resolve/build-table.ts';
import { Resolver, type Resolution } from '../resolve/resolver.ts';
import { ClientError } from '../errors.ts';
import type { StackFact } from '../../format/project/stack-fact.ts';

/**
 * Chooses the versions to install for `requests`.
 * @returns `versions` by id, without installed ones; `gone`: installed builds that the registry does not have any more,
 * which stay as they are; `warnings`: what speaks against a chosen version and stops nothing
 * @throws {ClientError} those of the resolver and of the registry
 */
export async function solve(input: {
  readonly project: string;
  /** Whether the project is only being made, so that any runtime in use will do for it. */
  readonly isNew: boolean;
  readonly registry: Registries;
  readonly requests: readonly BuildRequest[];
  readonly lock: Lock | undefined;
  /** Which versions are too new to be chosen. */
  readonly age?: AgeRule | undefined;
  /** Builds of the lock whose version may change; the others stay as they are. */
  readonly movable?: ReadonlyMap<string, Movable>;
}) {
  const { project, isNew, registry, requests, lock } = input;
  registry.assign(requests);
  const stack = await readStack(project, await nodeInUse(project), isNew);
  const movable = new Map(input.movable);
  const gone = new Set<string>();
  const builds = lock?.builds ?? {};
  const installed = new Map(Object.entries(builds));
  const locked = new Map([...installed].filter(([id]) => !movable.has(id)));
  const known = new KnownHeads(registry, input.age, installed);
  const resolution = await known.resolve({ requests, locked, stack, movable }, (id) => {
    if (!movable.delete(id)) return;
    // An installed build that the registry does not have any more stays as it is.
    locked.set(id, builds[id]!);
    gone.add(id);
  });
  if (resolution.kind === 'conflict') {
    const tried = { known, requests, locked, stack, lock, movable };
    const completed = await withStackHint(resolution, project, registry, isNew);
    const hinted = isNew ? completed : await withCheckedHint(completed, tried);
    throw new ResolveError(await withNearName(hinted, requests, registry));
  }
  const { versions } = resolution;
  await registry.checkRequirements(versions);
  const warnings = [...versions].flatMap(([id, version]) =>
    warningsOf(id, version, known.heads, lock),
  );
  const newer = [...versions].flatMap(([id, version]) =>
    [...aboveMeasured(version, stack), ...belowInUse(version, stack)].map((clause): Warning => {
      return {
        code: 'stack-unmeasured',
        message: `"${id}" ${version.version} ${clause}`,
        path: '',
      };
    }),
  );
  const over = await passedOver(requests, versions, known.heads, (id, requirer) =>
    registry.head(id, () => [requirer]),
  );
  const lost = [...gone].filter((id) => !registry.down.has(registry.entryOf(id).name));
  return { versions, gone, warnings: [...warnings, ...newer, ...over, ...lost.map(goneWarning)] };
}

/** Whether nothing counts that was measured: who measures again must not be refused because of earlier rows. */
function isUnmeasured(): boolean {
  return (process.env['STACKYARD_UNMEASURED'] ?? '') !== '';
}

function withoutMeasured(head: Head): Head {
  return { ...head, versions: head.versions.map((version) => ({ ...version, measured: {} })) };
}

/** A misspelt id is more likely than one that the registry lost. */
async function withNearName(
  conflict: Conflict,
  requests: readonly BuildRequest[],
  registry: Registries,
): Promise<Conflict> {
  if (conflict.code !== 'ERR_BUILD_NOT_FOUND') return conflict;
  for (const { id } of requests) {
    if ((await registry.head(id)) !== undefined) continue;
    return { ...conflict, hint: `${await nearHint(registry, id)}${conflict.hint}` };
  }
  return conflict;
}

function goneWarning(id: string): Warning {
  return {
    code: 'build-gone',
    message: `The registry does not have "${id}" any more: it stays as it is`,
    path: '',
  };
}

function warningsOf(
  id: string,
  { version, yanked, risk }: HeadVersion,
  heads: ReadonlyMap<string, KnownHead>,
  lock: Lock | undefined,
): Warning[] {
  const warnings: Warning[] = [];
  const warn = (code: string, problem: string): void => {
    warnings.push({ code, message: `"${id}" ${version} ${problem}`, path: '' });
  };
  if (yanked !== false) warn('build-yanked', `was yanked: ${yanked}`);
  const riskCode = risk === 'danger' ? BUILD_DANGER : 'build-risk';
  if (risk !== 'ok') warn(riskCode, `has risk "${risk}": see its findings with stackyard info`);
  const sentence = advisorySentence(advisoriesOf(heads.get(id), version, lock?.ignored));
  if (sentence !== undefined) warn('build-advisory', `has ${sentence}`);
  const deprecated = heads.get(id)?.deprecated;
  if (deprecated !== undefined) {
    warn('build-deprecated', `is deprecated: ${deprecationText(deprecated)}`);
  }
  return warnings;
}

type Resolved = Exclude<Resolution, { kind: 'needs-heads' }>;

export class KnownHeads {
  readonly heads = new Map<string, KnownHead>();
  readonly #missing = new Set<string>();
  /** Requests in progress or done: several resolutions may need the same head. */
  readonly #fetching = new Map<string, Promise<void>>();
  readonly #registry: Pick<Registries, 'head'>;
  readonly #age: AgeRule | undefined;
  readonly #installed: ReadonlyMap<string, { readonly version: string }>;

  constructor(
    registry: Pick<Registries, 'head'>,
    age: AgeRule | undefined,
    installed: ReadonlyMap<string, { readonly version: string }>,
  ) {
    this.#registry = registry;
    this.#age = age;
    this.#installed = installed;
  }

  /**
   * Resolves, and fetches the heads that the resolver needs.
   * @param onMissing called for each build that the registry does not have; may change the maps of `input`
   * @throws {ClientError} those of the registry
   */
  async resolve(
    input: Omit<ResolveInput, 'heads' | 'missing'>,
    onMissing: (id: string) => void = () => {},
  ): Promise<Resolved> {
    const resolver = new Resolver({ ...input, heads: this.heads, missing: this.#missing });
    for (;;) {
      const resolution = resolver.run();
      if (resolution.kind !== 'needs-heads') return resolution;
      await Promise.all(resolution.ids.map((id) => this.#fetch(id)));
      for (const id of resolution.ids) if (this.#missing.has(id)) onMissing(id);
    }
  }

  /** A fetcher of the same registry that ignores the rule on age. */
  withoutAge(): KnownHeads {
    return new KnownHeads(this.#registry, undefined, this.#installed);
  }

  async #fetch(id: string): Promise<void> {
    let fetching = this.#fetching.get(id);
    if (fetching === undefined) this.#fetching.set(id, (fetching = this.#fetchOnce(id)));
    await fetching;
  }

  async #fetchOnce(id: string): Promise<void> {
    const found = await this.#registry.head(id, () => this.#requirersOf(id));
    const head = isUnmeasured() ? found && withoutMeasured(found) : found;
    if (head === undefined) this.#missing.add(id);
    else this.heads.set(id, hideYoung(head, this.#age, this.#installed.get(id)?.version));
  }

  /** The builds of which a version requires `id`, sorted. */
  #requirersOf(id: string): string[] {
    const requires = ({ versions }: KnownHead): boolean =>
      versions.some(({ builds }) => Object.hasOwn(builds, id));
    return [...this.heads.values()]
      .filter(requires)
      .map((head) => head.id)
      .sort();
  }
}

/**
 * A warning for each requested build whose newest version in range requires a build that the registry does
 * not have, or of which it has no version in range.
 * @param heads those that the resolution used, without versions that are too new
 * @param headOf the head of any build, as another one requires it
 */
export async function passedOver(
  requests: readonly BuildRequest[],
  chosen: ReadonlyMap<string, HeadVersion>,
  heads: ReadonlyMap<string, Head>,
  headOf: (id: string, requirer: string) => Promise<Head | undefined>,
): Promise<Warning[]> {
  const warnings: Warning[] = [];
  for (const { id, range } of requests) {
    const version = chosen.get(id)?.version;
    if (version === undefined) continue;
    const higher = firstPublications(heads.get(id)?.versions ?? [])
      .filter((other) => other.yanked === false && !isPrerelease(other.version))
      .filter((other) => range === undefined || satisfies(other.version, range))
      .filter((other) => compareVersions(other.version, version) > 0)
      .sort((a, b) => compareVersions(b.version, a.version));
    const [newest] = higher;
    const problem = newest === undefined ? undefined : await problemOf(id, newest, headOf);
    if (newest === undefined || problem === undefined) continue;
    const message = `"${id}" ${newest.version} was passed over, and ${version} chosen: it requires ${problem}`;
    warnings.push({ code: 'version-passed-over', message, path: '' });
  }
  return warnings;
}

async function problemOf(
  id: string,
  { builds, version }: HeadVersion,
  headOf: (id: string, requirer: string) => Promise<Head | undefined>,
): Promise<string | undefined> {
  for (const [required, range] of Object.entries(builds)) {
    if (required === id && !satisfies(version, range)) return `itself in ${range}`;
    const head = await headOf(required, id);
    if (head === undefined) return `"${required}" ${range}, which the registry does not have`;
    const usable = firstPublications(head.versions).filter(({ yanked }) => yanked === false);
    if (!usable.some((other) => satisfies(other.version, range))) {
      return `"${required}" ${range}, and the registry has no such version`;
    }
  }
  return undefined;
}

export class ResolveError extends ClientError {
  /** How the failure follows; `--json` has it as a tree. */
  readonly explanation: Explanation | undefined;

  constructor({ code, message, hint, explanation }: Conflict) {
    super(code, message, { hint });
    this.explanation = explanation;
  }
}

interface HintInput {
  readonly known: KnownHeads;
  readonly requests: readonly BuildRequest[];
  readonly locked: ResolveInput['locked'];
  readonly stack: ReadonlyMap<string, StackFact>;
  readonly lock: Lock | undefined;
  /** Not empty in an update. */
  readonly movable?: ReadonlyMap<string, Movable>;
}

/** Requests of which one is left out to try the others; of more none is tried. */
const MAX_LEFT_OUT = 10;

/** `conflict`, with a command in its hint where one was found that resolves. */
export async function withCheckedHint(conflict: Conflict, input: HintInput): Promise<Conflict> {
  const text = await checkedText(conflict, input);
  if (text === undefined) return conflict;
  return { ...conflict, hint: conflict.hint === undefined ? text : `${conflict.hint}; ${text}` };
}

async function checkedText(
  { code, alternative, shutOut, isHintChecked = false }: Conflict,
  input: HintInput,
): Promise<string | undefined> {
  const { requests, movable } = input;
  const isUpdate = movable !== undefined && movable.size > 0;
  if (alternative !== undefined) {
    return (await solution(alternative.requests, input)) && alternative.text;
  }
  if (isHintChecked || isUpdate || (code !== 'ERR_RESOLVE' && code !== 'ERR_STACK'))
    return undefined;
  if (shutOut !== undefined) return checkedUpdate(shutOut, input);
  if (requests.some(({ range }) => range !== undefined)) {
    const found = await solution(
      requests.map(({ id }) => ({ id, range: undefined })),
      input,
    );
    const chosen = requests.map(({ id }): BuildRequest => {
      return { id, range: found?.versions.get(id)?.version };
    });
    if (found !== undefined) return `these go together: ${addCommand(chosen)}`;
  }
  if (requests.length < 2 || requests.length > MAX_LEFT_OUT) return undefined;
  for (const left of requests.toReversed()) {
    const others = requests.filter((request) => request !== left);
    if ((await solution(others, input)) === undefined) continue;
    return `without "${left.id}" the rest goes together: ${addCommand(others)}`;
  }
  return undefined;
}

/** The update that makes room for the requests, if it works and they can be met then. */
async function checkedUpdate(
  { id, range }: BuildRequest,
  input: HintInput,
): Promise<string | undefined> {
  const { lock, requests } = input;
  if (lock === undefined || range === undefined) return undefined;
  const wanted = updateRequests({ lock, requests: [{ id, range }], latest: false });
  const updated = await solution(wanted.requests, {
    ...input,
    locked: new Map(),
    movable: wanted.movable,
  });
  if (updated === undefined) return undefined;
  const isMet = await solution(requests, { ...input, locked: updated.versions });
  return isMet && `this does: stackyard update "${id}@${range}"`;
}

type Solved = Extract<Resolved, { kind: 'solved' }>;

/** What meets `requests`; `undefined` for a conflict, and where heads for it cannot be had. */
async function solution(
  requests: readonly BuildRequest[],
  { known, locked, stack, movable }: HintInput,
): Promise<Solved | undefined> {
  try {
    const wanted = { requests, locked, stack, ...(movable === undefined ? {} : { movable }) };
    const resolution = await known.resolve(wanted);
    return resolution.kind === 'solved' ? resolution : undefined;
  } catch {
    // The conflict is what the user has to know; a registry that cannot be reached is not.
    return undefined;
  }
}

function addCommand(requests: readonly BuildRequest[]): string {
  return `stackyard add ${requests.map((request) => `"${formatRequest(request)}"`).join(' ')}`;
}
