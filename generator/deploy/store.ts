/** A place that holds a deployed index: objects by path, written under conditions. */

/** Sent with an object to its readers. */
export interface ObjectHeaders {
  readonly cacheControl: string;
  readonly contentType: string;
}

/** An object with its tag, which is another one after every change of its bytes. */
export interface StoredObject {
  readonly bytes: Uint8Array;
  readonly tag: string;
}

/** What a store knows of an object without sending it. */
export interface ObjectFacts {
  readonly size: number;
  readonly tag: string;
  /** In hexadecimal; absent where the store keeps none. */
  readonly sha256?: string | undefined;
  /** Absent where the store keeps none, such as a folder. */
  readonly headers?: ObjectHeaders | undefined;
}

/** An object of a listing. */
export interface ListedObject {
  readonly path: string;
  readonly size: number;
  /** The MD5 in hexadecimal, where the store has it; on some it is another text of the same form. */
  readonly md5: string;
}

/** `absent`: write only where no object is; a tag: only over the object with this tag. */
export type Condition = 'absent' | { readonly tag: string };

/** `refused`: the condition does not hold; `unsupported`: the store knows no such condition. */
export type WriteResult =
  | { readonly kind: 'written'; readonly tag: string }
  | { readonly kind: 'refused' | 'unsupported' };

/** Paths are relative to the target, as in the index. */
export interface Store {
  /** The target as the user gave it, for messages. */
  readonly place: string;
  readonly read: (path: string) => Promise<StoredObject | undefined>;
  readonly inspect: (path: string) => Promise<ObjectFacts | undefined>;
  readonly write: (
    path: string,
    bytes: Uint8Array,
    headers: ObjectHeaders,
    condition?: Condition,
  ) => Promise<WriteResult>;
  /** Removes an object; one that is not there is no error. */
  readonly remove: (path: string) => Promise<void>;
  readonly list: () => AsyncIterable<ListedObject>;
  /** The same store; `check` runs before every attempt to write or remove, and prevents it by throwing. */
  readonly guardedBy: (check: () => Promise<void>) => Store;
  /** Makes durable what was written. */
  readonly settle: () => Promise<void>;
  /** The clock of the store: milliseconds since 1970. */
  readonly now: () => number;
  /** By how many milliseconds the clock of this machine is ahead of that of the store. */
  readonly clockAheadMs: () => number;
}
