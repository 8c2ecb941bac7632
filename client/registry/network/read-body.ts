/** Reads the body of an answer that may be endless or very slow. */

export class TooLarge extends Error {}

/** The minimum speed of a transfer. */
interface Pace {
  /** When the request was sent, in milliseconds since 1970. */
  readonly start: number;
  readonly graceMs: number;
  readonly minBytesPerSecond: number;
}

/**
 * @param length the `Content-Length`, if there is one
 * @throws {TooLarge} at the first byte beyond the limit, or immediately when `length` is too large
 * @throws {Error} when the transfer is slower than `pace`, which an idle timer would not notice
 */
export async function readBody(
  body: AsyncIterable<Buffer>,
  length: string | string[] | undefined,
  maxBytes: number,
  pace: Pace,
  onBytes?: (count: number) => void,
): Promise<Uint8Array> {
  if (typeof length === 'string' && Number(length) > maxBytes) throw new TooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new TooLarge();
    const allowedMs = pace.graceMs + (size / pace.minBytesPerSecond) * 1000;
    if (Date.now() - pace.start > allowedMs) {
      throw new Error(`the transfer is too slow: ${size} bytes in ${Math.round(allowedMs)} ms`);
    }
    chunks.push(chunk);
    onBytes?.(chunk.length);
  }
  return Buffer.concat(chunks);
}
