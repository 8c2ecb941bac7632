/**
 * Numbers the builds of a search and stores what is known of each. A build is in reach when requirements of
 * any versions lead to it from a request: only a build in reach can be in a solution.
 */
import { Candidates } from './candidates.ts';
import type { ResolveInput } from './resolve-input.ts';

/** A build whose state is known from the registry or the lock. */
export type KnownBuild =
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
