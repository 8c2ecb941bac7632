/** Remembers what was computed for an object. */

/** `compute`, called once per key; later calls return the first result. */
export function once<Key extends object, Result>(
  compute: (key: Key) => Result,
): (key: Key) => Result {
  const known = new WeakMap<Key, { readonly result: Result }>();
  return (key) => {
    let entry = known.get(key);
    if (entry === undefined) known.set(key, (entry = { result: compute(key) }));
    return entry.result;
  };
}
