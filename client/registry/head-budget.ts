/** Bounds what one command reads of heads: a hostile registry could name ever more of them. Pure. */
import { ClientError } from '../errors.ts';

const MAX_HEADS = 2000;
/** Bytes of all heads of one command. */
const MAX_HEADS_BYTES = 64_000_000;
/** Builds at each end of a chain that a message names. */
const SHOWN = 4;

interface HeadLimits {
  readonly heads: number;
  readonly bytes: number;
}

export class HeadBudget {
  readonly #limits: HeadLimits;
  /** By required build: the first build that requires it. */
  readonly #requirers = new Map<string, string>();
  #heads = 0;
  #bytes = 0;

  constructor(limits: HeadLimits = { heads: MAX_HEADS, bytes: MAX_HEADS_BYTES }) {
    this.#limits = limits;
  }

  /** Counts the head of `id`, which is about to be read. @throws {ClientError} `ERR_RESOLVE_LIMIT` */
  begin(id: string): void {
    this.#heads += 1;
    const { heads } = this.#limits;
    if (this.#heads > heads) throw this.#tooMuch(id, `more than ${heads} builds`);
  }

  /** Counts the bytes of the head of `id`. @throws {ClientError} `ERR_RESOLVE_LIMIT` */
  read(id: string, bytes: number): void {
    this.#bytes += bytes;
    const { bytes: most } = this.#limits;
    if (this.#bytes > most) throw this.#tooMuch(id, `more than ${most} bytes of heads`);
  }

  /** Records what the versions of `id` require, to name the chain. */
  required(id: string, versions: readonly { readonly builds: Readonly<object> }[]): void {
    for (const { builds } of versions) {
      for (const other of Object.keys(builds)) {
        if (!this.#requirers.has(other) && other !== id) this.#requirers.set(other, id);
      }
    }
  }

  #tooMuch(id: string, what: string): ClientError {
    const chain = [id];
    const seen = new Set(chain);
    for (let at = this.#requirers.get(id); at !== undefined; at = this.#requirers.get(at)) {
      if (seen.has(at)) break;
      seen.add(at);
      chain.unshift(at);
    }
    const cut = chain.length - 2 * SHOWN;
    const shown =
      cut > 0 ? [...chain.slice(0, SHOWN), `${cut} more`, ...chain.slice(-SHOWN)] : chain;
    return new ClientError(
      'ERR_RESOLVE_LIMIT',
      `Cannot resolve: this needs ${what}, by the requirements ${shown.join(' > ')}`,
      { hint: `report "${chain[0]}" to the registry, or choose another version of it` },
    );
  }
}
