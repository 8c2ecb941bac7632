/** Whether an answer is a page for people, such as that of a login, and not a file of an index. */
export function isHtml(bytes: Uint8Array): boolean {
  return /^\s*<(?:!doctype|html|head|body)/i.test(Buffer.from(bytes.subarray(0, 200)).toString());
}
