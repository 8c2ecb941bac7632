/**
 * Numbers the builds of a search and stores what is known of each. A build is in reach when requirements of
 * any versions lead to it from a request: only a build in reach can be in a solution.
 */
import { Candidates, type Movable } from './candidates.ts';
import type { StackFact } from '../../format/project/stack-fact.ts';
import type { LockedBuild } from '../../format/project/lock.ts';
import type { KnownHead } from './version-age.ts';
import type { BuildRequest } from './request.ts';
import { admits } from '../../format/version/tag-version.ts';
import {
  intersect,
  subtract,
  type ExternalCause,
  type Origin,
  type Term,
  type VersionSet,
} from './incompatibility.ts';

/** A build whose state is known from the registry or the lock. */
type KnownBuild =
  | { readonly kind: 'known'; readonly candidates: Candidates }
  | { readonly kind: 'missing' }
  | { readonly kind: 'locked'; readonly version: string };

export class BuildTable {
  readonly #input: ResolveInput;
  readonly #numbers = new Map<string, number>();
  readonly #ids: string[] = [];
  readonly #known: (KnownBuild | undefined)[] = [];
  /** Builds in reach, in the order in which they were found. */
  readonly #reached = new Set<string>();
  readonly #unknownInReach = new Set<string>();

  constructor(input: ResolveInput) {
    this.#input = input;
  }

  /** The number of the build `id`, from 0. */
  numberOf(id: string): number {
    let number = this.#numbers.get(id);
    if (number === undefined) {
      this.#numbers.set(id, (number = this.#ids.length));
      this.#ids.push(id);
    }
    return number;
  }

  idOf(number: number): string {
    return this.#ids[number]!;
  }

  /** What is known of a build; `undefined` until its head is fetched. It never changes during a search. */
  known(number: number): KnownBuild | undefined {
    return (this.#known[number] ??= this.#lookUp(this.idOf(number)));
  }

  /** The candidates of a build that has a head, else `undefined`. */
  candidates(number: number): Candidates | undefined {
    const known = this.known(number);
    return known?.kind === 'known' ? known.candidates : undefined;
  }

  /** Builds in reach whose heads are not fetched yet. */
  unknownInReach(): string[] {
    for (const { id } of this.#input.requests) this.#reach(id);
    for (const id of this.#unknownInReach) {
      const known = this.known(this.numberOf(id));
      if (known === undefined) continue;
      this.#unknownInReach.delete(id);
      if (known.kind !== 'known') continue;
      for (const required of known.candidates.versions.requirements.keys()) this.#reach(required);
    }
    return [...this.#unknownInReach];
  }

  /** The numbers of the builds in reach that have heads; complete when `unknownInReach` is empty. */
  inReach(): number[] {
    return [...this.#reached]
      .map((id) => this.numberOf(id))
      .filter((number) => this.candidates(number) !== undefined);
  }

  #reach(id: string): void {
    if (this.#reached.has(id)) return;
    this.#reached.add(id);
    this.#unknownInReach.add(id);
  }

  #lookUp(id: string): KnownBuild | undefined {
    const { locked, missing, heads, requests, movable } = this.#input;
    const installed = locked.get(id);
    if (installed !== undefined) return { kind: 'locked', version: installed.version };
    if (missing.has(id)) return { kind: 'missing' };
    const head = heads.get(id);
    if (head === undefined) return undefined;
    const own = requests.filter((request) => request.id === id);
    return { kind: 'known', candidates: new Candidates(head, own, movable?.get(id)) };
  }
}

/** The input of the resolver. */
export interface ResolveInput {
  readonly requests: readonly BuildRequest[];
  /** The heads that are known so far; the caller adds those that the resolver needs. */
  readonly heads: ReadonlyMap<string, KnownHead>;
  /** Ids that the registry does not have; the caller adds to it as well. */
  readonly missing: ReadonlySet<string>;
  /** The installed builds, from the lock. */
  readonly locked: ReadonlyMap<string, Pick<LockedBuild, 'version' | 'provides' | 'builds'>>;
  /** Stack tag to what the project has. */
  readonly stack: ReadonlyMap<string, StackFact>;
  /** Stack tags that count as met in any range, to find out what causes a failure. */
  readonly assumed?: ReadonlySet<string>;
  /** Installed builds whose version may change, unlike those of `locked`. */
  readonly movable?: ReadonlyMap<string, Movable>;
}

/** An incompatibility that has no number yet. */
export interface Fact {
  readonly terms: Term[];
  readonly cause: ExternalCause;
}

/** A requirement whose required build may not be known yet. */
interface OpenRequirement {
  readonly origin: Origin;
  /** The versions that require it in that range. */
  readonly by: VersionSet;
}

/** The fact for `request`, whose head must be known; `undefined` when the installed version meets it. */
export function requestFact(builds: BuildTable, { id, range }: BuildRequest): Fact | undefined {
  const origin = { build: undefined, by: undefined, version: '', required: id, range };
  const build = builds.numberOf(id);
  const known = builds.known(build)!;
  if (known.kind === 'missing') return { terms: [], cause: { kind: 'missing', origin } };
  if (known.kind === 'locked') {
    const installed = known.version;
    if (admits(installed, range)) return undefined;
    return { terms: [], cause: { kind: 'locked', origin, installed } };
  }
  const versions = known.candidates.requested(range);
  if (versions.length === 0) return { terms: [], cause: { kind: 'no-version', origin } };
  const terms = [{ build, isPositive: false, versions }];
  return { terms, cause: { kind: 'requirement', origin } };
}

/** The requirements of installed builds for `build`; they do not add it to the solution. */
export function installedFacts(
  { locked }: ResolveInput,
  builds: BuildTable,
  build: number,
  candidates: Candidates,
): Fact[] {
  const required = builds.idOf(build);
  return [...locked].flatMap(([by, installed]): Fact[] => {
    const range = Object.hasOwn(installed.builds, required)
      ? installed.builds[required]
      : undefined;
    if (range === undefined) return [];
    const versions = subtract(candidates.eligible, candidates.inRange(range));
    if (versions.length === 0) return [];
    const origin = { build: undefined, by, version: installed.version, required, range };
    const terms = [{ build, isPositive: true, versions }];
    return [{ terms, cause: { kind: 'requirement', origin } }];
  });
}

/** The fact for a requirement whose required build is known; `undefined` when it is always met. */
export function requirementFact(
  builds: BuildTable,
  { origin, by }: OpenRequirement,
): Fact | undefined {
  const { build, required, range } = origin;
  const term = { build: build!, isPositive: true, versions: by };
  const other = builds.numberOf(required);
  const known = builds.known(other)!;
  if (other === build) return selfFact(builds.candidates(build)!, origin, by);
  if (known.kind === 'missing') return { terms: [term], cause: { kind: 'missing', origin } };
  if (known.kind === 'locked') {
    const installed = known.version;
    if (admits(installed, range)) return undefined;
    return { terms: [term], cause: { kind: 'locked', origin, installed } };
  }
  const versions = known.candidates.inRange(range);
  if (versions.length === 0) return { terms: [term], cause: { kind: 'no-version', origin } };
  const terms = [term, { build: other, isPositive: false, versions }];
  return { terms, cause: { kind: 'requirement', origin } };
}

function selfFact(candidates: Candidates, origin: Origin, by: VersionSet): Fact | undefined {
  const own = candidates.versions.where(({ version }) => admits(version, origin.range));
  const versions = subtract(intersect(by, candidates.eligible), own);
  if (versions.length === 0) return undefined;
  const terms = [{ build: origin.build!, isPositive: true, versions }];
  return { terms, cause: { kind: 'self', origin } };
}
