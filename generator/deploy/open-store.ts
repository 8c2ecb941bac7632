/** The store of a target, with the limits of a deployment by a program. */
import type { Lease } from './claim.ts';
import { openFolderStore } from './folder-store.ts';
import { patience } from './retry.ts';
import { openS3Store } from './s3-store.ts';
import type { Store } from './store.ts';
import { parseEndpoint, parseTarget } from './target.ts';

/** A store may be busy for minutes. */
const RETRY_MS = 150_000;
/** After a crash, the next deployment from another machine waits so long. */
const LEASE_MS = 60_000;

export interface StoreOptions {
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
}

/** @throws {GeneratorError} `ERR_USAGE` */
export function openStore(place: string, { endpoint, region }: StoreOptions): Store {
  const target = parseTarget(place);
  if (target.kind === 'folder') return openFolderStore(target);
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  return openS3Store(target, {
    endpoint: endpoint === undefined ? undefined : parseEndpoint(endpoint),
    region: region ?? AWS_REGION ?? AWS_DEFAULT_REGION ?? 'us-east-1',
    retryMs: RETRY_MS,
  });
}

/** By the clock of this machine. */
export function programLease(): Lease {
  return { leaseMs: LEASE_MS, ...patience(RETRY_MS) };
}
