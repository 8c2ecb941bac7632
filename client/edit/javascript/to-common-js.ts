/**
 * An ES module as a CommonJS one: `import` becomes `require()`, exports go to the end. What needs a module, such as `await` at the
 * top, has no such form. Pure.
 */
import type { SyntaxNode } from '../../../scan/parse/parse-javascript.ts';
import {
  boundNames,
  fieldOf,
  identifierOf,
  listOf,
  readTree,
  type Tree,
} from '../../wire/javascript/tree.ts';
import { applyCuts, type NoJavaScript } from './strip-types.ts';

const META: Readonly<Record<string, string>> = {
  dirname: '__dirname',
  filename: '__filename',
  url: "require('node:url').pathToFileURL(__filename).href",
};

/** @param path of the JavaScript file */
export function toCommonJs(path: string, text: string): string | NoJavaScript {
  const tree = readTree(path, text);
  if (tree === undefined) return { why: 'its syntax cannot be read' };
  const problem = problemIn(tree);
  return problem === undefined
    ? new Converter(tree).convert()
    : { why: `${problem} needs an ES module` };
}

function problemIn({ nodes, parents }: Tree): string | undefined {
  for (const node of nodes) {
    const parent = parents.get(node);
    const meta = META[identifierOf(fieldOf(parent, 'property')) ?? ''];
    if (node.type === 'MetaProperty' && identifierOf(fieldOf(node, 'meta')) === 'import') {
      if (meta === undefined) return '"import.meta"';
    }
    const isAwait =
      node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node['await'] === true);
    if (!isAwait) continue;
    let at = parent;
    while (at !== undefined && !/Function|^MethodDefinition$/.test(at.type)) at = parents.get(at);
    if (at === undefined) return 'an "await" at the top';
  }
  return undefined;
}

class Converter {
  readonly #tree: Tree;
  readonly #cuts: { start: number; end: number; text: string }[] = [];
  readonly #exports: string[] = [];
  readonly #spread: string[] = [];

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  convert(): string | NoJavaScript {
    const { program, nodes, parents, text } = this.#tree;
    for (const node of listOf(program, 'body')) {
      if (node.type === 'ImportDeclaration') this.#import(node);
      else if (node.type.startsWith('Export')) {
        const why = this.#export(node);
        if (why !== undefined) return { why };
      }
    }
    for (const node of nodes) {
      if (node.type !== 'MetaProperty' || identifierOf(fieldOf(node, 'meta')) !== 'import')
        continue;
      const { start, end } = parents.get(node)!;
      const name = identifierOf(fieldOf(parents.get(node), 'property'))!;
      this.#cuts.push({ start, end, text: META[name]! });
    }
    const body = applyCuts(text, this.#cuts);
    const members = [...this.#spread.map((one) => `...${one}`), ...this.#exports];
    if (members.length === 0) return body;
    const line = `module.exports = { ${members.join(', ')} };\n`;
    const long = `module.exports = {\n${members.map((one) => `  ${one},\n`).join('')}};\n`;
    return `${body}\n${line.length > 100 ? long : line}`;
  }

  #import(node: SyntaxNode): void {
    const module = this.#require(node);
    const lines: string[] = [];
    const named: string[] = [];
    for (const one of listOf(node, 'specifiers')) {
      const [local = ''] = boundNames(fieldOf(one, 'local'));
      const imported = nameOf(fieldOf(one, 'imported'));
      if (one.type === 'ImportNamespaceSpecifier') lines.push(`const ${local} = ${module};`);
      else if (one.type === 'ImportDefaultSpecifier' || imported === 'default') {
        lines.push(`const ${local} = ${this.#default(node)};`);
      } else named.push(imported === local ? local : `${imported}: ${local}`);
    }
    if (named.length > 0) lines.push(`const { ${named.join(', ')} } = ${module};`);
    if (lines.length === 0) lines.push(`${module};`);
    this.#cuts.push({ start: node.start, end: node.end, text: lines.join('\n') });
  }

  /** What a package exports by default is all of it, unless it was compiled from an ES module. */
  #default(node: SyntaxNode): string {
    const value = String(fieldOf(node, 'source')?.['value']);
    const module = this.#require(node);
    if (value.startsWith('.')) return `${module}.default`;
    if (value.startsWith('node:')) return module;
    return `((m) => (m.__esModule ? m.default : m))(${module})`;
  }

  #require(node: SyntaxNode): string {
    const { start, end } = fieldOf(node, 'source')!;
    return `require(${this.#tree.text.slice(start, end)})`;
  }

  /** @returns why it cannot be converted */
  #export(node: SyntaxNode): string | undefined {
    const declaration = fieldOf(node, 'declaration');
    if (node.type === 'ExportAllDeclaration') {
      const name = nameOf(fieldOf(node, 'exported'));
      if (name === undefined) this.#spread.push(this.#require(node));
      else this.#exports.push(`${name}: ${this.#require(node)}`);
      this.#cuts.push({ start: node.start, end: node.end, text: '' });
      return undefined;
    }
    if (node.type === 'ExportDefaultDeclaration' && declaration !== undefined) {
      const name = identifierOf(fieldOf(declaration, 'id'));
      const isNamed =
        /^(?:Function|Class)Declaration$/.test(declaration.type) && name !== undefined;
      const text = isNamed ? '' : 'const exportedDefault = ';
      this.#cuts.push({ start: node.start, end: declaration.start, text });
      this.#exports.push(`default: ${isNamed ? name : 'exportedDefault'}`);
      return undefined;
    }
    if (declaration === undefined) {
      const from = fieldOf(node, 'source') === undefined ? undefined : this.#require(node);
      for (const one of listOf(node, 'specifiers')) {
        const local = nameOf(fieldOf(one, 'local'))!;
        const exported = nameOf(fieldOf(one, 'exported'))!;
        if (from !== undefined) this.#exports.push(`${exported}: ${from}.${local}`);
        else this.#exports.push(local === exported ? local : `${exported}: ${local}`);
      }
      this.#cuts.push({ start: node.start, end: node.end, text: '' });
      return undefined;
    }
    if (declaration.type === 'VariableDeclaration' && declaration['kind'] !== 'const') {
      return 'an export that changes needs an ES module';
    }
    this.#cuts.push({ start: node.start, end: declaration.start, text: '' });
    this.#exports.push(...boundNames(declaration));
    return undefined;
  }
}

function nameOf(node: SyntaxNode | undefined): string | undefined {
  return identifierOf(node) ?? (typeof node?.['value'] === 'string' ? node['value'] : undefined);
}
