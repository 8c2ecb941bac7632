/**
 * The names that a piece of code uses and does not bind itself. Scopes are not distinguished: a name that is bound
 * anywhere counts as bound. Types, properties and names that every program has are left out.
 */
import type { SyntaxNode as PythonNode } from '@lezer/common';
import type { Syntax } from '../../parse/syntax.ts';
import type { SyntaxNode } from '../../parse/parse-javascript.ts';
import { isNode } from '../../text/javascript-needs.ts';

interface FreeName {
  readonly name: string;
  /** Offset of its first use. */
  readonly start: number;
}

/** Fixed, so that the result does not depend on the version of Node.js. */
const JAVASCRIPT_GLOBALS = new Set(
  'undefined NaN Infinity globalThis console process Buffer URL URLSearchParams Object Array String Number Boolean BigInt Symbol Math JSON Date RegExp Error TypeError RangeError AggregateError Promise Map Set WeakMap WeakSet WeakRef Proxy Reflect Intl Uint8Array ArrayBuffer DataView TextEncoder TextDecoder AbortController AbortSignal setTimeout clearTimeout setInterval clearInterval setImmediate clearImmediate queueMicrotask structuredClone fetch Headers Request Response FormData Blob File ReadableStream crypto performance parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI require module exports __dirname __filename arguments'.split(
    ' ',
  ),
);
const PYTHON_GLOBALS = new Set(
  'abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex delattr dict dir divmod enumerate eval exec filter float format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print property range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip BaseException Exception ValueError TypeError KeyError IndexError AttributeError RuntimeError NotImplementedError StopIteration OSError ImportError LookupError PermissionError FileNotFoundError TimeoutError ConnectionError NotImplemented Ellipsis __name__ __file__ __doc__ self cls'.split(
    ' ',
  ),
);

/** In the order of their first use, each once. */
export function freeNames(syntax: Syntax, text: string): FreeName[] {
  if (syntax.language === 'javascript') return inJavaScript(syntax.program);
  return syntax.language === 'python' ? inPython(syntax.tree.topNode, text) : [];
}

/** Fields whose patterns bind names. */
const BINDINGS = new Set(['id', 'params', 'param', 'local']);
/** Fields with names of members, of labels and of what is imported. */
const NAMES = new Set(['property', 'key', 'imported', 'exported', 'label', 'meta']);
/** Types are erased, with all names in them. What stays are values: a cast has one, an enum and a namespace are one. */
const TYPE =
  /^TS(?!(?:As|Satisfies|NonNull|Instantiation)Expression$|TypeAssertion$|ParameterProperty$|DeclareFunction$|Enum|Module|Export|Import(?!Type))|^Type(?!Cast)/;

function inJavaScript(program: SyntaxNode): FreeName[] {
  const bound = new Set<string>();
  const used: FreeName[] = [];
  visit(program, false);
  return unique(used.filter(({ name }) => !bound.has(name) && !JAVASCRIPT_GLOBALS.has(name)));

  function visit(node: SyntaxNode, isPattern: boolean): void {
    if (node.type === 'Identifier') {
      const name = String(node['name']);
      if (isPattern) bound.add(name);
      else used.push({ name, start: node.start });
    }
    for (const key of Object.keys(node)) {
      if (NAMES.has(key) && node['computed'] !== true) continue;
      const value = node[key];
      for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
        if (isNode(child) && !TYPE.test(child.type)) visit(child, isPattern || BINDINGS.has(key));
      }
    }
  }
}

function inPython(top: PythonNode, text: string): FreeName[] {
  const bound = new Set<string>();
  const used: FreeName[] = [];
  const cursor = top.cursor();
  do {
    const { node } = cursor;
    if (node.name !== 'VariableName') continue;
    const name = text.slice(node.from, node.to);
    const [parent, next] = [node.parent?.name ?? '', node.nextSibling?.name ?? ''];
    const isArgument = parent === 'ArgList' && next === 'AssignOp';
    const isTarget =
      (parent === 'AssignStatement' &&
        (next === 'AssignOp' || next === 'TypeDef' || next === ',')) ||
      ['ImportStatement', 'ParamList', 'FunctionDefinition', 'ClassDefinition'].includes(parent) ||
      (parent === 'ForStatement' && node.prevSibling?.name !== 'in') ||
      node.prevSibling?.name === 'as';
    if (isArgument) continue;
    if (isTarget) bound.add(name);
    else used.push({ name, start: node.from });
  } while (cursor.next());
  return unique(used.filter(({ name }) => !bound.has(name) && !PYTHON_GLOBALS.has(name)));
}

function unique(names: readonly FreeName[]): FreeName[] {
  const first = new Map(names.toReversed().map((one) => [one.name, one]));
  return [...first.values()].sort((a, b) => a.start - b.start);
}
