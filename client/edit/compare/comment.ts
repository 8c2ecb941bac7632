/** A comment in the form in which formatters leave it. */
/** Comments for tools, which apply to a line: whether one follows code on its line has a meaning. */
const FOR_TOOLS =
  /@ts-|@type\b|\btype:|\bfmt:|\b(?:eslint|ignore|disable|enable|noqa|nosec|pragma)\b/;

/**
 * @param raw the comment with its marks
 * @param text that has the comment at the offset `start`
 */
export function canonicalComment(raw: string, text: string, start: number): string {
  const lines = raw.split('\n').map((line) => line.trimEnd());
  // Formatters move the lines of a comment only where each begins with a star.
  const isStarred = lines.slice(1).every((line) => line.trimStart().startsWith('*'));
  const body = isStarred ? lines.map((line) => line.trimStart()) : lines;
  if (!FOR_TOOLS.test(raw)) return `comment ${body.join('\n')}`;
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  return `${line.trim() === '' ? 'above' : 'behind'} ${body.join('\n')}`;
}
