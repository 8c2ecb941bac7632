/**
 * TypeScript as JavaScript: types are cut out, everything else keeps its bytes, lines their order. The text is made by a parser of
 * one version, so that it is the same on every machine: those of Node.js differ between its versions. Pure.
 */
import type { SyntaxNode } from '../../../scan/parse/parse-javascript.ts';
import { boundNames, fieldOf, identifierOf, listOf, readTree } from '../../wire/javascript/tree.ts';

/** Why a text cannot be JavaScript, as a clause. */
export interface NoJavaScript {
  readonly why: string;
}

interface Cut {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const TYPES =
  /^TS(?:TypeAnnotation|TypeParameterInstantiation|TypeParameterDeclaration|InterfaceDeclaration|TypeAliasDeclaration|DeclareFunction|IndexSignature|Abstract\w+)$/;
const MODIFIERS = /\b(?:public|private|protected|readonly|override|abstract|declare)\s+/g;
const NEEDS_CODE: Readonly<Record<string, string>> = {
  TSEnumDeclaration: 'an enum',
  TSParameterProperty: 'a parameter that declares a property',
  TSModuleDeclaration: 'a namespace',
  TSExportAssignment: '"export ="',
  TSImportEqualsDeclaration: '"import ="',
  Decorator: 'a decorator',
  JSXElement: 'JSX',
  JSXFragment: 'JSX',
};

/** @param path of the TypeScript file */
export function stripTypes(path: string, text: string): string | NoJavaScript {
  const tree = readTree(path, text);
  if (tree === undefined) return { why: 'its syntax cannot be read' };
  const run = new Stripper(text);
  run.walk(tree.program);
  if (run.problem !== undefined) return { why: `it has ${run.problem}, which is more than a type` };
  for (const node of listOf(tree.program, 'body')) run.cutUnused(node);
  return applyCuts(text, run.cuts);
}

class Stripper {
  readonly cuts: Cut[] = [];
  problem: string | undefined;
  readonly #text: string;
  /** Names that values have outside of imports. */
  readonly #used = new Set<string>();

  constructor(text: string) {
    this.#text = text;
  }

  walk(node: SyntaxNode): void {
    if (this.#isType(node)) {
      this.#cutNode(node);
      return;
    }
    if (node.type === 'ImportDeclaration') return;
    this.problem ??= NEEDS_CODE[node.type];
    // A type of an expression is cut out with it.
    const isWrapper = /^TS(?:As|Satisfies|NonNull|Instantiation)Expression$|^TSTypeAssertion$/.test(
      node.type,
    );
    if (node.type.startsWith('TS') && !isWrapper) return;
    const name = identifierOf(node);
    if (name !== undefined) {
      this.#used.add(name);
      // The annotation, and the mark of an optional parameter.
      if (fieldOf(node, 'typeAnnotation') !== undefined || node['optional'] === true)
        this.#cut(node.start + name.length, node.end);
      return;
    }
    this.#cutParts(node);
    for (const key of Object.keys(node)) {
      if (key === 'implements' || (isWrapper && key === 'typeAnnotation')) continue;
      const child = fieldOf(node, key);
      for (const one of child === undefined ? listOf(node, key) : [child]) this.walk(one);
    }
  }

  /** Imports and exports of what is no value. */
  cutUnused(node: SyntaxNode): void {
    if (node.type === 'ExportNamedDeclaration') {
      const specifiers = listOf(node, 'specifiers');
      const values = specifiers.filter((one) => one['exportKind'] !== 'type');
      if (values.length < specifiers.length) this.#cutSpecifiers(node, specifiers, values);
    }
    if (node.type !== 'ImportDeclaration') return;
    const specifiers = listOf(node, 'specifiers');
    if (specifiers.length === 0) return;
    const isOfTypes = node['importKind'] === 'type';
    const values = specifiers.filter((one) => {
      const [local = ''] = boundNames(fieldOf(one, 'local'));
      return !isOfTypes && one['importKind'] !== 'type' && this.#used.has(local);
    });
    if (values.length === 0) this.#cutStatement(node, false);
    else if (values.length < specifiers.length) this.#cutSpecifiers(node, specifiers, values);
  }

  #isType(node: SyntaxNode): boolean {
    if (TYPES.test(node.type)) return true;
    const isDeclared =
      node['declare'] === true || node['global'] === true || node['kind'] === 'global';
    const isAbstract = node['abstract'] === true && node.type.endsWith('Definition');
    if (isAbstract) return true;
    if (isDeclared && /Declaration$|^PropertyDefinition$/.test(node.type)) return true;
    // A method without a body is one of several signatures.
    if (fieldOf(node, 'value')?.type === 'TSEmptyBodyFunctionExpression') return true;
    if (!node.type.startsWith('Export')) return false;
    const declaration = fieldOf(node, 'declaration');
    return (
      node['exportKind'] === 'type' || (declaration !== undefined && this.#isType(declaration))
    );
  }

  #cutNode(node: SyntaxNode): void {
    const declaration = fieldOf(node, 'declaration') ?? node;
    const isInline = /^TS(?:TypeAnnotation|TypeParameter)/.test(node.type);
    if (isInline) this.#cut(node.start, node.end);
    else this.#cutStatement(node, /^TS(?:Interface|TypeAlias|Module)/.test(declaration.type));
  }

  #cutParts(node: SyntaxNode): void {
    const inner = fieldOf(node, 'expression');
    const key = fieldOf(node, 'key');
    if (/^TS(?:As|Satisfies)Expression$/.test(node.type) && inner !== undefined) {
      const [, closing = ''] = /^((?:\s*\))*)/.exec(this.#text.slice(inner.end, node.end)) ?? [];
      this.#cut(inner.end + closing.length, node.end);
    } else if (node.type === 'TSNonNullExpression') {
      this.#cut(node.end - 1, node.end);
    } else if (node.type === 'TSTypeAssertion' && inner !== undefined) {
      this.#cut(node.start, inner.start);
    } else if (/^(?:Property|Method)Definition$|^AccessorProperty$/.test(node.type) && key) {
      this.#cutModifiers(node.start, key.start);
      const type = fieldOf(node, 'typeAnnotation');
      const mark = /^\]?\s*[?!]/.exec(this.#text.slice(key.end, node.end))?.[0];
      const isMarked = node['optional'] === true || node['definite'] === true;
      if (mark !== undefined && isMarked)
        this.#cut(key.end + mark.length - 1, key.end + mark.length);
      if (type !== undefined) this.#cut(type.start, type.end);
    } else if (/^Class(?:Declaration|Expression)$/.test(node.type)) {
      this.#cutModifiers(node.start, (fieldOf(node, 'id') ?? fieldOf(node, 'body')!).start);
      const list = listOf(node, 'implements');
      const [first, last] = [list[0], list.at(-1)];
      if (first !== undefined && last !== undefined) {
        this.#cut(this.#text.lastIndexOf('implements', first.start), last.end);
      }
    } else if (node.type === 'ObjectPattern' || node.type === 'ArrayPattern') {
      const mark = this.#text.lastIndexOf('?', fieldOf(node, 'typeAnnotation')?.start ?? node.end);
      if (node['optional'] === true) this.#cut(mark, mark + 1);
    }
    const [first, second] = listOf(node, 'params');
    if (identifierOf(first) === 'this') {
      this.#cut(first!.start, second?.start ?? first!.end);
    }
  }

  #cutModifiers(start: number, end: number): void {
    for (const found of this.#text.slice(start, end).matchAll(MODIFIERS)) {
      this.#cut(start + found.index, start + found.index + found[0].length);
    }
  }

  /** @param isDescribed whether a comment directly above it describes the type alone */
  #cutStatement(node: SyntaxNode, isDescribed: boolean): void {
    const before = this.#text.slice(0, node.start);
    const comment = /(?:\/\*\*(?:(?!\*\/)[^])*\*\/|(?:[ \t]*\/\/[^\n]*\n)+)[ \t]*\n?[ \t]*$/.exec(
      before,
    );
    const isAttached =
      isDescribed &&
      comment !== null &&
      /^[ \t]*(?:\n|$)/.test(
        before.slice(before.lastIndexOf('\n', comment.index - 1) + 1, comment.index) || '\n',
      );
    const trail = /^[ \t]*;/.exec(this.#text.slice(node.end))?.[0] ?? '';
    this.#cut(isAttached ? comment.index : node.start, node.end + trail.length);
  }

  #cutSpecifiers(
    node: SyntaxNode,
    all: readonly SyntaxNode[],
    values: readonly SyntaxNode[],
  ): void {
    const textOf = ({ start, end }: SyntaxNode): string => this.#text.slice(start, end);
    const named = values
      .filter(({ type }) => /^(?:Import|Export)Specifier$/.test(type))
      .map(textOf);
    const others = values
      .filter(({ type }) => !/^(?:Import|Export)Specifier$/.test(type))
      .map(textOf);
    const isExport = node.type.startsWith('Export');
    const list = named.length > 0 || isExport ? [...others, `{ ${named.join(', ')} }`] : others;
    const open = this.#text.lastIndexOf(
      '{',
      all.find(({ type }) => /^(?:Import|Export)Specifier$/.test(type))?.start,
    );
    const close = this.#text.indexOf('}', all.at(-1)!.end) + 1;
    const start = all[0]!.type === 'ImportDefaultSpecifier' ? all[0]!.start : open;
    this.#cut(start, close > 0 ? close : all.at(-1)!.end, list.join(', ').replace('{  }', '{}'));
  }

  #cut(start: number, end: number, text = ''): void {
    this.cuts.push({ start, end, text });
  }
}

/** Cuts without blanks at the ends of lines, empty lines and several blank lines that were not there. */
export function applyCuts(text: string, cuts: readonly Cut[]): string {
  let result = '';
  let at = 0;
  for (const cut of [...cuts].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (cut.start < at) continue;
    result += text.slice(at, cut.start) + cut.text;
    at = cut.end;
    if (cut.text !== '') continue;
    const rest = /^[ \t]*(?=\n|$)/.exec(text.slice(at));
    if (rest === null) {
      if (/[ \t]$/.test(result) && /^[ \t]/.test(text.slice(at))) at += 1;
      continue;
    }
    at += rest[0].length;
    result = result.replace(/[ \t]+$/, '');
    if (!result.endsWith('\n') && result !== '') continue;
    at += 1;
    if (result.endsWith('\n\n') || result === '') {
      while (text[at] === '\n') at += 1;
    }
  }
  result += text.slice(at);
  return `${result.replace(/\n+$/, '')}\n`;
}
