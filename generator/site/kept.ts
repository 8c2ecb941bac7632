/** What is kept between runs because it takes long to make. It is a cache: it may be empty at any time. */

export interface Kept {
  readonly get: (key: string) => Buffer | string | undefined;
  readonly set: (key: string, value: Uint8Array | string) => void;
}

/** Keeps in the memory of this process. */
export function keptInMemory(): Kept {
  const values = new Map<string, Uint8Array | string>();
  return {
    get: (key) => {
      const value = values.get(key);
      return value === undefined || typeof value === 'string' ? value : Buffer.from(value);
    },
    set: (key, value) => void values.set(key, value),
  };
}
