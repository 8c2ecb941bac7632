/**
 * The meaning of JSX text: a compiler removes line breaks with the white space around them, so that formatters may
 * wrap text, and keep a space at the end of a line as `{" "}`.
 */

interface JsxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** The children without wrapping: texts as they are rendered, and other nodes. */
export interface CanonicalChildren<Node> {
  readonly items: readonly (string | Node)[];
  /** The texts, and the spaces in braces, that became texts. */
  readonly spaces: readonly Node[];
}

/** @param text the source that the children are in */
export function canonicalChildren<Node extends JsxNode>(
  children: readonly Node[],
  text: string,
): CanonicalChildren<Node> {
  const items: (string | Node)[] = [];
  const spaces: Node[] = [];
  for (const child of children) {
    const part =
      child.type === 'JSXText' ? rendered(text.slice(child.start, child.end)) : spaceIn(child);
    if (part === undefined) {
      items.push(child);
      continue;
    }
    spaces.push(child);
    const last = items.at(-1);
    if (typeof last === 'string') items[items.length - 1] = last + part;
    else if (part !== '') items.push(part);
  }
  return { items, spaces };
}

/** The string of an attribute, with or without braces; `undefined` for other values. */
export function canonicalAttribute(value: JsxNode): string | undefined {
  const inner = value.type === 'JSXExpressionContainer' ? (value['expression'] as JsxNode) : value;
  if (inner.type !== 'StringLiteral') return undefined;
  // Braces with a comment are not the string alone.
  const isAlone = inner === value || value.end - value.start === inner.end - inner.start + 2;
  return isAlone ? String(inner['value']) : undefined;
}

/** Lines without the white space around their breaks, joined by a space. Entities stay as they are. */
function rendered(raw: string): string {
  const lines = raw.split('\n').map((line) => line.replaceAll('\t', ' '));
  const trimmed = lines.map((line, at) => {
    const start = at === 0 ? line : line.replace(/^ +/, '');
    return at === lines.length - 1 ? start : trimSpaces(start);
  });
  return trimmed.filter((line) => line !== '').join(' ');
}

function trimSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ') end -= 1;
  return line.slice(0, end);
}

/** The white space of `{" "}`. */
function spaceIn(node: JsxNode): string | undefined {
  if (node.type !== 'JSXExpressionContainer') return undefined;
  const inner = node['expression'] as JsxNode;
  const value = inner.type === 'StringLiteral' ? inner['value'] : undefined;
  const isAlone = node.end - node.start === inner.end - inner.start + 2;
  return isAlone && typeof value === 'string' && /^ +$/.test(value) ? value : undefined;
}
