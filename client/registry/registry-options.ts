/** How a registry is read. */
import type { LogTrust } from './log/check-log.ts';
import type { HeadLimits } from './head-budget.ts';
import type { Pin } from './head-history.ts';
import type { Cache } from './network/cache.ts';
import type { NetworkMode } from './network/fetcher.ts';
import type { TransferListener } from './network/mirrors.ts';
import type { NetworkLimits } from './network/network-limits.ts';
import type { RegistryHeaders } from './network/registry-headers.ts';

export interface RegistryOptions {
  readonly limits?: Partial<NetworkLimits>;
  readonly cache?: Cache | undefined;
  readonly mode?: NetworkMode;
  readonly headers?: RegistryHeaders;
  /** By build id. */
  readonly pins?: ReadonlyMap<string, Pin>;
  /** Prints a line that the user should know. */
  readonly note?: (line: string) => void;
  readonly listener?: TransferListener | undefined;
  readonly headLimits?: HeadLimits;
  /** Whom the user trusts about its log, by which all is proved; without it nothing is. */
  readonly log?: LogTrust | undefined;
  /** Whether an address that cannot be used fails only when it is read. */
  readonly isLenient?: boolean;
}
