/**
 * The log of a registry during one run. What contradicts it is read again around all caches, at once and after a pause:
 * a cache may serve a document that is older than the checkpoint, and while a registry is deployed its files are of
 * two states.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { StackyardError } from '../../../format/errors.ts';
import { REGISTRY_PATH } from '../../../format/index/layout.ts';
import type { RegistryInfo } from '../../../format/index/registry-info.ts';
import { ClientError } from '../../errors.ts';
import { checkLog, type LogTrust } from './check-log.ts';
import type { LogFiles } from './log-files.ts';
import type { SignedLog } from './signed-log.ts';
import { isLogError, withEvidence } from './log-error.ts';

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
