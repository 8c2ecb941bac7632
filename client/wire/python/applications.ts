/** The applications that a file of Python makes or takes. Pure. */
import type { SyntaxNode as CommonSyntaxNode } from '@lezer/common';
import type { Application, FileApplications, Range } from '../code.ts';
import { pythonChildren, pythonStatements, type PythonTree, rangeOf, textOf } from './code.ts';

/**
 * Finds where a file makes the application of FastAPI, and the functions that take one. Its routers go after the
 * last `include_router` of the block; where there is none, after the statement that makes the application. Pure.
 *
 *     app = FastAPI()
 *     app.include_router(users.router)
 */
export function findFastApi(tree: PythonTree): FileApplications {
  const makers = makersOf(tree);
  const declared: Application[] = [];
  let problem: string | undefined;
  for (const node of tree.nodes) {
    if (node.name !== 'CallExpression') continue;
    if (!makers.has(textOf(tree.text, node.firstChild ?? undefined))) continue;
    const statement = node.parent;
    const target = statement?.name === 'AssignStatement' ? statement.firstChild : null;
    if (
      target?.name !== 'VariableName' ||
      statement === null ||
      statement.lastChild?.from !== node.from
    ) {
      problem ??=
        target?.name === 'MemberExpression'
          ? 'the application is a property of a class'
          : 'the application is not held by a variable of its own';
      continue;
    }
    const name = textOf(tree.text, target);
    const place = readRouters(tree, name, statement.parent!);
    declared.push({ ...place, madeAt: rangeOf(tree.text, statement) });
  }
  const taken = tree.nodes.flatMap((node) => {
    if (node.name !== 'FunctionDefinition') return [];
    const name = typedParameter(tree, node, makers);
    const body = pythonChildren(node).find((child) => child.name === 'Body');
    if (name === undefined || body === undefined) return [];
    const place = readRouters(tree, name, body);
    return place.after === undefined ? [] : [place];
  });
  return { declared, taken, ...(problem === undefined ? {} : { problem }) };
}

/** Names that stand for the class: `FastAPI`, `fastapi.FastAPI`, or another after `as`. */
function makersOf({ text, nodes }: PythonTree): Set<string> {
  const names = new Set<string>();
  for (const node of nodes) {
    if (node.name !== 'ImportStatement') continue;
    const words = textOf(text, node).replaceAll(/[()\\\s]+/g, ' ');
    const from = /^from fastapi(?:\.applications)? import (.*)$/.exec(words)?.[1] ?? '';
    for (const part of from.split(',')) {
      const [, as] = /^\s*FastAPI(?: as (\w+))?\s*$/.exec(part) ?? [];
      if (/^\s*FastAPI(?: as \w+)?\s*$/.test(part)) names.add(as ?? 'FastAPI');
    }
    const module = /^import fastapi(?: as (\w+))?$/.exec(words.trim());
    if (module !== null) names.add(`${module[1] ?? 'fastapi'}.FastAPI`);
  }
  return names;
}

function readRouters(tree: PythonTree, name: string, block: CommonSyntaxNode): Application {
  const children = pythonChildren(block).filter((child) =>
    pythonStatements(tree.text, block).some((s) => s.start === child.from),
  );
  let after: Range | undefined;
  let rootAt: number | undefined;
  const read = new Set<number>();
  for (const child of children) {
    const calls = [child, ...loopBody(child)].filter(
      ({ name: kind }) => kind === 'ExpressionStatement',
    );
    for (const statement of calls) {
      const [method, list] = callOf(tree, name, statement);
      if (method === 'include_router') {
        read.add(statement.from);
        after = rangeOf(tree.text, child);
      }
      const path = /^\(\s*["'](.*?)["']/.exec(list)?.[1];
      if (method === 'mount' && (path === '/' || path === '')) rootAt ??= child.from;
    }
  }
  const common = { path: tree.path, name, after, roots: [], isOpen: false };
  const isNested = tree.nodes.some((node) => {
    if (node.name !== 'ExpressionStatement' || read.has(node.from)) return false;
    return (
      node.from >= block.from &&
      node.to <= block.to &&
      callOf(tree, name, node)[0] === 'include_router'
    );
  });
  if (isNested) return { ...common, problem: 'routers are included in a nested block' };
  if (rootAt !== undefined && after !== undefined && rootAt < after.start) {
    return { ...common, problem: 'what answers every path is mounted before the last router' };
  }
  return common;
}

/** The statements of `for router in routers:`. */
function loopBody(node: CommonSyntaxNode): CommonSyntaxNode[] {
  if (node.name !== 'ForStatement') return [];
  const body = pythonChildren(node).find((child) => child.name === 'Body');
  return body === undefined ? [] : pythonChildren(body);
}

/** The method and the arguments of `name.method(...)`. */
function callOf({ text }: PythonTree, name: string, statement: CommonSyntaxNode): [string, string] {
  const call = statement.firstChild;
  const member = call?.name === 'CallExpression' ? call.firstChild : null;
  if (member?.name !== 'MemberExpression' || call === null) return ['', ''];
  const [, method = ''] = /^(?:\w+)\s*\.\s*(\w+)$/.exec(textOf(text, member)) ?? [];
  if (textOf(text, member.firstChild ?? undefined) !== name) return ['', ''];
  return [method, textOf(text, call.lastChild ?? undefined)];
}

/** The one parameter with the type of an application. */
function typedParameter(
  { text }: PythonTree,
  node: CommonSyntaxNode,
  makers: ReadonlySet<string>,
): string | undefined {
  const list = pythonChildren(node).find((child) => child.name === 'ParamList');
  const found = (list === undefined ? [] : pythonChildren(list)).filter((child) => {
    if (child.name !== 'TypeDef') return false;
    return makers.has(
      textOf(text, child)
        .replace(/^:\s*/, '')
        .replaceAll(/^["']|["']$/g, ''),
    );
  });
  const parameter = found.length === 1 ? found[0]!.prevSibling : null;
  return parameter?.name === 'VariableName' ? textOf(text, parameter) : undefined;
}
