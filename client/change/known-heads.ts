/** The heads that a resolution needs, fetched as it asks for them. */
import type { Head } from '../../format/index/record.ts';
import type { ResolveInput } from '../resolve/build-table.ts';
import { type Resolution, Resolver } from '../resolve/resolver.ts';
import { type AgeRule, hideYoung, type KnownHead } from '../resolve/version-age.ts';
import type { Registries } from '../registry/registries.ts';

/** Whether nothing counts that was measured: who measures again must not be refused because of earlier rows. */
function isUnmeasured(): boolean {
  return (process.env['STACKYARD_UNMEASURED'] ?? '') !== '';
}

function withoutMeasured(head: Head): Head {
  return { ...head, versions: head.versions.map((version) => ({ ...version, measured: {} })) };
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
