/** A bounded number of things done side by side. */

/**
 * Calls `act` for each item, at most `limit` at a time. After the first failure no other one begins.
 * @throws the first failure, after those under way have ended
 */
export async function atOnce<Item>(
  items: Iterable<Item>,
  limit: number,
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const failures: unknown[] = [];
  const work = async (): Promise<void> => {
    while (failures.length === 0) {
      const next = waiting.next();
      if (next.done === true) return;
      await act(next.value).catch((error: unknown) => void failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: limit }, work));
  if (failures.length > 0) throw failures[0];
}
