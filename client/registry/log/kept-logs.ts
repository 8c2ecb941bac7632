/**
 * What this user has seen of logs: for each registry the newest checkpoint and the key that signs it.
 *
 *     <state>/logs/<SHA-256 of the origin>.json        { "origin", "key", "note", "seen_at" }
 *     <state>/logs/<SHA-256 of the origin>.evidence.json   both sides of a contradiction
 *     <state>/logs/<SHA-256 of the origin>.unsigned.json   the user knows that nobody signs its log
 */
import { join } from 'node:path';
import { z } from 'zod';
import { sha256Hex } from '../../../format/archive/integrity.ts';
import { parseDocument } from '../../../format/document/document.ts';
import { FormatError } from '../../../format/errors.ts';
import { LogPolicy } from '../../../format/project/lock.ts';
import type { CacheFiles } from '../network/cache-files.ts';

export const KeptLog = z.object({
  origin: z.string(),
  key: z.string().describe('The public key that signed it.'),
  note: z.string().describe('The checkpoint, whole.'),
  seen_at: z.string(),
  former_keys: z
    .array(z.string())
    .optional()
    .describe('Keys that it replaced: they prove what was installed before.'),
  witnesses: LogPolicy.shape.witnesses.describe('What the user demanded with "registry add".'),
});
export type KeptLog = z.infer<typeof KeptLog>;

const MAX_KEPT_BYTES = 2_000_000;

export class KeptLogs {
  readonly #files: CacheFiles;

  constructor(files: CacheFiles) {
    this.#files = files;
  }

  /** What is kept of the log of a registry. */
  async read(origin: string): Promise<KeptLog | undefined> {
    const bytes = await this.#files.read(pathOf(origin, ''), MAX_KEPT_BYTES);
    if (bytes === undefined) return undefined;
    try {
      const kept = parseDocument(KeptLog, bytes, 'the kept checkpoint');
      return kept.origin === origin ? kept : undefined;
    } catch (error) {
      if (error instanceof FormatError) return undefined;
      throw error;
    }
  }

  async keep(log: KeptLog): Promise<void> {
    await this.#files.write(pathOf(log.origin, ''), Buffer.from(JSON.stringify(log)));
  }

  /** Whether this is the first call for a registry whose log nobody signs. */
  async isFirstNote(origin: string): Promise<boolean> {
    const path = pathOf(origin, '.unsigned');
    if ((await this.#files.read(path, MAX_KEPT_BYTES)) !== undefined) return false;
    await this.#files.write(path, Buffer.from(`${JSON.stringify({ origin })}\n`));
    return true;
  }

  /** Keeps both sides of a contradiction. @returns the file */
  async keepEvidence(origin: string, sides: Readonly<Record<string, unknown>>): Promise<string> {
    const path = pathOf(origin, '.evidence');
    await this.#files.write(
      path,
      Buffer.from(`${JSON.stringify({ origin, ...sides }, null, 2)}\n`),
    );
    return join(this.#files.root, path);
  }
}

function pathOf(origin: string, kind: string): string {
  return `logs/${sha256Hex(Buffer.from(origin))}${kind}.json`;
}
