/**
 * The canonical form of Markdown: its syntax tree, with the tables, lists and links of GitHub's dialect. Marks that
 * mean the same, such as `*` and `_`, have one form; a code block has that of its language.
 */
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { canonicalCss } from './css.ts';
import { canonicalJavaScript } from './javascript.ts';
import { canonicalJson } from './json.ts';
import { lowerCase } from '../../format/unicode.ts';

/** The parser is slower than those of the other languages, and nobody writes longer pages. */
const MAX_CHARACTERS = 100_000;
/** The parser needs quadratic time for these: emphasis in one paragraph, and lists and quotes inside each other. */
const MAX_MARKS = 500;
const MAX_DEPTH = 50;

/** Properties of a node in the tree; the position is none of its meaning. */
interface TreeNode {
  readonly type: string;
  readonly children?: readonly TreeNode[];
  readonly position?: unknown;
  readonly value?: unknown;
  readonly lang?: unknown;
}

/** `undefined` for a text that takes too long to read. @throws {RangeError} nested too deeply */
export function canonicalMarkdown(text: string): readonly string[] | undefined {
  if (text.length > MAX_CHARACTERS || isCostly(text)) return undefined;
  const options = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };
  const parts: string[] = [];
  add(fromMarkdown(text, options), parts);
  return parts;
}

function isCostly(text: string): boolean {
  const blocks = text.split(/\n[ \t]*\n/);
  if (blocks.some((block) => (block.match(/[*_~]/g)?.length ?? 0) > MAX_MARKS)) return true;
  return text.split('\n').some((line) => {
    const [prefix = ''] = /^(?:[\s>*+-]|\d{1,9}[.)])*/.exec(line) ?? [];
    return (
      (prefix.match(/[>*+-]|\d[.)]/g)?.length ?? 0) > MAX_DEPTH && !/^\s*(?:[*-]\s*)+$/.test(line)
    );
  });
}

function add(node: TreeNode, parts: string[]): void {
  const { type, children = [], position: _, ...rest } = node;
  if (type === 'code') {
    parts.push(type, JSON.stringify({ ...rest, value: undefined }), codeForm(node));
    return;
  }
  const { value, ...properties } = rest;
  parts.push(type, JSON.stringify(Object.entries(properties).sort(byName)));
  if (typeof value === 'string') parts.push(type === 'text' ? lines(value) : value);
  for (const child of joined(children)) add(child, parts);
  parts.push(`/${type}`);
}

/** Formatters write the code of languages that they know in their own way. */
function codeForm({ value, lang }: TreeNode): string {
  const code = String(value);
  const ending = typeof lang === 'string' ? lowerCase(lang) : '';
  // One part: its tokens shall not look like the parts of a tree.
  return JSON.stringify(languageForm(code, ending) ?? code);
}

function languageForm(code: string, lang: string): readonly string[] | undefined {
  if (/^[cm]?[jt]sx?$/.test(lang)) return canonicalJavaScript(code, `code.${lang}`);
  if (lang === 'javascript' || lang === 'typescript') {
    return canonicalJavaScript(code, lang === 'typescript' ? 'code.ts' : 'code.js');
  }
  if (/^json[c5]?$/.test(lang)) return canonicalJson(code);
  return lang === 'css' ? canonicalCss(code) : undefined;
}

/** White space at line ends and starts has no meaning: a hard break is a node of its own. */
function lines(text: string): string {
  return text.replaceAll(/[ \t]*\n[ \t]*/g, '\n');
}

/** Texts beside each other are one: an escape may have separated them. */
function joined(children: readonly TreeNode[]): TreeNode[] {
  const nodes: TreeNode[] = [];
  for (const child of children) {
    const last = nodes.at(-1);
    if (child.type === 'text' && last?.type === 'text') {
      nodes[nodes.length - 1] = {
        ...last,
        value: `${last.value as string}${child.value as string}`,
      };
    } else nodes.push(child);
  }
  return nodes;
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}
