/** SPDX license identifiers and expressions (SPDX specification, annex D). */
import parseExpression from 'spdx-expression-parse';

export const MAX_LICENSE_LENGTH = 256;

/** Whether `text` is an SPDX identifier or expression, such as `MIT` or `(MIT OR Apache-2.0)`. */
export function isSpdxExpression(text: string): boolean {
  if (text.length > MAX_LICENSE_LENGTH || text !== text.trim()) return false;
  try {
    parseExpression(text);
    return true;
  } catch {
    return false;
  }
}
