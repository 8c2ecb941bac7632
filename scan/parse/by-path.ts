/** Remembers what was computed from a path, or another text that repeats: most versions of most builds have the same few paths. */

/** Paths come from publishers: more than these are forgotten, all at once. */
const MAX_PATHS = 2_000;

/** `compute`, called once for each of the last paths; the result must not be changed. */
export function byPath<Result>(compute: (path: string) => Result): (path: string) => Result {
  const known = new Map<string, { readonly result: Result }>();
  return (path) => {
    let entry = known.get(path);
    if (entry === undefined) {
      if (known.size >= MAX_PATHS) known.clear();
      known.set(path, (entry = { result: compute(path) }));
    }
    return entry.result;
  };
}
