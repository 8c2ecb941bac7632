/** The names that a block of Python declares, and those that its imports bind. */
import type { SyntaxNode } from '@lezer/common';
import type { Expr } from '../ir.ts';
import type { Lowering } from './lowering.ts';
import {
  MAX_DEPTH,
  assign,
  at,
  childrenOf,
  getOf,
  importedNames,
  isBeforeAssign,
  slotAt,
  type PythonScope,
} from './nodes.ts';

/** `import` and `from ... import` statements. */
export function lowerPythonImport(
  lowering: Lowering,
  node: SyntaxNode,
  scope: PythonScope,
  out: Expr[],
): void {
  const text = lowering
    .textOf(node)
    .replace(/\\\r?\n/g, ' ')
    .replace(/#[^\n]*/g, ' ');
  const from = /^from\s+(\.*)\s*([\w.]*)\s*import\b\s*\(?([^)]*)/.exec(text);
  if (from !== null) {
    const [, dots = '', module = '', names = ''] = from;
    const imported: Expr = { ...at(node), op: 'import', module, level: dots.length };
    if (names.trim() === '*') lowering.stars.push(imported);
    for (const [name, local] of importedNames(names)) {
      const value = getOf(imported, name, node);
      out.push(assign(slotAt(scope.declare(local), node), value, node));
    }
    return;
  }
  for (const [name, local] of importedNames(text.replace(/^import\b/, ''))) {
    const first = local === name ? (name.split('.')[0] ?? name) : local;
    const module = local === name ? first : name;
    const imported: Expr = { ...at(node), op: 'import', module, level: 0 };
    out.push(assign(slotAt(scope.declare(first), node), imported, node));
  }
}

/** Declares the names that a block assigns, so that functions defined above can use them. */
export function declareIn(
  lowering: Lowering,
  node: SyntaxNode,
  scope: PythonScope,
  depth: number,
): void {
  if (depth > MAX_DEPTH) return;
  const globals = new Set<string>();
  for (const child of childrenOf(node)) {
    if (child.name === 'ScopeStatement') {
      for (const name of child.getChildren('VariableName')) globals.add(lowering.textOf(name));
    }
  }
  for (const child of childrenOf(node)) {
    if (/^(?:Function|Class)Definition$/.test(child.name)) {
      const name = child.getChild('VariableName');
      if (name !== null) scope.declare(lowering.textOf(name));
    } else if (/^(?:Assign|For|With)Statement$/.test(child.name)) {
      for (const name of child.getChildren('VariableName')) {
        const isTarget = child.name !== 'AssignStatement' || isBeforeAssign(name);
        const text = lowering.textOf(name);
        if (isTarget && !globals.has(text)) scope.declare(text);
        else if (globals.has(text)) top(scope).declare(text);
      }
    }
    if (
      /^(?:If|For|While|Try|With|Match|Decorated)Statement$|^(?:Body|StatementGroup|MatchBody|MatchClause)$/.test(
        child.name,
      )
    ) {
      declareIn(lowering, child, scope, depth + 1);
    }
  }
}

function top(scope: PythonScope): PythonScope {
  let top = scope;
  while (top.parent !== undefined) top = top.parent;
  return top;
}
