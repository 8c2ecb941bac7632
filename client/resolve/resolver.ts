/**
 * Chooses one version of each build that the requests bring in. Pure and synchronous: where it lacks
 * a head it says which, and the caller asks again. Words for failures: `explain.ts`.
 */
import type { HeadVersion } from '../../format/index/head.ts';
import type { LockedBuild } from '../../format/lock.ts';
import type { Movable } from './candidates.ts';
import { candidatesOf } from './candidates.ts';
import { compareText } from '../../format/compare-text.ts';
import type { Conflict, Demand, KnownHead, Requirer } from './conflict.ts';
import {
  admits,
  chosenConflict,
  isCandidate,
  limitReached,
  lockedConflict,
  missingBuild,
  noCandidate,
  selfConflict,
} from './conflict.ts';
import type { BuildRequest } from './request.ts';
import { requirerOf } from './requirer.ts';
import type { StackFact } from './stack-tags.ts';
import { StackTags } from './stack-tags.ts';

export interface ResolveInput {
  readonly requests: readonly BuildRequest[];
  /** The heads that are known so far. */
  readonly heads: ReadonlyMap<string, KnownHead>;
  /** Ids that the registry does not have. */
  readonly missing: ReadonlySet<string>;
  /** What the project has installed, of the lock. */
  readonly locked: ReadonlyMap<string, Pick<LockedBuild, 'version' | 'provides' | 'builds'>>;
  /** Stack tag to what the project has. */
  readonly stack: ReadonlyMap<string, StackFact>;
  /** Stack tags that are taken as met in any range, to find out what a failure rests on. */
  readonly assumed?: ReadonlySet<string>;
  /** Installed builds whose version may change, unlike those of `locked`. */
  readonly movable?: ReadonlyMap<string, Movable>;
}

export type Resolution =
  | {
      readonly kind: 'solved';
      /** The builds to install; installed ones keep their version and are not among them. */
      readonly versions: ReadonlyMap<string, HeadVersion>;
      /** For each build of the solution and each installed one: the builds that require it, sorted. */
      readonly requiredBy: ReadonlyMap<string, readonly string[]>;
    }
  | { readonly kind: 'needs-heads'; readonly ids: readonly string[] }
  | Conflict;

/** Versions tried before the search is given up. */
const MAX_STEPS = 10_000;
/** Builds in one solution; also what keeps the recursion shallow. */
const MAX_BUILDS = 1000;

/** The first solution in the order of ids, requested builds first, the highest version first. */
export function resolve(input: ResolveInput): Resolution {
  for (const { id, range } of [...input.requests].sort(byId)) {
    const locked = input.locked.get(id);
    if (locked !== undefined && !admits(locked.version, range)) {
      return lockedConflict({ id, range, by: undefined }, locked.version);
    }
  }
  return new Search(input).run();
}

/** Failed: the chosen builds on which the failure rests. Without a change among them it stays. */
type Outcome = 'solved' | { readonly rests: Set<string> } | Stop;
type Stop = { readonly stop: Resolution };

/** Depth-first search that jumps back to the last choice on which a failure rests. */
class Search {
  readonly #input: ResolveInput;
  readonly #tags: StackTags;
  readonly #requested: ReadonlySet<string>;
  readonly #chosen = new Map<string, HeadVersion>();
  /** What is demanded of builds that are not installed. */
  readonly #demands = new Map<string, Demand[]>();
  /** Those of `#demands` that are not chosen. */
  readonly #open = new Set<string>();
  /** Builds that may come in and are not known; where none is, a tag that no head has is out of reach. */
  readonly #unknown: readonly string[];
  /** The first failure on the way of the highest versions; a real clash goes before a weak one. */
  #best: Conflict | undefined;
  #weak: Conflict | undefined;
  #steps = 0;
  #givers: readonly HeadVersion[] | undefined;

  constructor(input: ResolveInput) {
    this.#input = input;
    this.#tags = new StackTags(input);
    this.#requested = new Set(input.requests.map(({ id }) => id));
    for (const [id, { version, builds }] of [...input.locked].sort(byKey)) {
      const by = { id, version, chain: [] };
      for (const [required, range] of Object.entries(builds)) this.#demand(required, range, by);
    }
    for (const { id, range } of [...input.requests].sort(byId)) this.#demand(id, range, undefined);
    this.#unknown = unknownBuilds(input);
  }

  run(): Resolution {
    const impossible = this.#impossibleRequest();
    if (impossible !== undefined) return impossible;
    const outcome = this.#search();
    if (outcome === 'solved') return this.#solution();
    if ('stop' in outcome) return outcome.stop;
    return this.#best ?? this.#weak!;
  }

  /** A request that nothing can meet says more than any failure on the way to it. */
  #impossibleRequest(): Conflict | undefined {
    for (const { id, range } of this.#input.requests) {
      if (this.#input.locked.has(id)) continue;
      const demand = { id, range, by: undefined };
      if (this.#input.missing.has(id)) return missingBuild([demand]);
      const head = this.#input.heads.get(id);
      if (head !== undefined && this.#candidates(head, [demand]).length === 0) {
        return noCandidate(head, [demand]);
      }
    }
    return undefined;
  }

  #search(): Outcome {
    const pending = this.#pending();
    const id = pending[0];
    if (id === undefined) return this.#checkStack();
    if (this.#chosen.size >= MAX_BUILDS) return { stop: limitReached(`${MAX_BUILDS} builds`) };
    const unknown = pending.filter((p) => !this.#input.heads.has(p) && !this.#input.missing.has(p));
    if (unknown.length > 0) return { stop: { kind: 'needs-heads', ids: unknown } };

    const demands = this.#demands.get(id)!;
    const rests = new Set<string>();
    for (const { by } of demands) if (by !== undefined && this.#chosen.has(by.id)) rests.add(by.id);
    const head = this.#input.heads.get(id);
    if (head === undefined) {
      this.#best ??= missingBuild(demands);
      return { rests };
    }
    const candidates = this.#candidates(head, demands);
    if (candidates.length === 0) this.#best ??= noCandidate(head, demands);
    for (const candidate of candidates) {
      this.#steps += 1;
      if (this.#steps > MAX_STEPS) return { stop: limitReached(`${MAX_STEPS} steps`) };
      const outcome = this.#try(id, candidate, rests);
      if (outcome === undefined) continue;
      if (outcome === 'solved' || 'stop' in outcome || !outcome.rests.has(id)) return outcome;
      for (const other of outcome.rests) if (other !== id) rests.add(other);
    }
    return { rests };
  }

  #candidates(head: KnownHead, demands: readonly Demand[]): HeadVersion[] {
    return candidatesOf(head, demands, this.#input.movable?.get(head.id));
  }

  /** Goes on with `candidate` chosen; `undefined` when it cannot be chosen here. */
  #try(id: string, candidate: HeadVersion, rests: Set<string>): Outcome | undefined {
    const by = requirerOf(this.#demands, id, candidate.version);
    const failure = this.#tags.failing(candidate, this.#giversInReach());
    if (failure !== undefined) {
      this.#best ??= this.#stackConflict(by, candidate, failure);
      return undefined;
    }
    const required = Object.entries(candidate.builds).sort(byKey);
    for (const [other, range] of required) {
      if (this.#isShutOut({ id: other, range, by }, rests)) return undefined;
    }
    this.#chosen.set(id, candidate);
    this.#open.delete(id);
    for (const [other, range] of required) this.#demand(other, range, by);
    const outcome = this.#search();
    if (outcome === 'solved') return outcome;
    this.#chosen.delete(id);
    this.#open.add(id);
    for (const [other] of required) this.#undemand(other);
    return outcome;
  }

  /** Whether `demand` shuts out what is installed or chosen; adds to `rests` what that rests on. */
  #isShutOut(demand: Demand, rests: Set<string>): boolean {
    const { id, by } = demand;
    const own = by?.id === id;
    const locked = this.#input.locked.get(id);
    const version = locked?.version ?? (own ? by.version : this.#chosen.get(id)?.version);
    if (version === undefined || admits(version, demand.range)) return false;
    if (locked !== undefined) {
      this.#best ??= lockedConflict(demand, locked.version);
    } else if (own) {
      this.#best ??= selfConflict(demand);
    } else {
      rests.add(id);
      this.#explainClash(demand);
    }
    return true;
  }

  #explainClash(demand: Demand): void {
    if (this.#best !== undefined) return;
    const head = this.#input.heads.get(demand.id)!;
    const demands = [...this.#demands.get(demand.id)!, demand];
    const isWeak = head.versions.some((version) => isCandidate(version, demands));
    if (!isWeak) this.#best = noCandidate(head, demands);
    // Another version would do here, but failed elsewhere: that failure says more.
    else this.#weak ??= chosenConflict(demand, this.#chosen.get(demand.id)!.version);
  }

  #checkStack(): Outcome {
    for (const [id, version] of [...this.#chosen].sort(byKey)) {
      const failure = this.#tags.failing(version, [...this.#chosen.values()]);
      if (failure === undefined) continue;
      // A build that is not known might provide the tag; knowing all cuts the search short.
      if (this.#unknown.length > 0) return { stop: { kind: 'needs-heads', ids: this.#unknown } };
      this.#best ??= this.#stackConflict(
        requirerOf(this.#demands, id, version.version),
        version,
        failure,
      );
      // Any other choice might bring in a build that provides the tag.
      return { rests: new Set(this.#chosen.keys()) };
    }
    return 'solved';
  }

  #stackConflict(by: Requirer, candidate: HeadVersion, tag: string): Conflict {
    return this.#tags.conflict(by, candidate, tag, this.#chosen);
  }

  /** Every version that could come in; `undefined` when some build is not known. */
  #giversInReach(): readonly HeadVersion[] | undefined {
    if (this.#unknown.length > 0) return undefined;
    return (this.#givers ??= [...this.#input.heads.values()].flatMap((head) => head.versions));
  }

  /** Builds to decide on, requested ones first; a demand of an installed build alone brings none in. */
  #pending(): string[] {
    const pending = [...this.#open].filter((id) =>
      this.#demands.get(id)!.some(({ by }) => by === undefined || this.#chosen.has(by.id)),
    );
    return pending.sort(
      (a, b) =>
        Number(this.#requested.has(b)) - Number(this.#requested.has(a)) || compareText(a, b),
    );
  }

  #demand(id: string, range: string | undefined, by: Requirer | undefined): void {
    if (this.#input.locked.has(id)) return;
    if (!this.#chosen.has(id)) this.#open.add(id);
    const demands = this.#demands.get(id);
    if (demands === undefined) this.#demands.set(id, [{ id, range, by }]);
    else demands.push({ id, range, by });
  }

  /** Takes back the last demand of `id`. */
  #undemand(id: string): void {
    const demands = this.#demands.get(id);
    demands?.pop();
    if (demands?.length !== 0) return;
    this.#demands.delete(id);
    this.#open.delete(id);
  }

  #solution(): Resolution {
    const all = [...this.#input.locked, ...this.#chosen].sort(byKey);
    const requiredBy = new Map<string, string[]>();
    for (const [id] of all) {
      const by = all.filter(([, { builds }]) => Object.hasOwn(builds, id)).map(([other]) => other);
      requiredBy.set(id, by);
    }
    return { kind: 'solved', versions: new Map([...this.#chosen].sort(byKey)), requiredBy };
  }
}

/** What versions of known builds lead to and is not known itself, sorted. */
function unknownBuilds({ requests, heads, missing, locked }: ResolveInput): string[] {
  const reached = new Set(requests.map(({ id }) => id));
  const unknown: string[] = [];
  for (const id of reached) {
    if (locked.has(id) || missing.has(id)) continue;
    const head = heads.get(id);
    if (head === undefined) unknown.push(id);
    for (const { builds } of head?.versions ?? []) {
      for (const required of Object.keys(builds)) reached.add(required);
    }
  }
  return unknown.sort();
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return compareText(a.id, b.id);
}

function byKey(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return compareText(a[0], b[0]);
}
