/**
 * What this user has seen of logs: for each registry the newest checkpoint and the key that signs it; and the errors where a host
 * contradicts it.
 *
 *     <state>/logs/<SHA-256 of the origin>.json        { "origin", "key", "note", "seen_at" }
 *     <state>/logs/<SHA-256 of the origin>.evidence.json   both sides of a contradiction
 *     <state>/logs/<SHA-256 of the origin>.unsigned.json   the user knows that nobody signs its log
 */
import { join } from 'node:path';
import { z } from 'zod';
import { sha256Hex } from '../../format/archive/integrity.ts';
import { parseDocument } from '../../format/document/document.ts';
import { FormatError, type StackyardError } from '../../format/errors.ts';
import { LogPolicy } from '../../format/project/lock.ts';
import type { CacheFiles } from './cache.ts';
import { ClientError } from '../errors.ts';

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
    const text = `${JSON.stringify({ origin, ...sides }, null, 2)}\n`;
    await this.#files.write(path, Buffer.from(text));
    return join(this.#files.root, path);
  }
}

function pathOf(origin: string, kind: string): string {
  return `logs/${sha256Hex(Buffer.from(origin))}${kind}.json`;
}
const HINT =
  'do not trust this address: the host, or someone between, serves something else than the registry published; try again in a minute, and report it to the registry with the files named above if it happens again';

const MISSING_HINT =
  'run the same command again: the registry may have removed this file after a newer publication; if it is missing again, its host is incomplete or hides it: report it to the registry';

/** Where the key that must sign did not: the host may lie, or the registry ran without its key. */
const KEY_HINT = `${HINT}. Its admins find in docs/operate.md, "When something happened", how to correct a run without the right key, and how a new key is announced`;

class LogError extends ClientError {
  readonly problem: string;

  constructor(problem: string, hint: string, where = '', cause?: unknown) {
    super('ERR_LOG', `The transparency log cannot be trusted: ${problem}${where}`, { hint, cause });
    this.problem = problem;
  }
}

/** The error for a log that contradicts itself, what was seen of it before, or the documents of its registry. */
export function logError(problem: string): ClientError {
  return new LogError(problem, HINT);
}

/** The error for a checkpoint without the signature that it must have. */
export function unsignedError(problem: string): ClientError {
  return new LogError(problem, KEY_HINT);
}

/** The error for a file that the state which is read names, and that `url` does not have. */
export function missingFile(url: string): ClientError {
  const problem = `Cannot read ${url}: it is missing, and the newest state of the registry names it`;
  return new ClientError('ERR_LOG', problem, { hint: MISSING_HINT });
}

/** Whether an error is about a log that cannot be trusted, or about the form of a file of it. */
export function isLogError(error: unknown): error is StackyardError {
  if (error instanceof FormatError) return /^ERR_(?:LOG_|NOTE|CHECKPOINT)/.test(error.code);
  return error instanceof LogError;
}

/** The error for `cause` with the place of both sides. @param evidence the file that has them, if any */
export function withEvidence(cause: StackyardError, evidence: string | undefined): ClientError {
  const [problem, hint] = cause instanceof LogError ? [cause.problem, cause.hint] : [cause.message];
  const where = evidence === undefined ? '' : `; evidence: ${evidence}`;
  return new LogError(problem, hint ?? HINT, where, cause);
}
