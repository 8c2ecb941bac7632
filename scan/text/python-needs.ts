/** The lowest version of Python that reads a text, from its syntax. */
import type { SyntaxNodeRef, Tree } from '@lezer/common';

const FUTURE = /^from\s+__future__\s+import\s[^\n]*\bannotations\b/m;
const GENERIC = /^(?:list|dict|set|tuple|type|frozenset)$/;

/** `python3.10` and such with the offset of its first place; empty for what every supported version reads. */
export function pythonNeeds(text: string, tree: Tree): ReadonlyMap<string, number> {
  // Annotations are not evaluated with this import.
  const areEvaluated = !FUTURE.test(text);
  let [minor, at] = [7, 0];
  const raise = (needed: number, from: number): void => {
    if (needed > minor) [minor, at] = [needed, from];
  };
  let annotationEnd = 0;
  let bodies = 0;
  tree.iterate({
    enter: (node) => {
      const { name, from, to } = node;
      if (name === 'FunctionDefinition' || name === 'LambdaExpression') bodies += 1;
      // Annotations of the variables of a function are never evaluated.
      if (name === 'TypeDef' && areEvaluated && !isLocal(node, bodies)) {
        annotationEnd = Math.max(annotationEnd, to);
      }
      const needed = versionOf(node, text, from < annotationEnd);
      if (needed !== undefined) raise(needed, from);
    },
    leave: ({ name }) => {
      if (name === 'FunctionDefinition' || name === 'LambdaExpression') bodies -= 1;
    },
  });
  return minor === 7 ? new Map() : new Map([[`python3.${minor}`, at]]);
}

function isLocal(node: SyntaxNodeRef, bodies: number): boolean {
  const parent = node.node.parent?.name;
  return bodies > 0 && parent === 'AssignStatement';
}

function versionOf(node: SyntaxNodeRef, text: string, isAnnotation: boolean): number | undefined {
  const { name, from, to } = node;
  switch (name) {
    case 'NamedExpression':
    case 'FormatSelfDoc':
      return 8;
    case 'MatchStatement':
      return 10;
    case 'TypeDefinition':
    case 'TypeParamList':
      return 12;
    case '*':
      return text.slice(0, from).trimEnd().endsWith('except') ? 11 : undefined;
    case 'ParamList':
      return /[(,]\s*\/\s*[,)]/.test(text.slice(from, to)) ? 8 : undefined;
    case 'BitOp':
      // Elsewhere the operator is that of numbers and sets.
      return isAnnotation && text.slice(from, to) === '|' ? 10 : undefined;
    case 'VariableName':
      return isAnnotation && text[to] === '[' && GENERIC.test(text.slice(from, to)) ? 9 : undefined;
    case 'CallExpression':
      return /^is(?:instance|subclass)\s*\([^()"']*\|[^()"']*\)$/.test(
        text.slice(from, Math.min(to, from + 500)),
      )
        ? 10
        : undefined;
    default:
      return undefined;
  }
}
