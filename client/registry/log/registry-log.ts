/**
 * The log of a registry during one run. What contradicts it is read again around all caches, at once and after a pause:
 * a cache may serve a document that is older than the checkpoint, and while a registry is deployed its files are of
 * two states.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { REGISTRY_PATH, LOG_FOLDER, parseIndexPath } from '../../../format/index/layout.ts';
import type { RegistryInfo } from '../../../format/index/registry-info.ts';
import type { StackyardError } from '../../../format/errors.ts';
import { ClientError } from '../../errors.ts';
import { checkLog, type LogTrust } from './check-log.ts';
import { isLogError, withEvidence, logError } from './tree-reader.ts';
import type { SignedLog } from './signed-log.ts';
import { MAX_DOCUMENT_BYTES } from '../../../format/document/document.ts';
import type { Check, Fetcher } from '../network/fetcher.ts';

/** How often something is read at most. */
const TRIES = 3;

/** What was read and verified at one time. */
interface OpenedLog {
  /** `undefined` where nobody signs it. */
  readonly signed: SignedLog | undefined;
  /** `registry.json`, proved as far as the log can. */
  readonly info: Promise<RegistryInfo | undefined>;
}

export class RegistryLog {
  readonly #trust: LogTrust;
  readonly #files: LogFiles;
  readonly #pauseMs: number;
  readonly #signal: AbortSignal;
  #opened: Promise<OpenedLog> | undefined;
  /** Whether something contradicted it: then caches are not used any more. */
  #isDoubted = false;
  /** What was read last, for the evidence of a contradiction. */
  #read: { origin: string; sides: Readonly<Record<string, unknown>> } | undefined;

  /** @param pauseMs before the third reading */
  constructor(trust: LogTrust, files: LogFiles, pauseMs: number, signal: AbortSignal) {
    [this.#trust, this.#files] = [trust, files];
    [this.#pauseMs, this.#signal] = [pauseMs, signal];
  }

  /**
   * Calls `use` with the log, which is read in the meantime; again where `use` throws that something contradicts it.
   * @param use `isFresh`: it reads from the host itself
   * @throws {ClientError} `ERR_LOG` with the evidence, and what `use` throws
   */
  async proved<Result>(
    use: (log: Promise<OpenedLog>, isFresh: boolean) => Promise<Result>,
  ): Promise<Result> {
    let problem: StackyardError | undefined;
    for (let tried = 0; tried < TRIES; tried += 1) {
      const opened = (this.#opened ??= this.#open(this.#isDoubted));
      try {
        return await use(opened, tried > 0);
      } catch (error) {
        const isSame = isLogError(error);
        // A host that refuses to be asked around caches has not explained the contradiction.
        const isMute =
          problem !== undefined && error instanceof ClientError && MUTE.has(error.code);
        if (!isSame && !isMute) throw error;
        if (isSame) problem = error;
      }
      this.#isDoubted = true;
      // All that read the same state wait for the same new one.
      if (this.#opened === opened) this.#opened = undefined;
      if (tried === 1) await sleep(this.#pauseMs, undefined, { signal: this.#signal });
    }
    throw withEvidence(problem!, await this.#keepEvidence());
  }

  /** `registry.json`. @throws {ClientError} as `proved` */
  info(): Promise<RegistryInfo | undefined> {
    return this.proved(async (log) => (await log).info);
  }

  #open(isFresh: boolean): Promise<OpenedLog> {
    const claim = Promise.withResolvers<RegistryInfo | undefined>();
    const { base, read, readInfo } = this.#files;
    const onRead = (origin: string, sides: Readonly<Record<string, unknown>>): void => {
      this.#read = { origin, sides };
    };
    const trust = this.#trust;
    const checking = checkLog({ trust, base, claim: claim.promise, onRead, ...read(isFresh) });
    const reading = readInfo(isFresh, async (info, bytes, url) => {
      claim.resolve(info);
      const signed = await checking;
      await signed?.requireDocument(bytes, url, signed.digestOf(REGISTRY_PATH));
    });
    reading.catch(claim.reject);
    const info = reading.then(async (found) => {
      await (await checking)?.keep(trust.kept, found);
      return found;
    });
    // The one who uses them gets the error.
    for (const promise of [checking, info, claim.promise]) promise.catch(() => {});
    const opened = checking.then((signed) => ({ signed, info }));
    opened.catch(() => {});
    return opened;
  }

  async #keepEvidence(): Promise<string | undefined> {
    const { origin, sides } = this.#read ?? {};
    return origin === undefined ? undefined : this.#trust.kept?.keepEvidence(origin, sides!);
  }
}

const MUTE: ReadonlySet<string> = new Set(['ERR_NETWORK', 'ERR_REGISTRY_ANSWER']);

/** How the files are read; `isFresh`: from the host itself. */
interface LogFiles {
  readonly base: string;
  readonly read: (
    isFresh: boolean,
  ) => Pick<Parameters<typeof checkLog>[0], 'readFile' | 'readDigested'>;
  /** Reads `registry.json`. `prove` gets it before it is used or kept, and may refuse it. */
  readonly readInfo: (
    isFresh: boolean,
    prove: (
      info: RegistryInfo | undefined,
      bytes: Uint8Array | undefined,
      url: string,
    ) => Promise<void>,
  ) => Promise<RegistryInfo | undefined>;
}

export function logFiles(base: string, fetcher: Fetcher, parse: Check<RegistryInfo>): LogFiles {
  const isAwaited = true;
  return {
    base,
    read: (isFresh) => ({
      readFile: (name, maxBytes) => {
        const path = `${LOG_FOLDER}/${name}`;
        const parsed = parseIndexPath(path);
        // The checkpoint and the entry of the map change; tiles and bundles never do.
        const isLasting = parsed?.kind === 'log' && parsed.path.kind !== 'checkpoint';
        const options = { isLasting, isFresh, isAwaited };
        return fetcher.document(path, maxBytes, (bytes) => bytes, options);
      },
      readDigested: (path, sha256, maxBytes) => {
        const wrong = (_: Uint8Array, url: string): ReturnType<typeof logError> =>
          logError(`${url} has another digest than in its name`);
        return fetcher.digested({ path, sha256, maxBytes, wrong, isFresh, isAwaited });
      },
    }),
    readInfo: (isFresh, prove) => {
      return fetcher.document(REGISTRY_PATH, MAX_DOCUMENT_BYTES, parse, {
        isFresh,
        isAwaited,
        prove: (bytes, url) => prove(bytes && parse(bytes, url), bytes, url),
      });
    },
  };
}
