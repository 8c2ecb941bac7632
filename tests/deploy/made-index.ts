/** A store in memory, and small made indexes whose checkpoint names all that a client reads. */
import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { CHECKPOINT_PATH, documentPath } from '../../format/index/layout.ts';
import { formatCheckpoint } from '../../format/log/checkpoint.ts';
import { noteSigner } from '../../format/log/note-key.ts';
import { deploy } from '../../generator/deploy/deploy.ts';
import type { Store } from '../../generator/deploy/store.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS: number = 24 * HOUR_MS;
export const INFO = {
  name: 'x',
  interface: 2,
  base_url: '',
  source_commit: '',
  builds: 0,
  versions: 0,
};

export function sha256(text: string): string {
  return hash('sha256', text);
}

/** Objects by path, and a clock. `before` runs before each write and removal, and may throw. */
export class MemoryStore implements Store {
  readonly place = 's3://memory';
  time = 1_800_000_000_000;
  objects = new Map<string, string>();
  writes = 0;
  before: (path: string, isWrite: boolean) => void | Promise<void> = () => {};

  now = (): number => this.time;

  read = async (path: string) => {
    await Promise.resolve();
    const text = this.objects.get(path);
    return text === undefined
      ? undefined
      : { bytes: Buffer.from(text, 'latin1'), tag: sha256(text) };
  };

  write = async (path: string, bytes: Uint8Array, over?: string): Promise<string | undefined> => {
    await Promise.resolve();
    this.writes += 1;
    await this.before(path, true);
    const text = Buffer.from(bytes).toString('latin1');
    const known = this.objects.get(path);
    if (over !== undefined && over !== (known === undefined ? '' : sha256(known))) return undefined;
    this.objects.set(path, text);
    return sha256(text);
  };

  remove = async (path: string): Promise<void> => {
    await Promise.resolve();
    this.writes += 1;
    await this.before(path, false);
    this.objects.delete(path);
  };

  copy(): MemoryStore {
    const own = new MemoryStore();
    own.objects = new Map(this.objects);
    own.time = this.time;
    return own;
  }

  async *list() {
    for (const [path, text] of this.objects) {
      yield {
        path,
        size: text.length,
        md5: hash('md5', Buffer.from(text, 'latin1')),
      };
    }
  }
}

/**
 * An index with these documents, each by digest and at its plain address. The root of the checkpoint is the digest of a list of
 * their digests, in place of the map.
 */
export class MadeIndex {
  readonly folder: string;
  aliases: Readonly<Record<string, string>> = {};

  constructor() {
    const parent = mkdtempSync(join(tmpdir(), 'stackyard-deploy-'));
    onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
    this.folder = join(parent, 'index');
  }

  /** Builds `b0`, `b1` … with a text each. @returns this, with nothing else in it */
  set(
    texts: readonly string[],
    { entries, ...more }: { taken_down?: number; entries?: number } = {},
  ): this {
    this.aliases = {
      'registry.json': JSON.stringify({ ...INFO, origin: 'a.example', ...more }),
      ...Object.fromEntries(texts.map((text, at) => [`builds/a/b${at}.json`, text])),
      ...(more.taken_down === undefined ? {} : { 'heads/a/secret.json': '{"taken_down":{}}' }),
    };
    const list = JSON.stringify(Object.values(this.aliases).map(sha256));
    const documents = [list, ...Object.values(this.aliases)];
    const root = Buffer.from(sha256(list), 'hex');
    const size = entries ?? 1;
    rmSync(this.folder, { recursive: true, force: true });
    this.#write(CHECKPOINT_PATH, `${formatCheckpoint({ origin: 'a.example/log', size, root })}\n`);
    for (const text of documents) this.#write(documentPath(sha256(text)), text);
    for (const [path, text] of Object.entries(this.aliases)) this.#write(path, text);
    return this;
  }

  #write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }
}

/** What a client reads: the first document of the one state that the checkpoint names. All that is named must be there. */
export function readState({ objects }: MemoryStore): string | undefined {
  const checkpoint = objects.get(CHECKPOINT_PATH);
  if (checkpoint === undefined) return undefined;
  const root = Buffer.from(checkpoint.split('\n')[2] ?? '', 'base64').toString('hex');
  const read = (digest: string): string => {
    const text = objects.get(documentPath(digest)) ?? '';
    expect(sha256(text), `${documentPath(digest)} is as named`).toBe(digest);
    return text;
  };
  const [, first = ''] = (JSON.parse(read(root)) as string[]).map(read);
  return first;
}

/** Requires that a client reads the index, and that its plain addresses have the same. */
export function expectWhole(store: MemoryStore, { aliases }: MadeIndex): void {
  expect(readState(store)).toBe(aliases['builds/a/b0.json']);
  for (const [path, text] of Object.entries(aliases)) {
    expect([path, store.objects.get(path)]).toEqual([path, text]);
  }
}

/** With the key of the log, and a grace time of a day. */
export function deployMade(
  store: Store,
  index: MadeIndex,
  more: Partial<Parameters<typeof deploy>[0]> = {},
): ReturnType<typeof deploy> {
  const signers = [noteSigner('a.example/log', 'note', new Uint8Array(32).fill(1))];
  return deploy({ store, index: index.folder, graceMs: DAY_MS, signers, ...more });
}

/** Texts of builds that no other version has. */
export function textsOf(version: number, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${version} of ${at}`);
}
