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
import { canonicalJson } from '../../format/document/canonical-json.ts';
import type { NoteSigner } from '../../format/log/note-key.ts';
import { GeneratorError } from '../errors.ts';
import { tryWriteWhole } from '../write-whole.ts';
import { isMadeBy, macOf } from './mac.ts';
import { DEPLOY_FOLDER, replace, type Store } from './store.ts';

export const INVENTORY_PATH = `${DEPLOY_FOLDER}inventory.json`;
/** From as many on, small parts are joined. */
const MAX_PARTS = 24;
/** No path leaves the target, or is that of a hidden file. */
const LINE = /^([0-9a-f]{64}|\?|\d{1,16}|-) (?!\/|(?:.*\/)?\.)(.{1,1000})$/;
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** The state of the generator that a target keeps (`keep-state.ts`). */
const KeptState = z.object({
  /** The commit that it knows last. */
  head: z.string(),
  /** Digest of the `registry.json` that it belongs to. */
  registry: Sha256,
  /** Milliseconds since 1970, by the clock of the store. */
  kept_at: z.int(),
  /** Of the compressed file. */
  sha256: Sha256,
});
export type KeptState = z.infer<typeof KeptState>;

const Facts = z.object({
  /** Of the registry, where it has one. */
  origin: z.string().optional(),
  /** Digest of the checkpoint whose deployment ended with this inventory; absent while one is at work. */
  checkpoint: Sha256.optional(),
  /** How many versions were taken down when nothing of them was left here. */
  taken_down: z.int(),
  state: KeptState.optional(),
});
export type Facts = z.infer<typeof Facts>;
const Document = z.object({
  inventory: Facts.extend({
    format: z.literal(2),
    /** Another one in each document: two runs never write the same. */
    run: z.string(),
    parts: z.array(Sha256),
  }),
  /** Where the log is signed. */
  mac: Sha256.optional(),
});

/** Path to mark, as above. */
export type Marks = ReadonlyMap<string, string>;
interface Part {
  readonly sha256: string;
  readonly marks: Marks;
}

/** Where an inventory is, and whose. */
interface Access {
  readonly store: Store;
  /** Of the log: with some, only what one of them made is known. */
  readonly signers: readonly NoteSigner[];
  /** Folder for parts on this machine. */
  readonly cache: string;
}

export class Inventory {
  /** Of all parts, without what was removed. */
  marks: Marks = new Map();
  facts: Facts = { taken_down: 0 };
  /** Whether it is there, undamaged and authentic. */
  isKnown = false;
  /** Of the document; '' where there is none. */
  tag = '';
  #parts: readonly Part[] = [];
  readonly #access: Access;

  private constructor(access: Access) {
    this.#access = access;
  }

  static async read(access: Access): Promise<Inventory> {
    const { store, signers, cache } = access;
    const own = new Inventory(access);
    const object = await store.read(INVENTORY_PATH);
    own.tag = object?.tag ?? '';
    const { inventory, mac = '' } = tryParse(object?.bytes) ?? {};
    if (inventory === undefined) return own;
    // Of one that is not known, nothing else is taken over.
    own.facts = Facts.parse({ origin: inventory.origin, taken_down: 0 });
    if (signers.length > 0 && !isMadeBy(mac, inventory, signers)) return own;
    const parts = await Promise.all(inventory.parts.map((sha256) => readPart(access, sha256)));
    const found = parts.filter((part) => part !== undefined);
    if (found.length === parts.length) own.#take(found, Facts.parse(inventory));
    // Another run may have joined the missing part with others.
    else if ((await store.read(INVENTORY_PATH))?.tag !== own.tag) return Inventory.read(access);
    for (const name of existsSync(cache) ? readdirSync(cache) : []) {
      if (!inventory.parts.includes(name)) rmSync(join(cache, name), { force: true });
    }
    return own;
  }

  /** @throws {GeneratorError} `ERR_DEPLOY_LOST` when another run has written since */
  async requireNewest(): Promise<void> {
    const object = await this.#access.store.read(INVENTORY_PATH);
    if ((object?.tag ?? '') !== this.tag) throw lost(this.#access.store);
  }

  /** Writes changed marks, and the facts. @throws {GeneratorError} `ERR_DEPLOY_LOST` when another run has written since */
  async change(changes: Marks, facts: Facts): Promise<void> {
    const { store, signers } = this.#access;
    const kept = this.#parts.slice(0, this.#firstJoined(changes.size));
    const joined = this.#parts.slice(kept.length);
    const marks = marksOf([...joined, { marks: changes }], kept.length === 0);
    const added = marks.size === 0 ? [] : [await writePart(this.#access, marks)];
    const parts = [...kept, ...added];
    const names = parts.map(({ sha256 }) => sha256);
    const fields = { ...facts, format: 2, run: randomUUID(), parts: names };
    const inventory = JSON.parse(JSON.stringify(fields)) as typeof fields;
    const [signer] = signers;
    const document = { inventory, ...(signer && { mac: macOf(inventory, signer) }) };
    const tag = await replace(
      store,
      INVENTORY_PATH,
      Buffer.from(canonicalJson(document)),
      this.tag,
    );
    for (const { sha256 } of tag === undefined ? added : joined)
      await store.remove(partPath(sha256));
    if (tag === undefined) throw lost(store);
    this.tag = tag;
    this.#take(parts, facts);
  }

  #take(parts: readonly Part[], facts: Facts): void {
    this.facts = facts;
    this.#parts = parts;
    this.marks = marksOf(parts, true);
    this.isKnown = true;
  }

  /** A part goes into the new one when it has no more lines than those after it together. */
  #firstJoined(added: number): number {
    let [first, lines] = [this.#parts.length, added];
    if (first < MAX_PARTS && lines < this.marks.size) return first;
    for (const [at, { marks }] of [...this.#parts.entries()].toReversed()) {
      if (marks.size <= lines) first = at;
      lines += marks.size;
    }
    return first;
  }
}

/** @param isWhole whether nothing comes before these parts */
function marksOf(parts: readonly Pick<Part, 'marks'>[], isWhole: boolean): Marks {
  const all = new Map(parts.flatMap(({ marks }) => [...marks]));
  return isWhole ? new Map([...all].filter(([, mark]) => mark !== '-')) : all;
}

async function readPart({ store, cache }: Access, sha256: string): Promise<Part | undefined> {
  const file = join(cache, sha256);
  let bytes: Uint8Array | undefined = existsSync(file) ? readFileSync(file) : undefined;
  const isSame = (): boolean => bytes !== undefined && hash('sha256', bytes) === sha256;
  if (!isSame()) bytes = (await store.read(partPath(sha256)))?.bytes;
  if (bytes === undefined || !isSame()) return undefined;
  tryWriteWhole(file, bytes);
  const lines = gunzipSync(bytes).toString().split('\n');
  const found = lines.map((line) => LINE.exec(line)).filter((match) => match !== null);
  return { sha256, marks: new Map(found.map(([, mark = '', path = '']) => [path, mark])) };
}

/** The first line is a random one: no other run writes, or removes, a part with this digest. */
async function writePart({ store, cache }: Access, marks: Marks): Promise<Part> {
  const lines = [...marks].map(([path, mark]) => `\n${mark} ${path}`);
  const bytes = gzipSync(randomUUID() + lines.join(''));
  const sha256 = hash('sha256', bytes);
  await store.write(partPath(sha256), bytes);
  tryWriteWhole(join(cache, sha256), bytes);
  return { sha256, marks };
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
