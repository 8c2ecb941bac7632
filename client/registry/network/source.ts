/** One address of a registry, over HTTP or in a folder, and its possible answers. */
import type { ClientError } from '../../errors.ts';

/** The validators of a document, to ask later whether it is still current. */
export interface Validators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

export interface SourceRequest {
  readonly maxBytes: number;
  /** Whether an encoded answer may be read unchanged: its known digest detects a wrong one. */
  readonly isDigested: boolean;
  /** Whether the host itself must answer, and no cache on the way. */
  readonly isFresh?: boolean | undefined;
  /** The validators of the cached bytes. */
  readonly validators?: Validators | undefined;
  /** Called for every part that arrives. */
  readonly onBytes?: ((count: number) => void) | undefined;
}

export type Answer =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly validators: Validators }
  /** The cached bytes are still current. */
  | { readonly kind: 'same' }
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'failed';
      readonly error: ClientError;
      /** A retry would give the same answer. */
      readonly isFinal: boolean;
      readonly retryAfterMs?: number | undefined;
    };

export interface Source {
  /** The address, without `/` at the end. */
  readonly base: string;
  /** Whether it is a folder on this machine. */
  readonly isFolder: boolean;
  /** The secret header, by which cached documents are kept apart; empty without one. */
  readonly secret: string;
  /** The full address of a path, for messages. */
  readonly url: (path: string) => string;
  readonly get: (path: string, request: SourceRequest) => Promise<Answer>;
  readonly close: () => Promise<void>;
}
