/** The imports of one source file, those of types included. */
import { parseSync } from 'vite';

export interface SourceImport {
  readonly specifier: string;
  /** Nothing of it is left at run time. */
  readonly isType: boolean;
}

/**
 * Static imports and exports, `import('...')` with a literal, and the type `import('...')`.
 * @throws {SyntaxError} names the file that cannot be parsed
 */
export function sourceImports(file: string, source: string): SourceImport[] {
  const { module, errors, program } = parseSync(file, source);
  const [error] = errors;
  if (error !== undefined) throw new SyntaxError(`Cannot parse ${file}: ${error.message}`);
  const found: SourceImport[] = [];
  for (const { start, end, moduleRequest } of module.staticImports) {
    // `import { type A } from` is kept as `import {} from`: only `import type` is erased whole.
    const isType = /^import\s+type\s+(?:[{*]|\w+\s+from\b)/.test(source.slice(start, end));
    found.push({ specifier: moduleRequest.value, isType });
  }
  for (const { entries, start, end } of module.staticExports) {
    const specifier = entries.find((entry) => entry.moduleRequest !== null)?.moduleRequest?.value;
    if (specifier === undefined) continue;
    found.push({ specifier, isType: /^export\s+type\b/.test(source.slice(start, end)) });
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const literal = source.slice(moduleRequest.start, moduleRequest.end);
    const [, specifier] = /^['"`]([^'"`$]*)['"`]$/.exec(literal) ?? [];
    if (specifier !== undefined) found.push({ specifier, isType: false });
  }
  return [...found, ...importTypes(program)];
}

/** The specifiers of `import('...').Name` in the places of types. */
function importTypes(node: unknown): SourceImport[] {
  if (Array.isArray(node)) return node.flatMap(importTypes);
  if (typeof node !== 'object' || node === null) return [];
  const { type, source } = node as { type?: unknown; source?: { value?: unknown } };
  const own =
    type === 'TSImportType' && typeof source?.value === 'string'
      ? [{ specifier: source.value, isType: true }]
      : [];
  return [...own, ...Object.values(node).flatMap(importTypes)];
}
