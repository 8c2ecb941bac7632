/**
 * A sorted list of numbers in few bytes, by Golomb-Rice codes of the gaps between them. The numbers are those of builds, in
 * the order of their first publication, so a word that many builds have costs about a bit for each build of the registry.
 *
 *     varint(count * 32 + k), then for each gap: gap >> k ones, a zero, and the k low bits of the gap, the lowest first
 *
 * Bits fill bytes from the lowest bit on; the last byte is filled with zeros.
 */
import type { ByteReader } from './byte-reader.ts';
import { pushVarint } from './byte-reader.ts';

const MAX_K = 31;

/** Appends `numbers`, sorted and distinct, to `out`. */
export function pushNumbers(out: number[], numbers: readonly number[]): void {
  const gaps = gapsOf(numbers);
  const { k } = bestK(gaps);
  pushVarint(out, numbers.length * (MAX_K + 1) + k);
  let [byte, used] = [0, 0];
  const push = (bit: number): void => {
    byte |= bit << used;
    used += 1;
    if (used < 8) return;
    out.push(byte);
    [byte, used] = [0, 0];
  };
  for (const gap of gaps) {
    for (let ones = gap >> k; ones > 0; ones -= 1) push(1);
    push(0);
    for (let bit = 0; bit < k; bit += 1) push((gap >> bit) & 1);
  }
  if (used > 0) out.push(byte);
}

/**
 * The numbers of the list that follows. The inverse of `pushNumbers`.
 * @throws {RangeError} when the bytes end before the list does
 */
export function readNumbers(reader: ByteReader): number[] {
  const head = reader.varint();
  const [count, k] = [Math.floor(head / (MAX_K + 1)), head % (MAX_K + 1)];
  const numbers: number[] = [];
  let [byte, left] = [0, 0];
  const pull = (): number => {
    if (left === 0) [byte, left] = [reader.take(1)[0]!, 8];
    const bit = byte & 1;
    byte >>= 1;
    left -= 1;
    return bit;
  };
  for (let number = -1; numbers.length < count; numbers.push(number)) {
    let gap = 0;
    while (pull() === 1) gap += 1;
    gap <<= k;
    for (let bit = 0; bit < k; bit += 1) gap |= pull() << bit;
    number += gap + 1;
  }
  return numbers;
}

/** How many bytes `pushNumbers` appends, without the head. */
export function sizeOfNumbers(numbers: readonly number[]): number {
  return Math.ceil(bestK(gapsOf(numbers)).bits / 8);
}

function gapsOf(numbers: readonly number[]): number[] {
  return numbers.map((number, at) => number - (numbers[at - 1] ?? -1) - 1);
}

/** The k with the fewest bits; the lowest of several. */
function bestK(gaps: readonly number[]): { k: number; bits: number } {
  let best = { k: 0, bits: Infinity };
  for (let k = 0; k <= MAX_K; k += 1) {
    let bits = gaps.length * (k + 1);
    for (const gap of gaps) bits += gap >> k;
    if (bits >= best.bits) break;
    best = { k, bits };
  }
  return best;
}
