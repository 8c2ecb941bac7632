/** Whether a file of the project has the content of a build's file with other line ends, in any format. Pure. */

/**
 * Whether both are the same text apart from line ends, which a checkout may have changed. Such a file is
 * adopted: it counts as placed by the build and stays as it is.
 */
export function isSameContent(ours: Uint8Array, theirs: Uint8Array): boolean {
  const [a, b] = [ours, theirs].map((bytes) => Buffer.from(bytes));
  if (a === undefined || b === undefined || a.includes(0) || b.includes(0)) return false;
  // Bytes, not text: invalid UTF-8 must not become equal by replacement characters.
  return withoutReturns(a).equals(withoutReturns(b));
}

function withoutReturns(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}
