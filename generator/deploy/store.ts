/** A place that holds a deployed index: objects by path, as in the index. */

/** What belongs to deployments, and not to the index. */
export const DEPLOY_FOLDER = '.deploy/';
export const STATE_FOLDER = `${DEPLOY_FOLDER}state/`;

/** The tag is another one after every change of the bytes. */
export interface StoredObject {
  readonly bytes: Uint8Array;
  readonly tag: string;
}

export interface Store {
  /** The target as the user gave it, for messages. */
  readonly place: string;
  /** Milliseconds since 1970, by the clock of the store. */
  readonly now: () => number;
  readonly read: (path: string) => Promise<StoredObject | undefined>;
  /**
   * @param over tag of the object that may be replaced, `''` where there must be none; by default any
   * @returns the new tag; `undefined` when another object is there
   */
  readonly write: (path: string, bytes: Uint8Array, over?: string) => Promise<string | undefined>;
  /** Removes an object; one that is not there is no error. */
  readonly remove: (path: string) => Promise<void>;
  /** `md5` is in hexadecimal, on some stores another text of the same form. */
  readonly list: () => AsyncIterable<{ path: string; size: number; md5: string }>;
}

/**
 * Writes over the object with a tag. The answer to a write can be lost, and the repeated one is then refused: an object with
 * these bytes is ours.
 */
export async function replace(
  store: Store,
  path: string,
  bytes: Uint8Array,
  over: string,
): Promise<string | undefined> {
  const tag = await store.write(path, bytes, over);
  if (tag !== undefined) return tag;
  const found = await store.read(path);
  return found !== undefined && Buffer.from(bytes).equals(found.bytes) ? found.tag : undefined;
}

/** How many requests are under way at once. */
export const REQUESTS_AT_ONCE = 32;
