/** Whether the imports of a block are in a file already, or can be put there. Pure. */
import type { Code } from './code.ts';
import { boundNames, fieldOf, identifierOf, listOf, readTree } from './javascript/tree.ts';
import { codeLanguageOf, isSameCode, openCode, sliceOf } from './open-code.ts';

/** `present`, `absent`, or why neither is clear. */
export function checkImports(code: Code, block: string, isEsPackage: boolean): string {
  const read = openCode(code.path, block);
  if (read === undefined) return 'the imports of the block cannot be read';
  const names = [...read.names];
  const statements = read.blocks[0] ?? [];
  const isThere = statements.map((one) =>
    code.imports.some((other) =>
      isSameCode(code.path, sliceOf(code.text, other), sliceOf(block, one)),
    ),
  );
  if (isThere.every(Boolean)) return 'present';
  if (codeLanguageOf(code.path) === 'javascript') {
    const known = importedNames(code.path, code.text);
    const wanted = [...importedNames(code.path, block)];
    if (wanted.length > 0 && wanted.every(([name, from]) => known.get(name) === from))
      return 'present';
    const isCommonJs = isCommonJsFile(code, isEsPackage);
    if (isCommonJs && /^import\b/m.test(block))
      return 'it is CommonJS, and the block needs an ES module';
  }
  const taken = names.filter((name) => code.names.has(name));
  if (taken.length > 0) return `the name "${taken[0]}" is taken`;
  return 'absent';
}

/** Local name to what it stands for: module without ending, and the name there. */
function importedNames(path: string, text: string): Map<string, string> {
  const tree = readTree(path, text);
  const names = new Map<string, string>();
  for (const node of listOf(tree?.program, 'body')) {
    if (node.type !== 'ImportDeclaration') continue;
    const module = String(fieldOf(node, 'source')?.['value']).replace(/\.[cm]?[jt]sx?$/, '');
    for (const one of listOf(node, 'specifiers')) {
      const [local = ''] = boundNames(fieldOf(one, 'local'));
      const imported = identifierOf(fieldOf(one, 'imported')) ?? one.type;
      names.set(local, `${module} ${imported}`);
    }
  }
  return names;
}

/** Whether ES imports in the file would be an error. */
function isCommonJsFile({ path, text }: Code, isEsPackage: boolean): boolean {
  if (/\.m[jt]s$/.test(path)) return false;
  const isModule = /^[ \t]*(?:import\b(?!\s*\()|export\b)/m.test(text);
  const isRequiring = /\brequire\s*\(|\bmodule\.exports\b/.test(text);
  if (/\.c[jt]s$/.test(path)) return !isModule || path.endsWith('.cjs');
  if (isModule) return false;
  return /\.tsx?$/.test(path) ? isRequiring : isRequiring || !isEsPackage;
}
