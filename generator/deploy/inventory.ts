/**
 * What a target holds, as those who deploy wrote it: `.deploy/inventory.json` names parts, compressed lists of which the later
 * one counts:
 *
 *     e3b0c44298fc1c14…b855 builds/alice/web.json     is part of the index, with this SHA-256
 *     ? search/index.html                             will be: a run is writing it
 *     1767225600000 documents/9f86d081….json          is no part since then, in milliseconds; 0: a run removes it
 *     - documents/60303ae2….json                      was removed
 *
 * A publication adds small parts. The document is replaced only where it is the one that was read, so changes have an order.
 */
import { hash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { forAll } from '../../format/audit/audit-map.ts';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import type { NoteSigner } from '../../format/log/note-key.ts';
import { GeneratorError } from '../errors.ts';
import { tryWriteWhole } from '../write-whole.ts';
import { isMadeBy, macOf } from '../log/mac.ts';
import { DEPLOY_FOLDER, replace, type Store } from './store.ts';

export const INVENTORY_PATH = `${DEPLOY_FOLDER}inventory.json`;
/** With as many, the next one is the whole list again. */
const MAX_PARTS = 100;
/** No path leaves the target, or is that of a hidden file. */
const LINE = /^([0-9a-f]{64}|\?|\d{1,16}|-) (?!\/|(?:.*\/)?\.)(.{1,1000})$/;
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** `kept_at` is in milliseconds since 1970; `registry` is the digest of the `registry.json` that it belongs to. */
const KeptState = z.object({ head: z.string(), registry: Sha256, kept_at: z.int() });
const Facts = z.object({
  /** Of the registry, where it has one. */
  origin: z.string().optional(),
  /** Digest of the checkpoint whose deployment ended with this inventory; absent while one is at work. */
  checkpoint: Sha256.optional(),
  /** How many versions were taken down when nothing of them was left here. */
  taken_down: z.int(),
  /** The state of the generator that the target keeps. */
  state: KeptState.extend({ sha256: Sha256 }).optional(),
});
/** `run` is another one in each document: two runs never write the same. `mac` is there where the log is signed. */
const Head = Facts.extend({ format: z.literal(2), run: z.string(), parts: z.array(Sha256) });
const Document = z.object({ inventory: Head, mac: Sha256.optional() });
type Facts = z.infer<typeof Facts>;

export class Inventory {
  /** Path to mark, as above; without what was removed, and empty where the inventory is not known. */
  readonly marks = new Map<string, string>();
  facts: Facts = { taken_down: 0 };
  /** Whether it is there, undamaged and, where signers are given, made by one of them. */
  isKnown = false;
  /** Of the document; '' where there is none. */
  tag = '';
  #parts: readonly string[] = [];
  readonly #store: Store;
  readonly #signers: readonly NoteSigner[];
  readonly #cache: string;

  /** @param cache folder for parts on this machine */
  constructor(store: Store, signers: readonly NoteSigner[], cache: string) {
    this.#store = store;
    this.#signers = signers;
    this.#cache = cache;
  }

  async read(): Promise<this> {
    const object = await this.#store.read(INVENTORY_PATH);
    this.tag = object?.tag ?? '';
    const { inventory, mac = '' } = tryParse(object?.bytes) ?? {};
    if (inventory === undefined) return this;
    // Of one that is not known, nothing else is taken over.
    this.facts = Facts.parse({ origin: inventory.origin, taken_down: 0 });
    if (this.#signers.length > 0 && !isMadeBy(mac, inventory, this.#signers)) return this;
    const texts = await forAll(inventory.parts, (sha256) => this.#readPart(sha256));
    if (texts.includes(undefined)) {
      // Another run may have written the whole list again.
      const isSame = (await this.#store.read(INVENTORY_PATH))?.tag === this.tag;
      return isSame ? this : this.read();
    }
    for (const name of existsSync(this.#cache) ? readdirSync(this.#cache) : []) {
      if (!inventory.parts.includes(name)) rmSync(join(this.#cache, name), { force: true });
    }
    for (const line of texts.join('\n').split('\n')) {
      const [, mark = '', path] = LINE.exec(line) ?? [];
      if (path !== undefined) this.#mark(path, mark);
    }
    [this.facts, this.#parts, this.isKnown] = [Facts.parse(inventory), inventory.parts, true];
    return this;
  }

  /** @throws {GeneratorError} `ERR_DEPLOY_LOST` when another run has written since */
  async requireNewest(): Promise<void> {
    const object = await this.#store.read(INVENTORY_PATH);
    if ((object?.tag ?? '') !== this.tag) throw lost(this.#store);
  }

  /** Writes changed marks, and the facts. @throws {GeneratorError} `ERR_DEPLOY_LOST` when another run has written since */
  async change(changes: Iterable<readonly [string, string]>, facts: Facts): Promise<void> {
    for (const [path, mark] of changes) this.#mark(path, mark);
    const lines = new Map(changes);
    const isLarge = this.#parts.length >= MAX_PARTS || lines.size >= this.marks.size;
    const isWhole = isLarge && lines.size > 0;
    const added = lines.size === 0 ? [] : [await this.#writePart(isWhole ? this.marks : lines)];
    const parts = [...(isWhole ? [] : this.#parts), ...added];
    const fields = { ...facts, format: 2, run: randomUUID(), parts };
    const inventory = JSON.parse(JSON.stringify(fields)) as typeof fields;
    const [signer] = this.#signers;
    const document = { inventory, ...(signer && { mac: macOf(inventory, signer) }) };
    const bytes = Buffer.from(canonicalJson(document));
    const tag = await replace(this.#store, INVENTORY_PATH, bytes, this.tag);
    const unnamed = tag === undefined ? added : this.#parts.filter((name) => !parts.includes(name));
    for (const name of unnamed) await this.#store.remove(partPath(name));
    if (tag === undefined) throw lost(this.#store);
    [this.tag, this.facts, this.#parts, this.isKnown] = [tag, facts, parts, true];
  }

  #mark(path: string, mark: string): void {
    if (mark === '-') this.marks.delete(path);
    else this.marks.set(path, mark);
  }

  async #readPart(sha256: string): Promise<string | undefined> {
    const file = join(this.#cache, sha256);
    const kept = existsSync(file) ? readFileSync(file) : Buffer.of();
    if (hash('sha256', kept) === sha256) return gunzipSync(kept).toString();
    const bytes = (await this.#store.read(partPath(sha256)))?.bytes;
    if (bytes === undefined || hash('sha256', bytes) !== sha256) return undefined;
    tryWriteWhole(file, bytes);
    return gunzipSync(bytes).toString();
  }

  /** The first line is a random one: no other run writes, or removes, a part with this digest. */
  async #writePart(marks: Iterable<readonly [string, string]>): Promise<string> {
    const lines = [...marks].map(([path, mark]) => `\n${mark} ${path}`);
    const bytes = gzipSync(randomUUID() + lines.join(''));
    const sha256 = hash('sha256', bytes);
    await this.#store.write(partPath(sha256), bytes);
    tryWriteWhole(join(this.#cache, sha256), bytes);
    return sha256;
  }
}

/** The refusal of a deployment that is not the only one. */
export function lost({ place }: Store): GeneratorError {
  return new GeneratorError('ERR_DEPLOY_LOST', `Another deployment to ${place} has begun`, {
    hint: 'run again when it has ended; what is served is complete in its older or newer state',
  });
}

function partPath(sha256: string): string {
  return `${DEPLOY_FOLDER}inventory/${sha256}.gz`;
}

function tryParse(bytes: Uint8Array = Buffer.of()): z.infer<typeof Document> | undefined {
  try {
    return Document.parse(JSON.parse(Buffer.from(bytes).toString()));
  } catch {
    return undefined;
  }
}
