/** One address of a registry, over HTTP or in a folder, and what it may answer. */
import type { ClientError } from '../../errors.ts';

/** What a server says of a document, to ask later whether it is still the same. */
export interface Validators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

export interface Asked {
  readonly maxBytes: number;
  /** Whether a coded answer may be read as it is: what has a known digest cannot be misread. */
  readonly isDigested: boolean;
  /** Those of the bytes that are at hand. */
  readonly validators?: Validators | undefined;
  /** Told of every piece that arrives. */
  readonly onBytes?: ((count: number) => void) | undefined;
}

export type Answer =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly validators: Validators }
  /** The bytes at hand are still right. */
  | { readonly kind: 'same' }
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'failed';
      readonly error: ClientError;
      /** Asking again would give the same. */
      readonly isFinal: boolean;
      readonly retryAfterMs?: number | undefined;
    };

export interface Source {
  /** The address, without `/` at the end. */
  readonly base: string;
  /** Whether it is a folder of this machine. */
  readonly isFolder: boolean;
  /** The secret that is sent along, for keeping its documents apart; empty without one. */
  readonly secret: string;
  /** The address of a path, for messages. */
  readonly url: (path: string) => string;
  readonly get: (path: string, asked: Asked) => Promise<Answer>;
  readonly close: () => Promise<void>;
}
