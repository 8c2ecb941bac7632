/** Changes of a file that leave what it does as it is. `undefined` where a change cannot be made without more. */
import { parsePython } from '../scan/parse/parse-python.ts';
import { wholeJavaScript, type SyntaxNode } from '../scan/parse/parse-javascript.ts';
import { languageOf, readSyntax } from '../scan/parse/syntax.ts';
import type { BuildFile } from '../scan/scanned-file.ts';

interface Code {
  readonly path: string;
  readonly text: string;
  readonly isPython: boolean;
  readonly isImported: boolean;
}

type Change = (code: Code) => string | Uint8Array | undefined;

const PADDING = 110_000;

/** By name; each changes every file of code of a build. */
export const NEUTRAL_CHANGES: Readonly<Record<string, Change>> = {
  'a byte that is not UTF-8 in a comment': (code) =>
    code.isPython
      ? bytesOf('# coding: latin-1\n# ', 0xff, `\n${withoutShebang(code)}`)
      : bytesOf(`${shebang(code)}// `, 0xff, `\n${withoutShebang(code)}`),
  'such a byte at the end': (code) =>
    code.isPython ? undefined : bytesOf(`${code.text}\n/* `, 0xfe, ' */\n'),
  'a NUL in a comment': (code) =>
    code.isPython ? undefined : bytesOf(`${shebang(code)}// `, 0, `\n${withoutShebang(code)}`),
  'a byte order mark': ({ text }) => bytesOf('', 0xef, 0xbb, 0xbf, text),
  'UTF-16': ({ text, isPython }) =>
    isPython ? undefined : Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'UTF-7': (code) =>
    code.isPython && isAscii(code.text)
      ? `# coding: utf-7\n${withoutShebang(code).replaceAll(/[+~\\]|\b[a-z]{4}\b/g, utf7)}`
      : undefined,
  unicode_escape: (code) =>
    code.isPython && isAscii(code.text)
      ? `# coding: unicode_escape\n#\\x0a${withoutShebang(code).replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n`
      : undefined,
  'a coding line': (code) =>
    code.isPython && isAscii(code.text)
      ? `# vim: set fileencoding=cp1252 :\n${withoutShebang(code)}`
      : undefined,
  comments: (code) => `${commentOf(code, 'neutral')}${code.text}${commentOf(code, 'neutral')}`,
  'blanks at the ends of lines': (code) =>
    holdsLongText(code) ? undefined : code.text.replaceAll('\n', `${' '.repeat(8)}\n`),
  'empty lines': (code) => `${shebang(code)}${'\n'.repeat(300)}${withoutShebang(code)}`,
  'comments of 110,000 characters': (code) => padded(code, PADDING),
  'code of 110,000 characters': ({ text, isPython }) =>
    `${text}\n${(isPython ? 'pad = 1\n' : 'void 0;\n').repeat(PADDING / 8)}`,
  'a deep expression': ({ text, isPython }) => {
    const depth = isPython ? 150 : 200;
    return `${text}\n${isPython ? '_deep = ' : ';void '}${'['.repeat(depth)}${']'.repeat(depth)}\n`;
  },
  'a long expression': (code) => withSum(code, code.isPython ? 150 : 1_500),
  'a wrapper function': (code) =>
    code.isImported
      ? undefined
      : wrapped(code, 'def main():', 'main()', 'function main() {', '}\nmain();'),
  'a loop': (code) => wrapped(code, 'for _ in [1]:', '', 'for (const _ of [1]) {', '}'),
  'a condition': (code) => wrapped(code, 'if True:', '', 'if (true) {', '}'),
  'forty blocks': (code) =>
    code.isPython ? undefined : wrapped(code, '', '', '{'.repeat(40), '}'.repeat(40)),
  'thirty functions': (code) => inFunctions(code, 30),
  'double quotes': (code) => quoted(code, (text) => JSON.stringify(text)),
  'other quotes': (code) =>
    quoted(code, (text) =>
      code.isPython
        ? `'''${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'''`
        : `\`${text.replaceAll(/[\\`]|\$(?=\{)/g, '\\$&')}\``,
    ),
  'other names': renamed,
  'line ends of Windows': (code) =>
    holdsLongText(code) ? undefined : code.text.replaceAll('\n', '\r\n'),
};

/** Changes that nest code deeper than the scanner reads. */
export const DEEPER_CHANGES: Readonly<Record<string, Change>> = {
  'a deeper expression': (code) => withSum(code, 3_000),
  'two hundred functions': (code) => inFunctions(code, 200),
};

/** `files` with `change` in each file of code; `undefined` where it changes none. */
export function changed(files: readonly BuildFile[], change: Change): BuildFile[] | undefined {
  let isChanged = false;
  const after = files.map((file) => {
    const text = Buffer.from(file.bytes).toString('utf8');
    const language = languageOf(file.path, text);
    if (language === undefined || text.includes('\uFFFD')) return file;
    const content = change({
      path: file.path,
      text,
      isPython: language === 'python',
      isImported: language === 'python' && isImported(file, files),
    });
    if (content === undefined) return file;
    isChanged = true;
    return { ...file, bytes: typeof content === 'string' ? Buffer.from(content) : content };
  });
  return isChanged ? after : undefined;
}

function bytesOf(...parts: readonly (string | number)[]): Uint8Array {
  return Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))),
  );
}

function shebang({ text }: Code): string {
  return /^#![^\n]*\n/.exec(text)?.[0] ?? '';
}

function withoutShebang(code: Code): string {
  return code.text.slice(shebang(code).length);
}

function isAscii(text: string): boolean {
  return /^[\t\n\r -~]*$/.test(text);
}

function utf7(part: string): string {
  const units = Buffer.from(part, 'utf16le').swap16();
  return `+${units.toString('base64').replaceAll('=', '')}-`;
}

function commentOf({ isPython, text }: Code, words: string): string {
  if (text.startsWith('#!') && words === 'neutral') return '';
  return isPython ? `\n# ${words}\n` : `\n/* ${words} */\n`;
}

function padded(code: Code, length: number): string {
  return `${shebang(code)}${commentOf({ ...code, text: '' }, 'x '.repeat(length / 2))}${withoutShebang(code)}`;
}

function withSum({ text, isPython }: Code, length: number): string {
  return `${text}\n${isPython ? '_long = ' : ';void '}(${"'a' + ".repeat(length)}'b')\n`;
}

function inFunctions(code: Code, depth: number): string | undefined {
  if (code.isPython) return undefined;
  return wrapped(code, '', '', '(function () {'.repeat(depth), '})()'.repeat(depth));
}

/** A text of several lines, in which blanks are part of its content. */
function holdsLongText({ text }: Code): boolean {
  return /`|"""|'''|\\\n/.test(text);
}

/** Whether another file imports names of this one in Python: in a function they would be hidden, and the program would do nothing. */
function isImported(file: BuildFile, files: readonly BuildFile[]): boolean {
  const stem = file.path.replace(/^.*\//, '').replace(/\.py$/, '');
  const imports = new RegExp(`(?:from|import)\\s+[.\\w]*\\b${stem.replaceAll(/\W/g, '.')}\\b`);
  return files.some((one) => one !== file && imports.test(Buffer.from(one.bytes).toString()));
}

/** The statements in another one, where they need not be at the top of the file. */
function wrapped(
  code: Code,
  head: string,
  foot: string,
  open: string,
  close: string,
): string | undefined {
  const text = withoutShebang(code);
  if (code.isPython) {
    if (holdsLongText(code) || /^from __future__|^from \S+ import \*/m.test(text)) return undefined;
    return `${head}\n${text.replaceAll(/^(?=.)/gm, '    ')}\n    pass\n${foot}\n`;
  }
  const syntax = readSyntax(code.path, text);
  if (syntax.language !== 'javascript' || syntax.problemAt !== undefined) return undefined;
  if (syntax.moduleAt !== undefined || /\bawait\b/.test(text)) return undefined;
  return `${open}\n${text}\n${close}\n`;
}

/** Each literal of a text written again; in Python those without prefix. */
function quoted(code: Code, write: (text: string) => string): string | undefined {
  const found: { start: number; end: number; value: string }[] = [];
  if (code.isPython) {
    const { tree, problemAt } = parsePython(code.text);
    if (problemAt !== undefined) return undefined;
    tree.iterate({
      enter: ({ name, from, to }) => {
        const value = /^(["'])([^"'\\\n]*)\1$/.exec(code.text.slice(from, to))?.[2];
        if (name === 'String' && value !== undefined) found.push({ start: from, end: to, value });
      },
    });
  } else {
    for (const { node, parent } of nodesOf(code)) {
      const isValue = node.type === 'Literal' && typeof node['value'] === 'string';
      const isFixed =
        /^(?:Import|Export|JSX|TS)|^(?:Property|MethodDefinition|PropertyDefinition)$/.test(
          parent.type,
        ) || parent.type === 'ExpressionStatement';
      // Escapes are themselves what some rules report.
      const isPlain = !code.text.slice(node.start, node.end).includes('\\');
      if (isValue && isPlain && !isFixed)
        found.push({ start: node.start, end: node.end, value: node['value'] as string });
    }
  }
  return replaced(
    code.text,
    found.map(({ value, ...place }) => ({ ...place, by: write(value) })),
  );
}

/** The shape that some rules report. */
const OF_OBFUSCATORS = /^_0x/;

/** Names of variables and functions that only this file can see. */
function renamed(code: Code): string | undefined {
  if (code.isImported) return undefined;
  const names = new Set<string>();
  const fixed = new Set<string>();
  const uses: { start: number; end: number; name: string }[] = [];
  if (code.isPython) {
    const { tree, problemAt } = parsePython(code.text);
    if (problemAt !== undefined || /\b(?:globals|locals|f["'])/.test(code.text)) return undefined;
    tree.iterate({
      enter: ({ name, from, to, node }) => {
        const word = code.text.slice(from, to);
        if (
          name === 'PropertyName' ||
          (name === 'VariableName' &&
            node.parent?.name === 'ArgList' &&
            node.nextSibling?.name === 'AssignOp')
        )
          fixed.add(word);
        else if (name === 'VariableName') uses.push({ start: from, end: to, name: word });
        if (/^(?:ImportStatement|ParamList|ClassDefinition|ScopeStatement)$/.test(name))
          for (const part of word.slice(0, 500).match(/\w+/g) ?? []) fixed.add(part);
        if (name === 'AssignStatement' && node.firstChild?.name === 'VariableName')
          names.add(code.text.slice(node.firstChild.from, node.firstChild.to));
      },
    });
  } else {
    for (const { node, parent, key } of nodesOf(code)) {
      // What a file exports, others import by its name.
      if (parent.type === 'ExportNamedDeclaration' && key === 'declaration')
        for (const one of [node, ...((node['declarations'] as SyntaxNode[] | undefined) ?? [])])
          fixed.add((one['id'] as { name?: string } | undefined)?.name ?? '');
      if (parent['shorthand'] === true || /^(?:Export|Import|TS|JSX)/.test(parent.type))
        if (typeof node['name'] === 'string') fixed.add(node['name']);
      if (node.type !== 'Identifier') continue;
      const name = node['name'] as string;
      const isKey = (key === 'property' || key === 'key') && parent['computed'] !== true;
      if (isKey) continue;
      uses.push({ start: node.start, end: node.start + name.length, name });
      if (key === 'id' && /^(?:VariableDeclarator|FunctionDeclaration)$/.test(parent.type))
        names.add(name);
    }
  }
  const found = uses
    .filter(
      ({ name }) =>
        names.has(name) && !fixed.has(name) && name.length > 1 && !OF_OBFUSCATORS.test(name),
    )
    .map(({ name, ...place }) => ({ ...place, by: `${name}Zq` }));
  return replaced(code.text, found);
}

function replaced(
  text: string,
  found: readonly { start: number; end: number; by: string }[],
): string | undefined {
  if (found.length === 0) return undefined;
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, by } of found.toSorted((a, b) => a.start - b.start)) {
    if (start < from) continue;
    parts.push(text.slice(from, start), by);
    from = end;
  }
  return parts.join('') + text.slice(from);
}

interface Placed {
  readonly node: SyntaxNode;
  readonly parent: SyntaxNode;
  readonly key: string;
}

function nodesOf({ path, text }: Code): Placed[] {
  const program = wholeJavaScript(path, text);
  if (program === undefined) return [];
  const all: Placed[] = [{ node: program, parent: program, key: '' }];
  // The list grows during the loop.
  for (const { node } of all) {
    for (const [key, value] of Object.entries(node)) {
      for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
        if (typeof child === 'object' && child !== null && 'type' in child && 'start' in child)
          all.push({ node: child as SyntaxNode, parent: node, key });
      }
    }
  }
  return all;
}
