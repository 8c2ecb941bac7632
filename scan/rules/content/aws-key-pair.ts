/** Keys of Amazon Web Services beside their secrets: the identifier alone protects nothing. */

const ID = /(?<![A-Z0-9])AKIA[A-Z2-7]{16}(?![A-Z0-9])/g;
const SECRET = /(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g;
/** Characters between the two. */
const MAX_GAP = 300;
const MAX_PAIRS = 10;

/** Where the secrets of the pairs in `text` are. Digests have no mixed case, words no digits: neither is a secret. */
export function awsKeyPairs(text: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (const { index, 0: id } of text.matchAll(ID)) {
    const from = Math.max(0, index - MAX_GAP);
    const near = text.slice(from, index + id.length + MAX_GAP);
    const secret = [...near.matchAll(SECRET)].find(
      ([value]) => /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value),
    );
    if (secret === undefined) continue;
    const start = from + secret.index;
    found.push({ start, end: start + secret[0].length });
    if (found.length >= MAX_PAIRS) break;
  }
  return found;
}
