/** What an audit of a registry reads and finds. */

/** Reads a file of the index; `undefined` where there is none. Bytes come from a host that may be hostile. */
export type ReadIndexFile = (path: string) => Promise<Uint8Array | undefined>;

/** Something that is not as the log has it. */
export interface AuditProblem {
  /** The file of the index, or the build. */
  readonly where: string;
  readonly problem: string;
}

/** Calls `work` for all items, up to 16 at a time; results in their order. */
export async function forAll<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const at = next;
      next += 1;
      results[at] = await work(items[at]!);
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  return results;
}
