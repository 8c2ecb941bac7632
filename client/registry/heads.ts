/** What one command requires of heads: there is a limit to them, and each only grows. Pure. */
import { ClientError } from '../errors.ts';
import type { Head } from '../../format/index/record.ts';

const MAX_HEADS = 2000;
/** Bytes of all heads of one command. */
const MAX_HEADS_BYTES = 64_000_000;
/** Builds at each end of a chain that a message names. */
const SHOWN = 4;

/** Bounds what one command reads of heads: a hostile registry could name ever more of them. */
export class HeadBudget {
  /** By required build: the first build that requires it. */
  readonly #requirers = new Map<string, string>();
  #heads = 0;
  #bytes = 0;

  /** Counts the head of `id`, which is about to be read. @throws {ClientError} `ERR_RESOLVE_LIMIT` */
  begin(id: string): void {
    this.#heads += 1;
    if (this.#heads > MAX_HEADS) throw this.#tooMuch(id, `more than ${MAX_HEADS} builds`);
  }

  /** Counts the bytes of the head of `id`. @throws {ClientError} `ERR_RESOLVE_LIMIT` */
  read(id: string, bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= MAX_HEADS_BYTES) return;
    throw this.#tooMuch(id, `more than ${MAX_HEADS_BYTES} bytes of heads`);
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

const NEVER = 'do not trust this address, and report it to the registry';
const SAME_ADDRESS = `a published version never changes: ${NEVER}; if it serves another registry on purpose, run "stackyard cache clean"`;
const INSTALLED_HINT = `a published version is never removed: ${NEVER}; if you chose another registry on purpose, remove the build and add it again`;

/** An installed version, whose digest no address may change. */
export interface Pin {
  readonly version: string;
  readonly integrity: string;
}

/** `ERR_INTEGRITY` or `ERR_ROLLBACK` when `head` contradicts the installed version. */
export function pinProblem(
  { id, versions }: Head,
  pin: Pin | undefined,
  url: string,
): ClientError | undefined {
  if (pin === undefined) return undefined;
  const found = versions.find(({ version }) => version === pin.version)?.integrity;
  if (found === pin.integrity) return undefined;
  if (found === undefined) {
    const problem = `Cannot use ${url}: "${id}" ${pin.version}, which is installed, is missing`;
    return new ClientError('ERR_ROLLBACK', problem, { hint: INSTALLED_HINT });
  }
  const problem = `Cannot use ${url}: it gives ${found} for "${id}" ${pin.version}, which is installed with ${pin.integrity}`;
  return new ClientError('ERR_INTEGRITY', problem, {
    hint: `a published version never changes: ${NEVER}`,
  });
}

/** `ERR_INTEGRITY` or `ERR_ROLLBACK` when `head` misses or changes a version of `earlier`. */
export function historyProblem(head: Head, earlier: Head, url: string): ClientError | undefined {
  const found = new Map(head.versions.map(({ version, integrity }) => [version, integrity]));
  for (const { version, integrity } of earlier.versions) {
    const now = found.get(version);
    if (now === integrity) continue;
    const isMissing = now === undefined;
    const problem = isMissing ? 'is missing' : `is ${now}, and was ${integrity}`;
    return new ClientError(
      isMissing ? 'ERR_ROLLBACK' : 'ERR_INTEGRITY',
      `Cannot use ${url}: "${head.id}" ${version}, which it had before, ${problem}`,
      { hint: SAME_ADDRESS },
    );
  }
  return undefined;
}
