/** Numbers and strings of code as formatters write them. Pure. */

/** A number as formatters write it: lower case, no zeros at the end of a fraction. `1_000` and `1000` differ. */
export function canonicalNumber(raw: string): string {
  const text = raw.toLowerCase();
  if (!/^-?[\d._]+(?:e[+-]?[\d_]+)?$/.test(text)) return text;
  const [digits = '', exponent] = text.replace('e+', 'e').split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  const rest = fraction.replace(/0+$/, '');
  return `${whole === '' ? '0' : whole}${rest === '' ? '' : `.${rest}`}${exponent === undefined ? '' : `e${exponent}`}`;
}

/**
 * What is between the quotes of a string, with quotes unescaped.
 * @param raw with its quotes
 */
export function canonicalString(raw: string): string {
  return raw
    .slice(1, -1)
    .replaceAll(/\\(["'])|\\[^]/g, (escape, quote?: string) => quote ?? escape);
}
