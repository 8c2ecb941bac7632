/** Fetches the heads that resolutions need, each once, and resolves with them. */
import type { Registries } from '../registry/registries.ts';
import type { KnownHead } from '../resolve/known-head.ts';
import type { ResolveInput, Resolution } from '../resolve/resolver.ts';
import { Resolver } from '../resolve/resolver.ts';
import type { AgeRule } from '../resolve/version-age.ts';
import { hideYoung } from '../resolve/version-age.ts';

/** A resolution that needs no more heads. */
export type Resolved = Exclude<Resolution, { kind: 'needs-heads' }>;

/** Where heads come from. */
type Heads = Pick<Registries, 'head'>;

export class KnownHeads {
  readonly heads = new Map<string, KnownHead>();
  readonly #missing = new Set<string>();
  /** Requests in progress or done: several resolutions may need the same head. */
  readonly #fetching = new Map<string, Promise<void>>();
  readonly #registry: Heads;
  readonly #age: AgeRule | undefined;
  readonly #installed: ReadonlyMap<string, { readonly version: string }>;

  constructor(
    registry: Heads,
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
    const head = await this.#registry.head(id, () => this.#requirersOf(id));
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
