/** A Python file as wiring sees it. Pure. */
import type { SyntaxNode } from '@lezer/common';
import { wholePython } from '../../../scan/parse/parse-python.ts';
import type { WireAnchor } from '../../../format/wiring/wire-info.ts';
import type { Code, ListRange, Range } from '../code.ts';

export interface PythonTree {
  readonly path: string;
  readonly text: string;
  /** Every node, parents before children. */
  readonly nodes: readonly SyntaxNode[];
}

/** `undefined` for a text with a syntax error. */
export function readPython(
  path: string,
  text: string,
): (Code & { readonly tree: PythonTree }) | undefined {
  // The parser takes a byte order mark for an error; the offsets stay the same.
  const parsed = wholePython(text.replace(/^\uFEFF/, '\n'));
  if (parsed === undefined) return undefined;
  const nodes: SyntaxNode[] = [];
  parsed.iterate({ enter: ({ node }) => void nodes.push(node) });
  const tree = { path, text, nodes };
  const body = pythonChildren(parsed.topNode);
  const imports = body.filter(({ name }) => name === 'ImportStatement');
  return {
    path,
    text,
    tree,
    blocks: nodes
      .map((node) => pythonStatements(text, node))
      .filter((statements) => statements.length > 0),
    imports: imports.map((node) => rangeOf(text, node)),
    top: topOf(text, body),
    names: new Set(body.flatMap((node) => pythonNames(text, node))),
    strings: nodes.flatMap((node) =>
      node.name === 'String' ? (pythonString(text, node) ?? []) : [],
    ),
    lists: (anchor) => listsOf(tree, anchor),
  };
}

/** Without the line ends that the parser counts to blocks. */
export function rangeOf(text: string, { from, to }: SyntaxNode): Range {
  return { start: from, end: from + text.slice(from, to).trimEnd().length };
}

export function textOf(text: string, node: SyntaxNode | undefined): string {
  return node === undefined ? '' : text.slice(node.from, node.to);
}

export function pythonChildren(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}

/** The statements of a module or of an indented block. */
export function pythonStatements(text: string, node: SyntaxNode): Range[] {
  if (node.name !== 'Script' && node.name !== 'Body') return [];
  return pythonChildren(node)
    .filter(({ name }) => name !== ':' && name !== 'Comment')
    .map((child) => rangeOf(text, child));
}

/** Where a last comma means nothing. */
const LISTS =
  /^(?:ArgList|ParamList|ArrayExpression|DictionaryExpression|SetExpression|ImportStatement)$/;

/** The parts of code that formatters leave; `undefined` for a text with a syntax error. */
export function pythonParts(text: string): string[] | undefined {
  const tree = wholePython(`${text}\n`);
  if (tree === undefined) return undefined;
  const parts: string[] = [];
  tree.iterate({
    enter: ({ name, node }) => {
      // The text between the values of an f-string is no node of its own.
      if (node.firstChild !== null && name !== 'FormatString') {
        parts.push(`<${name}`);
        return true;
      }
      const { parent, nextSibling } = node;
      const isLast = name === ',' && /^[)\]}]$/.test(nextSibling?.name ?? '');
      if (isLast && LISTS.test(parent?.name ?? '')) return false;
      const raw = textOf(text, node).trim();
      const plain = name === 'String' ? pythonString(text, node) : undefined;
      parts.push(plain === undefined ? raw : JSON.stringify(plain));
      return false;
    },
    leave: ({ name }) => void parts.push(`${name}>`),
  });
  return parts;
}

/** The content of a plain string. */
function pythonString(text: string, node: SyntaxNode): string | undefined {
  return /^("""|'''|"|')([^\\]*)\1$/s.exec(textOf(text, node))?.[2];
}

/** Names that a statement of the top level binds. */
function pythonNames(text: string, node: SyntaxNode): string[] {
  if (node.name === 'ImportStatement') {
    const list = textOf(text, node).replace(/[\s\S]*?\bimport\b/, '');
    return list.split(',').flatMap((part) => {
      const words = part
        .replaceAll(/[()#\\]/g, ' ')
        .trim()
        .split(/\s+/);
      return words.at(-1)?.split('.')[0] ?? [];
    });
  }
  const [first, second] = pythonChildren(node);
  if (node.name === 'AssignStatement') {
    return first?.name === 'VariableName' ? [textOf(text, first)] : [];
  }
  if (node.name === 'DecoratedStatement') {
    return pythonChildren(node).flatMap((child) => pythonNames(text, child));
  }
  if (node.name !== 'FunctionDefinition' && node.name !== 'ClassDefinition') return [];
  const name =
    second?.name === 'VariableName'
      ? second
      : pythonChildren(node).find((c) => c.name === 'VariableName');
  return name === undefined ? [] : [textOf(text, name)];
}

/** After the comments and the documentation at the beginning. */
function topOf(text: string, body: readonly SyntaxNode[]): number {
  const [first] = body.filter(({ name }) => name !== 'Comment');
  const isDocumentation =
    first?.name === 'ExpressionStatement' && first.firstChild?.name === 'String';
  const shell = /^\uFEFF?(?:#.*(?:\r?\n|$))*/.exec(text)?.[0].length ?? 0;
  if (!isDocumentation) return shell;
  const end = text.indexOf('\n', first.to);
  return end < 0 ? text.length : end + 1;
}

/** `NAME = [...]`, at the top level or in a function. */
function listsOf({ text, nodes }: PythonTree, { kind, name }: WireAnchor): ListRange[] {
  if (kind !== 'list') return [];
  return nodes.flatMap((node) => {
    if (node.name !== 'AssignStatement') return [];
    const children = pythonChildren(node);
    const [target] = children;
    const value = children.at(-1);
    if (target?.name !== 'VariableName' || textOf(text, target) !== name) return [];
    if (value?.name !== 'ArrayExpression' || text[value.to - 1] !== ']') return [];
    const elements = pythonChildren(value).filter(
      (child) => !['[', ']', ',', 'Comment'].includes(child.name),
    );
    return [
      {
        start: value.from + 1,
        end: value.to - 1,
        elements: elements.map((element) => rangeOf(text, element)),
      },
    ];
  });
}
