/** Writes a block as the project writes its code: names of modules, quotes, semicolons, indentation. Pure. */
import type { SyntaxNode } from '../../scan/parse/parse-javascript.ts';
import type { WireBlock } from '../../format/wiring/wiring.ts';
import { applyEdits, type TextEdit } from '../edit/text-edit.ts';
import { findSpecifiers } from '../plan/place/javascript-specifiers.ts';
import type { CodeStyle } from './code-style.ts';
import { fieldOf, readTree, statementsOf } from './javascript/tree.ts';
import { codeLanguageOf, isSameCode } from './open-code.ts';
import { readPython } from './python/code.ts';

/** Names by which blocks call the application. */
const APPLICATION = 'app';

/** Rewrites imports of a block for the file that it goes into. */
export type RewriteImports = (input: {
  /** The file that the block was written for. */
  readonly shipped: string;
  readonly placed: string;
  readonly text: string;
}) => string;

interface RenderInput {
  readonly block: WireBlock;
  /** The file that relative imports of the block are written for. */
  readonly shipped: string;
  /** The file that it goes into. */
  readonly path: string;
  readonly style: CodeStyle;
  /** The name of the application in the project. */
  readonly application?: string | undefined;
  readonly rewrite: RewriteImports;
}

/** Whether a block is an expression and not statements. */
function isExpression({ verb }: Pick<WireBlock, 'verb'>): boolean {
  return verb === 'append';
}

/** The block as lines without indentation; `undefined` where its own syntax is not that of its language. */
export function renderBlock(input: RenderInput): string[] | undefined {
  const { block, path, style, shipped, rewrite, application } = input;
  const language = codeLanguageOf(path);
  let text = block.text.replace(/\s+$/, '');
  if (isExpression(block)) text = text.replace(/,$/, '').trimEnd();
  if (language === 'text') return text.split('\n');
  const wrapped = isExpression(block) ? `(${text})` : text;
  const named =
    application === undefined || block.verb === 'import'
      ? wrapped
      : rename(path, wrapped, nameIn(block), application);
  if (named === undefined) return undefined;
  const placed = withEndings(path, rewrite({ shipped, placed: path, text: named }), style);
  const styled =
    language === 'javascript'
      ? styleJavaScript(path, placed, style, isExpression(block))
      : stylePython(placed, style);
  const kept = isSameCode(path, styled, placed) ? styled : placed;
  const bare = isExpression(block) ? kept.slice(1, -1) : kept;
  return reindent(bare, style, language === 'python' ? '    ' : '  ').split('\n');
}

/** `routers:NAME` states how a block of Python names the application. */
function nameIn({ anchor }: WireBlock): string {
  return anchor?.kind === 'routers' ? (anchor.name ?? APPLICATION) : APPLICATION;
}

function rename(path: string, text: string, from: string, to: string): string | undefined {
  if (codeLanguageOf(path) === 'python') {
    const names = readPython(path, text)?.tree.nodes.filter(
      (node) => node.name === 'VariableName' && text.slice(node.from, node.to) === from,
    );
    // `f(app=x)` names a parameter.
    const uses = names?.filter(({ nextSibling: next }) => next?.name !== 'AssignOp');
    const edits = uses?.map((node) => ({ start: node.from, end: node.to, text: to }));
    return edits === undefined ? undefined : applyEdits(text, edits);
  }
  const tree = readTree(path, text);
  if (tree === undefined) return undefined;
  const edits = tree.nodes.flatMap((node): TextEdit[] => {
    if (node.type !== 'Identifier' || node['name'] !== from) return [];
    const parent = tree.parents.get(node);
    const isKey = fieldOf(parent, 'property') === node || fieldOf(parent, 'key') === node;
    if (isKey && parent?.['computed'] !== true) {
      const isShort = parent?.['shorthand'] === true;
      return isShort && fieldOf(parent, 'key') === node
        ? [{ ...node, text: `${from}: ${to}` }]
        : [];
    }
    return parent?.['shorthand'] === true ? [] : [{ start: node.start, end: node.end, text: to }];
  });
  return applyEdits(
    text,
    edits.map(({ start, end, text: now }) => ({ start, end, text: now })),
  );
}

/** Relative imports with the ending that the project gives them. */
function withEndings(path: string, text: string, { ending }: CodeStyle): string {
  if (ending === undefined || codeLanguageOf(path) !== 'javascript') return text;
  const found = findSpecifiers(path, text);
  const edits = (found?.specifiers ?? []).flatMap(({ value, start, end }): TextEdit[] => {
    const [, stem] = /^(\.{1,2}\/.*[^/])\.[jt]s$/.exec(value) ?? [];
    return stem === undefined ? [] : [{ start, end, text: stem + ending }];
  });
  return applyEdits(text, edits);
}

function styleJavaScript(path: string, text: string, style: CodeStyle, isValue: boolean): string {
  const tree = readTree(path, text);
  if (tree === undefined) return text;
  const edits: TextEdit[] = [];
  for (const node of tree.nodes) {
    const raw = text.slice(node.start, node.end);
    const isString = node.type === 'Literal' && typeof node['value'] === 'string';
    const isOfJsx = tree.parents.get(node)?.type === 'JSXAttribute';
    if (isString && !isOfJsx) edits.push(...requote(raw, node.start, style.quote));
    if (style.hasSemicolons !== false || isValue) continue;
    for (const statement of statementsOf(node)) edits.push(...withoutSemicolon(text, statement));
  }
  return applyEdits(text, edits);
}

function requote(raw: string, at: number, quote: CodeStyle['quote']): TextEdit[] {
  const inner = raw.slice(1, -1);
  if (quote === undefined || raw[0] === quote || /["'\\]/.test(inner)) return [];
  return [{ start: at, end: at + raw.length, text: quote + inner + quote }];
}

/** Without the semicolon of a statement, unless the next line would then go on with it. */
function withoutSemicolon(text: string, node: SyntaxNode): TextEdit[] {
  const isSimple = /^(?:Expression|VariableDecl|Import|Export|Return|Throw|TSTypeAlias)/.test(
    node.type,
  );
  // A comment ends the statement as well, so it is passed over.
  const [next = ''] = text.slice(node.end).replace(/^(?:\s|\/\/.*|\/\*[^]*?\*\/)+/, '');
  const isLast = /^[ \t]*(?:\r?\n|$)/.test(text.slice(node.end));
  if (!isSimple || text[node.end - 1] !== ';' || !isLast || /[([`+\-/*,.]/.test(next)) return [];
  return [{ start: node.end - 1, end: node.end, text: '' }];
}

/** Plain strings with the quotes of the project. */
function stylePython(text: string, { quote }: CodeStyle): string {
  if (quote === undefined || text.includes('#')) return text;
  return text.replaceAll(
    /(?<![\w"'\\])(["'])([^"'\\\n]*)\1(?!["'])/g,
    (_, _mark, inner: string) => {
      return quote + inner + quote;
    },
  );
}

/** Each level of `unit` becomes one of the project; lines inside of templates stay. */
function reindent(text: string, { indent }: CodeStyle, unit: string): string {
  if (indent === undefined || text.includes('`') || text.includes('"""')) return text;
  return text
    .split('\n')
    .map((line) => {
      const width = /^ */.exec(line)![0].length;
      const levels = Math.floor(width / unit.length);
      return indent.repeat(levels) + line.slice(levels * unit.length);
    })
    .join('\n');
}
