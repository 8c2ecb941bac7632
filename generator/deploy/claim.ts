/**
 * Who deploys to a target: the object `.deploy/claim.json`, which one deployment at a time holds. It is replaced under
 * the condition that it is still the one that was read, so that of two deployments one gets it.
 *
 * A claim whose holder renews it no more, such as after a crash, is taken over when it did not change for `leaseMs` by
 * the clock of the waiting process: clocks of machines are never compared. The holder writes nothing when it could not
 * renew the claim in that time.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { parseDocument } from '../../format/document/document.ts';
import { GeneratorError } from '../errors.ts';
import { DEPLOY_FOLDER } from './manifest.ts';
import type { Store } from './store.ts';

const CLAIM_PATH = `${DEPLOY_FOLDER}/claim.json`;
const HEADERS = { cacheControl: 'no-store', contentType: 'application/json' };

const ClaimSchema = z.object({
  format: z.literal(1),
  /** Another one for each deployment. */
  id: z.string(),
  /** Of the registry that is deployed. */
  origin: z.string().optional(),
  /** `stopped`: it ended with an error, and left changes that the manifest does not list. */
  state: z.enum(['working', 'stopped', 'done']),
  /** A digest that only processes have in common that can see each other. */
  machine: z.string(),
  pid: z.int(),
  renewals: z.int(),
});
type ClaimText = z.infer<typeof ClaimSchema>;

interface SeenClaim {
  readonly claim: ClaimText;
  readonly tag: string;
}

/** How long a claim lasts without renewal, and by which clock. */
export interface Lease {
  readonly leaseMs: number;
  /** Milliseconds since any moment. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
}

/** The claim at a store; `undefined` before the first deployment. */
export async function readClaim(store: Store): Promise<SeenClaim | undefined> {
  const object = await store.read(CLAIM_PATH);
  if (object === undefined) return undefined;
  const claim = parseDocument(ClaimSchema, object.bytes, `"${CLAIM_PATH}" at ${store.place}`);
  return { claim, tag: object.tag };
}

export class Claim {
  readonly #store: Store;
  readonly #lease: Lease;
  #text: ClaimText;
  #tag: string;
  #renewedAt: number;
  #renewing: Promise<void> | undefined;

  private constructor(store: Store, lease: Lease, text: ClaimText, tag: string, at: number) {
    this.#store = store;
    this.#lease = lease;
    this.#text = text;
    this.#tag = tag;
    this.#renewedAt = at;
  }

  /**
   * Takes the claim.
   * @param seen as it was read last
   * @returns the claim, and the one that it replaces: `seen`, or a later one
   * @throws {GeneratorError} `ERR_DEPLOY_BUSY` while another deployment works
   */
  static async take(
    store: Store,
    seen: SeenClaim | undefined,
    origin: string | undefined,
    lease: Lease,
  ): Promise<{ claim: Claim; over: SeenClaim | undefined }> {
    const text: ClaimText = {
      format: 1,
      id: randomUUID(),
      ...(origin === undefined ? {} : { origin }),
      state: 'working',
      machine: machineId(),
      pid: process.pid,
      renewals: 0,
    };
    for (let over = seen; ;) {
      if (over?.claim.state === 'working' && !isDead(over.claim)) {
        over = await waitForEnd(store, over, lease);
      }
      const at = lease.now();
      const written = await replaceClaim(store, text, over?.tag);
      if (typeof written === 'string') {
        held.add(text.id);
        return { claim: new Claim(store, lease, text, written, at), over };
      }
      over = written.current;
    }
  }

  /** Resolves while this deployment may write. @throws {GeneratorError} `ERR_DEPLOY_LOST` */
  async ensure(): Promise<void> {
    if (this.#lease.now() - this.#renewedAt < this.#lease.leaseMs / 3) return;
    const next = { ...this.#text, renewals: this.#text.renewals + 1 };
    this.#renewing ??= this.#replace(next).finally(() => (this.#renewing = undefined));
    await this.#renewing;
  }

  /** Gives the claim back, after a deployment that is complete. */
  async finish(): Promise<void> {
    await this.#renewing;
    await this.#replace({ ...this.#text, state: 'done' });
    held.delete(this.#text.id);
  }

  /** Gives the claim back after an error, where that is possible: otherwise the next deployment waits for its end. */
  async stop(): Promise<void> {
    held.delete(this.#text.id);
    try {
      await this.#replace({ ...this.#text, state: 'stopped' });
    } catch (error) {
      if (!(error instanceof GeneratorError)) throw error;
    }
  }

  async #replace(text: ClaimText): Promise<void> {
    const at = this.#lease.now();
    const written = await replaceClaim(this.#store, text, this.#tag);
    if (typeof written !== 'string') {
      throw new GeneratorError(
        'ERR_DEPLOY_LOST',
        `Another deployment to ${this.#store.place} took over, because this one was not heard of`,
        {
          hint: 'the target is complete in its older or newer state; run again when the other one has ended',
        },
      );
    }
    this.#text = text;
    this.#tag = written;
    this.#renewedAt = at;
  }
}

/** Ids of the claims of this process. */
const held = new Set<string>();

/** The new tag; or, when another claim than that with `tag` is there, that one. */
async function replaceClaim(
  store: Store,
  text: ClaimText,
  tag: string | undefined,
): Promise<string | { current: SeenClaim | undefined }> {
  const condition = tag === undefined ? 'absent' : { tag };
  const result = await store.write(CLAIM_PATH, bytesOf(text), HEADERS, condition);
  if (result.kind === 'written') return result.tag;
  const current = await readClaim(store);
  // The response to a write that succeeded may be lost: then the repeated one is refused.
  const { id, renewals, state } = current?.claim ?? {};
  const isOurs = id === text.id && renewals === text.renewals && state === text.state;
  return isOurs && current !== undefined ? current.tag : { current };
}

/** Returns the claim once it is done, or did not change for the whole lease. */
async function waitForEnd(
  store: Store,
  seen: SeenClaim,
  { leaseMs, now, sleep }: Lease,
): Promise<SeenClaim | undefined> {
  const isHere = seen.claim.machine === machineId();
  for (const start = now(); !isHere && now() - start < leaseMs;) {
    await sleep(leaseMs / 6);
    const current = await readClaim(store);
    if (current === undefined || current.claim.state !== 'working') return current;
    if (current.tag !== seen.tag) throw busy(store);
  }
  // A process of this machine that is alive: nothing has to be waited for.
  if (isHere) throw busy(store);
  return seen;
}

function busy({ place }: Store): GeneratorError {
  return new GeneratorError('ERR_DEPLOY_BUSY', `Another deployment to ${place} is at work`, {
    hint: 'run again when it has ended',
  });
}

function bytesOf(claim: ClaimText): Uint8Array {
  return Buffer.from(canonicalJson(claim));
}

/** Whether the holder is a process of this machine that has ended. */
function isDead({ id, machine, pid }: ClaimText): boolean {
  if (machine !== machineId()) return false;
  // An earlier process can have had the number of this one.
  if (pid === process.pid) return !held.has(id);
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Equal for processes of one start of one machine that see each other's numbers. */
function machineId(): string {
  const parts = [
    hostname(),
    textOf('/proc/sys/kernel/random/boot_id'),
    linkOf('/proc/self/ns/pid'),
  ];
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}
