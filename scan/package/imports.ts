/** Which packages the code of a build imports, read from its trees. */
import { once } from '../once.ts';
import type { ScannedFile } from '../scanned-file.ts';

interface ImportedModule {
  /** As written in the code. */
  readonly specifier: string;
  readonly start: number;
  /** Erased before the code runs, or optional: the code handles a failed import. */
  readonly isOptional: boolean;
  /** In Python: inside a `try`, so that the code uses the module where it is installed. */
  readonly isTried?: true;
}

const CALLS = /\b(?:require|import)\s{0,3}\(\s{0,3}(["'`])([^"'`\n$]{1,200})\1/g;
const MAX_IMPORTS = 2000;

/** What a file imports; nothing when it is not code. */
export const importsOf = once((file: ScannedFile): readonly ImportedModule[] => {
  const { syntax, text = '' } = file;
  if (syntax.language === 'javascript') {
    const imports = syntax.imports.map(({ isType, ...one }) => ({ ...one, isOptional: isType }));
    return [...imports, ...calls(text)].slice(0, MAX_IMPORTS);
  }
  if (syntax.language !== 'python') return [];
  const found: ImportedModule[] = [];
  let triedUntil = 0;
  syntax.tree.iterate({
    enter: (node) => {
      if (node.name === 'TryStatement') triedUntil = Math.max(triedUntil, node.to);
      if (node.name === 'FunctionDefinition' || found.length >= MAX_IMPORTS) return;
      if (node.name !== 'ImportStatement') return;
      const isTried = node.from < triedUntil;
      const isOptional =
        isTried || /TYPE_CHECKING/.test(text.slice(Math.max(0, node.from - 60), node.from));
      for (const specifier of pythonModules(
        text.slice(node.from, Math.min(node.to, node.from + 2000)),
      ))
        found.push({ specifier, start: node.from, isOptional, ...(isTried ? { isTried } : {}) });
    },
  });
  return found;
});

/** `require('x')` and `import('x')`, except in comments; often a `try` surrounds them. */
function calls(text: string): ImportedModule[] {
  const found: ImportedModule[] = [];
  for (const { index, 2: specifier = '' } of text.matchAll(CALLS)) {
    if (found.length >= MAX_IMPORTS) break;
    const before = text.slice(Math.max(0, index - 300), index);
    const line = before.slice(before.lastIndexOf('\n') + 1);
    if (/\/\/|^\s{0,40}\*|\/\*/.test(line)) continue;
    const isOptional = /\btry\s{0,3}\{[^}]{0,200}$/.test(before.slice(-250));
    found.push({ specifier, start: index, isOptional });
  }
  return found;
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
