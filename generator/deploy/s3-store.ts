/** A bucket of any store with the interface of S3. */
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { GeneratorError } from '../errors.ts';
import {
  type Condition,
  isClockFailure,
  isPassingFailure,
  type ListedObject,
  type ObjectFacts,
  type ObjectHeaders,
  statusOf,
  type Store,
  type StoredObject,
  storeError,
  type WriteResult,
} from './store.ts';

interface S3Options {
  /** An address for a store that is not that of AWS. */
  readonly endpoint: string | undefined;
  readonly region: string;
  /** How long requests are repeated. */
  readonly retryMs: number;
}

/** How many requests are under way at once. */
export const REQUESTS_AT_ONCE = 32;

/** Until the first response: a wrong address shall not take minutes. */
const FIRST_RETRY_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** Of no byte sent or received. Shorter than a claim lasts (`claim.ts`), so that no request of a lost one arrives. */
const IDLE_TIMEOUT_MS = 20_000;

/** A store for the objects of `bucket` below `prefix`. */
export function openS3Store(
  target: { bucket: string; prefix: string; place: string },
  options: S3Options,
): Store {
  const client = openClient(options);
  return new S3Store(target, new Requests(client, target.place, options.retryMs));
}

function openClient({ endpoint, region }: S3Options): S3Client {
  return new S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    // Attempts are counted here: those of the SDK end as soon as many requests fail together.
    maxAttempts: 1,
    followRegionRedirects: true,
    // The checksums of uploads are given; stores of other makers know no other ones.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: IDLE_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets: 2 * REQUESTS_AT_ONCE },
      httpsAgent: { keepAlive: true, maxSockets: 2 * REQUESTS_AT_ONCE },
    },
    // It would write warnings of its own.
    logger: { debug() {}, info() {}, warn() {}, error() {}, trace() {} },
  });
}

/** Sends requests, again where that may help, and watches the clock of the store. */
class Requests {
  readonly client: S3Client;
  readonly #place: string;
  readonly #retryMs: number;
  #hasAnswered = false;
  aheadMs = 0;

  constructor(client: S3Client, place: string, retryMs: number) {
    this.client = client;
    this.#place = place;
    this.#retryMs = retryMs;
    watchClock(client, (time) => (this.aheadMs = Date.now() - time));
  }

  /** @throws {GeneratorError} what the failure means, with `action` in its words */
  async request<Result>(action: string, send: () => Promise<Result>): Promise<Result> {
    let isCorrected = false;
    const isPassing = (error: unknown): boolean => {
      if (statusOf(error) !== undefined) this.#hasAnswered = true;
      // The SDK has taken over the time of the response: the next request is signed with it.
      if (isClockFailure(error) && !isCorrected) return (isCorrected = true);
      return isPassingFailure(error);
    };
    const forMs = this.#hasAnswered ? this.#retryMs : Math.min(this.#retryMs, FIRST_RETRY_MS);
    try {
      const result = await withRetries(send, isPassing, patience(forMs));
      this.#hasAnswered = true;
      return result;
    } catch (error) {
      if (error instanceof GeneratorError) throw error;
      throw storeError(error, this.#place, action, this.aheadMs);
    }
  }
}

interface Bucket {
  readonly bucket: string;
  readonly prefix: string;
  readonly place: string;
}

class S3Store implements Store {
  readonly place: string;
  readonly #target: Bucket;
  readonly #requests: Requests;
  readonly #check: () => Promise<void>;

  constructor(target: Bucket, requests: Requests, check = (): Promise<void> => Promise.resolve()) {
    this.place = target.place;
    this.#target = target;
    this.#requests = requests;
    this.#check = check;
  }

  guardedBy(check: () => Promise<void>): Store {
    return new S3Store(this.#target, this.#requests, check);
  }

  now(): number {
    return Date.now() - this.#requests.aheadMs;
  }

  clockAheadMs(): number {
    return this.#requests.aheadMs;
  }

  settle(): Promise<void> {
    return Promise.resolve();
  }

  read(path: string): Promise<StoredObject | undefined> {
    const { client } = this.#requests;
    return this.#requests.request(`read "${path}"`, async () => {
      const response = await found(client.send(new GetObjectCommand(this.#object(path))));
      if (response === undefined) return undefined;
      const bytes = await response.Body!.transformToByteArray();
      return { bytes, tag: response.ETag ?? '' };
    });
  }

  inspect(path: string): Promise<ObjectFacts | undefined> {
    const { client } = this.#requests;
    return this.#requests.request(`inspect "${path}"`, async () => {
      const command = new HeadObjectCommand({ ...this.#object(path), ChecksumMode: 'ENABLED' });
      const response = await found(client.send(command));
      if (response === undefined) return undefined;
      const { ContentLength: size = -1, ETag: tag = '', ChecksumSHA256: sum } = response;
      const { CacheControl: cacheControl = '', ContentType: contentType = '' } = response;
      const sha256 = sum === undefined ? undefined : Buffer.from(sum, 'base64').toString('hex');
      return { size, tag, sha256, headers: { cacheControl, contentType } };
    });
  }

  write(
    path: string,
    bytes: Uint8Array,
    headers: ObjectHeaders,
    condition?: Condition,
  ): Promise<WriteResult> {
    const { client } = this.#requests;
    return this.#requests.request(`write "${path}"`, async () => {
      await this.#check();
      try {
        const command = putCommand(this.#object(path), bytes, headers, condition);
        const { ETag: tag = '' } = await client.send(command);
        return { kind: 'written', tag };
      } catch (error) {
        if (condition === undefined) throw error;
        const status = statusOf(error);
        // 404: the object with this tag is gone.
        if (status === 412 || (status === 404 && condition !== 'absent')) {
          return { kind: 'refused' };
        }
        throw error;
      }
    });
  }

  async remove(path: string): Promise<void> {
    const { client } = this.#requests;
    await this.#requests.request(`remove "${path}"`, async () => {
      await this.#check();
      await found(client.send(new DeleteObjectCommand(this.#object(path))));
    });
  }

  async *list(): AsyncIterable<ListedObject> {
    const { bucket: Bucket, prefix } = this.#target;
    const Prefix = prefix === '' ? '' : `${prefix}/`;
    let token: string | undefined;
    do {
      const command = new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken: token });
      const send = (): Promise<ListObjectsV2CommandOutput> => this.#requests.client.send(command);
      const page = await this.#requests.request('list the objects', send);
      for (const { Key: key = '', Size: size = 0, ETag: tag = '' } of page.Contents ?? []) {
        yield { path: key.slice(Prefix.length), size, md5: tag.replaceAll('"', '') };
      }
      token = page.NextContinuationToken;
    } while (token !== undefined);
  }

  #object(path: string): { Bucket: string; Key: string } {
    const { bucket, prefix } = this.#target;
    return { Bucket: bucket, Key: prefix === '' ? path : `${prefix}/${path}` };
  }
}

function putCommand(
  object: { Bucket: string; Key: string },
  bytes: Uint8Array,
  { cacheControl, contentType }: ObjectHeaders,
  condition: Condition | undefined,
): PutObjectCommand {
  return new PutObjectCommand({
    ...object,
    Body: bytes,
    ContentLength: bytes.length,
    CacheControl: cacheControl,
    ContentType: contentType,
    ChecksumSHA256: createHash('sha256').update(bytes).digest('base64'),
    ...(condition === 'absent' ? { IfNoneMatch: '*' } : {}),
    ...(typeof condition === 'object' ? { IfMatch: condition.tag } : {}),
  });
}

/** `undefined` for an object that is not there. */
async function found<Response>(response: Promise<Response>): Promise<Response | undefined> {
  try {
    return await response;
  } catch (error) {
    const isMissing = statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket';
    if (isMissing) return undefined;
    throw error;
  }
}

/** Reports the time of the store, from the header `Date` of its responses. */
function watchClock(client: S3Client, report: (time: number) => void): void {
  const note = (response: unknown): void => {
    const { headers } = (response ?? {}) as { headers?: Record<string, string> };
    const time = Date.parse(headers?.['date'] ?? '');
    if (!Number.isNaN(time)) report(time);
  };
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        const result = await next(args);
        note(result.response);
        return result;
      } catch (error) {
        note((error as { $response?: unknown }).$response);
        throw error;
      }
    },
    { step: 'deserialize', priority: 'high', name: 'stackyardClock' },
  );
}

/** How long and by which clock a request is repeated. */
interface Patience {
  /** Since the first failure. */
  readonly forMs: number;
  /** Milliseconds since any moment. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 8_000;

/** By the clock of the machine. */
export function patience(forMs: number): Patience {
  return { forMs, now: () => performance.now(), sleep: (ms) => wait(ms) };
}

/**
 * The result of the first attempt that succeeds. Pauses double, and differ between requests that failed together.
 * @param isPassing whether another attempt may succeed
 * @throws the last failure
 */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  isPassing: (error: unknown) => boolean,
  { forMs, now, sleep }: Patience,
): Promise<Result> {
  let failedAt: number | undefined;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return await attempt();
    } catch (error) {
      failedAt ??= now();
      if (!isPassing(error) || now() - failedAt + pause > forMs) throw error;
      await sleep(pause * (0.5 + Math.random() / 2));
    }
  }
}
