/** The names that `import` statements and the statements of a block declare. */
import type { SyntaxNode } from '@lezer/common';
import type { Expr } from '../ir.ts';
import {
  type Lowering,
  type PythonScope,
  childrenOf,
  isBeforeAssign,
  at,
  slotAt,
  assign,
  getOf,
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
export function declareIn(lowering: Lowering, node: SyntaxNode, scope: PythonScope): void {
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
      const source = child.getChild('in')?.from ?? Infinity;
      for (const name of child.getChildren('VariableName')) {
        // What a loop or a block reads is no name of its own.
        const isRead = name.from > source || name.nextSibling?.name === 'as';
        const isTarget = child.name === 'AssignStatement' ? isBeforeAssign(name) : !isRead;
        const text = lowering.textOf(name);
        if (isTarget && !globals.has(text)) scope.declare(text);
        else if (globals.has(text)) top(scope).declare(text);
      }
    }
    if (HOLDS_STATEMENTS.test(child.name)) declareIn(lowering, child, scope);
  }
}

const HOLDS_STATEMENTS =
  /^(?:(?:If|For|While|Try|With|Match|Decorated)Statement|Body|StatementGroup|MatchBody|MatchClause)$/;

function top(scope: PythonScope): PythonScope {
  let top = scope;
  while (top.parent !== undefined) top = top.parent;
  return top;
}

/** The names of an `import` list, each with its local name. */
export function* importedNames(list: string): Generator<[string, string]> {
  for (const one of list.split(',')) {
    const match = /^\s*([\w.]+)(?:\s+as\s+(\w+))?\s*$/.exec(one);
    if (match !== null) yield [match[1]!, match[2] ?? match[1]!];
  }
}
