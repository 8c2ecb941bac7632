/** A bucket of any store with the interface of S3. */
import { hash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { objectHeaders } from '../object-headers.ts';
import { isPassing, statusOf, storeError } from './store-error.ts';
import { DEPLOY_FOLDER, type Store } from './store.ts';

/** How long a failing request is repeated. Until the first response it is shorter: a wrong address shall not take minutes. */
const RETRY_MS = 150_000;
const FIRST_RETRY_MS = 10_000;
const PAUSE_MS = { first: 100, longest: 8_000 };

/**
 * A store for the objects of `bucket` below `prefix`.
 * @param endpoint of a store that is not that of AWS; by default `AWS_ENDPOINT_URL`
 */
export function openS3Store(
  { bucket: Bucket, prefix, place }: { bucket: string; prefix: string; place: string },
  endpoint?: string,
  retryMs = RETRY_MS,
): Store {
  const client = openClient(endpoint);
  const Prefix = prefix === '' ? '' : `${prefix}/`;
  const objectOf = (path: string) => ({ Bucket, Key: Prefix + path });
  let hasAnswered = false;

  /** Pauses double, and differ between requests that failed together. */
  async function request<Result>(action: string, send: () => Promise<Result>): Promise<Result> {
    let failedAt: number | undefined;
    for (let pause = PAUSE_MS.first; ; pause = Math.min(pause * 2, PAUSE_MS.longest)) {
      try {
        const result = await send();
        hasAnswered = true;
        return result;
      } catch (error) {
        failedAt ??= performance.now();
        hasAnswered ||= statusOf(error) !== 0;
        const forMs = hasAnswered ? retryMs : Math.min(retryMs, FIRST_RETRY_MS);
        const isOver = performance.now() - failedAt + pause > forMs;
        if (isOver || !isPassing(error)) throw storeError(error, place, action);
        await wait(pause * (0.5 + Math.random() / 2));
      }
    }
  }

  return {
    place,
    now: () => Date.now() + client.config.systemClockOffset,
    read: (path) =>
      request(`read "${path}"`, async () => {
        const response = await unless([404], client.send(new GetObjectCommand(objectOf(path))));
        const bytes = await response?.Body?.transformToByteArray();
        return bytes && { bytes, tag: response?.ETag ?? '' };
      }),
    write: (path, bytes, over) =>
      request(`write "${path}"`, async () => {
        const { cacheControl, contentType } = objectHeaders(path);
        const command = new PutObjectCommand({
          ...objectOf(path),
          Body: bytes,
          CacheControl: path.startsWith(DEPLOY_FOLDER) ? 'no-store' : cacheControl,
          ContentType: contentType,
          ChecksumSHA256: hash('sha256', bytes, 'base64'),
          ...(over === undefined ? {} : over === '' ? { IfNoneMatch: '*' } : { IfMatch: over }),
        });
        // 412, or 404 where the object with this tag is gone.
        const refusals = over === undefined ? [] : [404, 412];
        const response = await unless(refusals, client.send(command));
        return response && (response.ETag ?? '');
      }),
    remove: (path) =>
      request(`remove "${path}"`, async () => {
        await unless([404], client.send(new DeleteObjectCommand(objectOf(path))));
      }),
    async *list() {
      let ContinuationToken: string | undefined;
      do {
        const command = new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken });
        const send = (): Promise<ListObjectsV2CommandOutput> => client.send(command);
        const page = await request('list the objects', send);
        for (const { Key: key = '', Size: size = 0, ETag: tag = '' } of page.Contents ?? []) {
          yield { path: key.slice(Prefix.length), size, md5: tag.replaceAll('"', '') };
        }
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken !== undefined);
    },
  };
}

function openClient(given: string | undefined): S3Client {
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  const endpoint = given ?? AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL;
  return new S3Client({
    region: AWS_REGION ?? AWS_DEFAULT_REGION ?? 'us-east-1',
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    // Attempts are counted here: those of the SDK end as soon as many requests fail together.
    maxAttempts: 1,
    followRegionRedirects: true,
    // The checksums of uploads are given; stores of other makers know no other ones.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 5_000,
      requestTimeout: 20_000,
      throwOnRequestTimeout: true,
    },
    // It would write warnings of its own.
    logger: { debug() {}, info() {}, warn() {}, error() {}, trace() {} },
  });
}

/** `undefined` for a response with one of the statuses, if there is such a bucket. */
async function unless<Response>(
  statuses: readonly number[],
  response: Promise<Response>,
): Promise<Response | undefined> {
  try {
    return await response;
  } catch (error) {
    const isNoBucket = (error as Error).name === 'NoSuchBucket';
    if (isNoBucket || !statuses.includes(statusOf(error))) throw error;
    return undefined;
  }
}
