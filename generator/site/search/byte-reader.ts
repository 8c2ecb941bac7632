/** Integers from 0 in bytes: seven bits in each byte, the lowest first, the eighth bit when more follow. */

/** Reads bytes from the start on. */
export class ByteReader {
  readonly bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  /** @throws {RangeError} when the bytes end before the number does */
  varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.bytes[this.at];
      if (byte === undefined) throw new RangeError('The bytes end inside a number');
      this.at += 1;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  /** The next `length` bytes, not copied. */
  take(length: number): Uint8Array {
    const part = this.bytes.subarray(this.at, this.at + length);
    if (part.length < length) throw new RangeError('The bytes end inside a part');
    this.at += length;
    return part;
  }
}

/** Appends `value`, an integer from 0, to `out`. */
export function pushVarint(out: number[], value: number): void {
  let rest = value;
  while (rest >= 128) {
    out.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  out.push(rest);
}
