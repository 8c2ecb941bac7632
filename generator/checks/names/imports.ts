/** Which packages the code of a build imports, read from its trees. */
import type { CheckedFile } from '../check.ts';
import type { SyntaxNode } from '../source/parse-javascript.ts';

export interface ImportedModule {
  /** As it is written. */
  readonly specifier: string;
  readonly start: number;
  /** Erased before the code runs, or tried and done without. */
  readonly isOptional: boolean;
}

const CALLS = /\b(?:require|import)\s{0,3}\(\s{0,3}(["'`])([^"'`\n$]{1,200})\1/g;
const MAX_IMPORTS = 2000;

/** What `file` imports; nothing when it is no code. */
export function importsOf(file: CheckedFile): ImportedModule[] {
  const { syntax, text = '' } = file;
  if (syntax.language === 'javascript')
    return [...staticImports(syntax.program.body), ...calls(text)].slice(0, MAX_IMPORTS);
  if (syntax.language !== 'python') return [];
  const found: ImportedModule[] = [];
  const tries: number[] = [];
  syntax.tree.iterate({
    enter: (node) => {
      if (node.name === 'TryStatement') tries.push(node.to);
      if (node.name === 'FunctionDefinition' || found.length >= MAX_IMPORTS) return;
      if (node.name !== 'ImportStatement') return;
      const isOptional =
        tries.some((end) => node.from < end) ||
        /TYPE_CHECKING/.test(text.slice(Math.max(0, node.from - 60), node.from));
      for (const specifier of pythonModules(
        text.slice(node.from, Math.min(node.to, node.from + 2000)),
      ))
        found.push({ specifier, start: node.from, isOptional });
    },
  });
  return found;
}

function staticImports(body: readonly SyntaxNode[]): ImportedModule[] {
  return body.flatMap((node) => {
    const source = node['source'] as
      | { readonly value?: unknown; readonly start: number }
      | null
      | undefined;
    if (!/^(?:Import|Export)/.test(node.type) || typeof source?.value !== 'string') return [];
    const isOptional = node['importKind'] === 'type' || node['exportKind'] === 'type';
    return [{ specifier: source.value, start: source.start, isOptional }];
  });
}

/** `require('x')` and `import('x')`: in a comment they are none, and often they are tried. */
function calls(text: string): ImportedModule[] {
  return Array.from(text.matchAll(CALLS)).flatMap((match) => {
    const lineStart = text.lastIndexOf('\n', match.index) + 1;
    const before = text.slice(Math.max(lineStart, match.index - 300), match.index);
    if (/\/\/|^\s{0,40}\*|\/\*/.test(before)) return [];
    return [
      {
        specifier: match[2] ?? '',
        start: match.index,
        isOptional: /\btry\s{0,3}\{[^}]{0,200}$/.test(
          text.slice(Math.max(0, match.index - 250), match.index),
        ),
      },
    ];
  });
}

/** `import a.b, c as d` and `from a.b import c`: the modules, none for relative ones. */
function pythonModules(statement: string): string[] {
  const from = /^from\s+([\w.]+)\s+import\b/.exec(statement);
  if (from !== null) return from[1]!.startsWith('.') ? [] : [from[1]!];
  if (statement.startsWith('from')) return [];
  return statement
    .replace(/^import\s+/, '')
    .split(',')
    .map((part) => part.trim().split(/\s/, 1)[0] ?? '')
    .filter((name) => /^\w/.test(name));
}

/** The package of an npm specifier: `@a/b/c` is in `@a/b`; `undefined` for files, addresses and aliases. */
export function npmPackageOf(specifier: string): string | undefined {
  if (/^(?:[./#~\\]|@\/|\w[\w+.-]*:|$)/.test(specifier)) return undefined;
  const parts = specifier.split('/');
  const name = specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]!;
  return /^(?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*$/i.test(name) ? name : undefined;
}
