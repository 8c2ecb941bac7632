/** The names in a zip archive, read from its directory at the end; nothing is unpacked. */

const ENTRY_SIGNATURE = 0x02014b50;
export const MAX_ZIP_ENTRIES = 2000;

/** At most the first 2,000 entries; none where there is no directory. */
export function zipEntries(bytes: Uint8Array): { name: string; isEncrypted: boolean }[] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const from = Math.max(0, view.length - 65_557);
  const end = view.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end < from || end + 22 > view.length) return [];
  const entries: ReturnType<typeof zipEntries> = [];
  let at = view.readUInt32LE(end + 16);
  while (
    at + 46 <= view.length &&
    entries.length < MAX_ZIP_ENTRIES &&
    view.readUInt32LE(at) === ENTRY_SIGNATURE
  ) {
    const nameLength = view.readUInt16LE(at + 28);
    const name = view.toString('utf8', at + 46, at + 46 + nameLength);
    entries.push({ name, isEncrypted: (view.readUInt16LE(at + 8) & 1) === 1 });
    at += 46 + nameLength + view.readUInt16LE(at + 30) + view.readUInt16LE(at + 32);
  }
  return entries;
}
