/** The state of a registry that one run reads, and what its log proves. */
import { REGISTRY_PATH } from '../../../format/index/layout.ts';
import type { RegistryInfo } from '../../../format/index/registry-info.ts';
import type { Fetcher } from '../network/fetcher.ts';
import { parseInfo } from '../parse-document.ts';
import { checkLog, type LogTrust, type Sides } from './check-log.ts';
import { isLogError, logError, withEvidence } from './log-error.ts';
import type { SignedLog } from './signed-log.ts';
import { Snapshot } from './snapshot.ts';

/** What is known once the state is trusted. */
interface Trusted {
  /** `undefined` where nobody signs the log. */
  readonly signed: SignedLog | undefined;
  readonly info: RegistryInfo;
}

export class RegistryLog {
  readonly #trust: LogTrust;
  readonly #fetcher: Fetcher;
  #found: Promise<Snapshot> | undefined;
  #trusted: Promise<Trusted> | undefined;
  /** What contradicts each other, if something does. */
  #sides: Sides | undefined;

  constructor(trust: LogTrust, fetcher: Fetcher) {
    [this.#trust, this.#fetcher] = [trust, fetcher];
  }

  /** The state, of which nothing is proved yet. @throws {ClientError} as `Snapshot.find` */
  found(): Promise<Snapshot> {
    return (this.#found ??= Snapshot.find(this.#fetcher));
  }

  /** What is proved, for callers within `guard`. @throws {ClientError} `ERR_LOG`, and those of `found` */
  trusted(): Promise<Trusted> {
    return (this.#trusted ??= this.#check());
  }

  /** Calls `use` with what is proved. @throws {ClientError} as `guard` */
  use<Result>(use: (log: Trusted) => Promise<Result>): Promise<Result> {
    return this.guard(async () => {
      const result = await use(await this.trusted());
      await this.#fetcher.keepProved();
      return result;
    });
  }

  /** Calls `work`, and keeps the evidence where something contradicts the log. @throws {ClientError} `ERR_LOG` with its place */
  async guard<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!isLogError(error)) throw error;
      const { origin, ...sides } = this.#sides ?? {};
      const evidence = origin && (await this.#trust.kept?.keepEvidence(origin, sides));
      throw withEvidence(error, evidence || undefined);
    }
  }

  async #check(): Promise<Trusted> {
    const state = await this.found();
    const isInLog = state.requireMapInLog();
    isInLog.catch(() => {});
    const digest = await state.digestOf(REGISTRY_PATH);
    if (digest === undefined) throw logError(`its map has no ${REGISTRY_PATH}`);
    const { bytes, keep } = await state.document(REGISTRY_PATH, digest);
    const info = parseInfo(bytes, this.#fetcher.url(REGISTRY_PATH));
    const { base } = this.#fetcher;
    const onRead = (sides: Sides): void => void (this.#sides = sides);
    const signed = await checkLog({ trust: this.#trust, base, state, info, onRead });
    await isInLog;
    await Promise.all([keep(), this.#fetcher.keepProved()]);
    await signed?.keep(this.#trust.kept, info);
    return { signed, info };
  }
}
