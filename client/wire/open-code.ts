/** Opens a file of code in any language that wiring knows, and compares parts of such files. Pure. */
import type { SyntaxNode as CommonSyntaxNode } from '@lezer/common';
import { languageOf } from '../../scan/parse/syntax.ts';
import type { WireLanguage, WireRole } from '../../format/wiring/wire-info.ts';
import { canonicalJavaScript } from '../edit/compare/javascript.ts';
import type { Application, Code, FileApplications, Range } from './code.ts';
import {
  EXPRESS,
  FASTIFY,
  type Framework,
  HONO,
  NEST,
  readJavaScript,
} from './javascript/framework.ts';
import { type Modules, Routers } from './javascript/routers.ts';
import {
  pythonChildren,
  pythonParts,
  pythonStatements,
  type PythonTree,
  rangeOf,
  readPython,
  textOf,
} from './python/code.ts';
import type { SyntaxNode } from '../../scan/parse/parse-javascript.ts';
import { pluginsThatLoad, readMounts, readPlugs } from './javascript/mounts.ts';
import {
  bare,
  fieldOf,
  identifierOf,
  isFunction,
  listOf,
  statementsOf,
  type Tree,
} from './javascript/tree.ts';

/** Larger files are not written by people. */
export const MAX_WIRED_CHARACTERS = 1024 * 1024;

/** The language of a file of the project. */
export function codeLanguageOf(path: string): WireLanguage {
  return languageOf(path, undefined) ?? 'text';
}

/** `undefined` for a text with a syntax error, and for one that is no code. */
export function openCode(path: string, text: string): Code | undefined {
  const language = codeLanguageOf(path);
  if (text.length > MAX_WIRED_CHARACTERS) return undefined;
  if (language === 'python') return readPython(path, text);
  return language === 'javascript' ? readJavaScript(path, text) : undefined;
}

/** A word that every file with an application of a role has. */
export const ROLE_WORD: Readonly<Record<WireRole, string>> = {
  '@express': 'express',
  '@fastify': 'fastify',
  '@hono': 'hono',
  '@nest': '@nestjs/core',
  '@fastapi': 'fastapi',
};
const FRAMEWORKS: Readonly<Record<Exclude<WireRole, '@fastapi'>, Framework>> = {
  '@express': EXPRESS,
  '@fastify': FASTIFY,
  '@hono': HONO,
  '@nest': NEST,
};

/** The applications of a file; `undefined` for a file with a syntax error. */
export function applicationsOf(
  path: string,
  text: string,
  role: WireRole,
  modules: Modules,
  framework?: Framework,
): FileApplications | undefined {
  if (role === '@fastapi') {
    const python = readPython(path, text);
    return python === undefined ? undefined : findFastApi(python.tree);
  }
  const code = readJavaScript(path, text);
  if (code === undefined) return undefined;
  return findApplications(code.tree, framework ?? FRAMEWORKS[role], new Routers(modules));
}

/** Whether two parts of code differ at most in their formatting. */
export function isSameCode(path: string, a: string, b: string): boolean {
  const [one, other] = [dedent(a), dedent(b)];
  if (one === other) return true;
  if (skeletonOf(one) !== skeletonOf(other)) return false;
  try {
    const isPython = codeLanguageOf(path) === 'python';
    const read = (text: string): readonly string[] | undefined =>
      isPython ? pythonParts(text) : canonicalJavaScript(text, path);
    const [left, right] = [read(one), read(other)];
    return (
      left !== undefined && right !== undefined && JSON.stringify(left) === JSON.stringify(right)
    );
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** What formatters leave as it is: enough to see that two parts differ without parsing them. */
function skeletonOf(text: string): string {
  return text.replaceAll(/[\s;,()'"`\\]+/g, '');
}

/** Without the indentation that all lines have. */
export function dedent(text: string): string {
  const lines = text
    .replaceAll(/\r\n?/g, '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
    .split('\n');
  const indents = lines.flatMap((line) =>
    line.trim() === '' ? [] : [/^[ \t]*/.exec(line)![0].length],
  );
  const common = Math.min(...indents, Number.MAX_SAFE_INTEGER);
  return lines.map((line) => line.slice(Math.min(common, line.length))).join('\n');
}

/** The text of a range with the white space in front of it on its line. */
export function sliceOf(text: string, { start, end }: Range): string {
  const line = text.lastIndexOf('\n', start - 1) + 1;
  const lead = text.slice(line, start);
  return (lead.trim() === '' ? lead : '') + text.slice(start, end);
}

/**
 * Finds where a file makes the application of Express or Hono, and the functions that take one. Pure.
 *
 *     const app = express();            the block that it is in mounts the routes
 *     function mount(app: Express) {}   this one does
 */
export function findApplications(
  tree: Tree,
  framework: Framework,
  routers: Routers,
): FileApplications {
  const names = framework.namesIn(tree);
  const declared: Application[] = [];
  let problem: string | undefined;
  for (const node of tree.nodes) {
    if (!framework.isMade(node, names)) continue;
    const place = declarationOf(tree, node);
    if (typeof place === 'string') problem ??= place;
    else if (framework === NEST && tree.text.includes('FastifyAdapter'))
      problem ??= 'the application runs on Fastify';
    else if (framework.plugs !== undefined)
      declared.push(readPlugs(tree, { ...place, framework, routers }, node));
    else declared.push(readMounts(tree, { ...place, framework, routers }));
  }
  if (framework.plugs !== undefined) {
    const taken = pluginsThatLoad(tree, framework, routers);
    return { declared, taken, ...(problem === undefined ? {} : { problem }) };
  }
  const taken = tree.nodes.flatMap((node) => {
    if (!isFunction(node)) return [];
    const parameters = listOf(node, 'params').flatMap((parameter) =>
      typedNames(parameter).flatMap(([name, type]) =>
        name !== undefined && framework.isType(type, names) ? [name] : [],
      ),
    );
    const [name] = parameters;
    if (name === undefined || parameters.length > 1) return [];
    const block = statementsOf(node);
    return [readMounts(tree, { name, block, scope: node, framework, routers })];
  });
  return {
    declared,
    // A function that mounts nothing is about something else.
    taken: taken.filter(({ after, problem: why }) => after !== undefined || why !== undefined),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** The names that a parameter binds, with their types: `app: Express`, and `{ app }: { app: Express }`. */
function typedNames(parameter: SyntaxNode): [string | undefined, SyntaxNode | undefined][] {
  const type = fieldOf(fieldOf(parameter, 'typeAnnotation'), 'typeAnnotation');
  if (parameter.type !== 'ObjectPattern') return [[identifierOf(parameter), type]];
  const members = listOf(type, 'members');
  return listOf(parameter, 'properties').map((property) => {
    const key = identifierOf(fieldOf(property, 'key'));
    const member = members.find((one) => identifierOf(fieldOf(one, 'key')) === key);
    const memberType = fieldOf(fieldOf(member, 'typeAnnotation'), 'typeAnnotation');
    return [identifierOf(fieldOf(property, 'value')), key === undefined ? undefined : memberType];
  });
}

interface Declaration {
  readonly name: string;
  readonly block: readonly SyntaxNode[];
  readonly scope: SyntaxNode;
}

const WRAPPING = /^(?:AssignmentExpression|AwaitExpression)$/;

/** Whether `parent` is a part of `made().withTypeProvider<Types>()`, which is the same application of Fastify. */
function isProviderOf(node: SyntaxNode, parent: SyntaxNode): boolean {
  const member = parent.type === 'CallExpression' ? fieldOf(parent, 'callee') : parent;
  const isProvider = identifierOf(fieldOf(member, 'property')) === 'withTypeProvider';
  return isProvider && (member === parent || member === node);
}

/** The variable that holds what `made` makes, and its block; otherwise why there is none. */
function declarationOf(tree: Tree, made: SyntaxNode): Declaration | string {
  let node = made;
  let parent = tree.parents.get(node);
  while (
    parent !== undefined &&
    (bare(parent) !== parent || WRAPPING.test(parent.type) || isProviderOf(node, parent))
  ) {
    const target = parent.type === 'AssignmentExpression' ? fieldOf(parent, 'left') : undefined;
    if (target !== undefined && fieldOf(target, 'object')?.type === 'ThisExpression') {
      return 'the application is a property of a class';
    }
    [node, parent] = [parent, tree.parents.get(parent)];
  }
  if (parent?.type === 'PropertyDefinition') return 'the application is a property of a class';
  const name =
    parent?.type === 'VariableDeclarator' ? identifierOf(fieldOf(parent, 'id')) : undefined;
  if (name === undefined) return 'the application is not held by a constant of its own';
  let scope = parent === undefined ? undefined : tree.parents.get(parent);
  while (scope !== undefined && statementsOf(scope).length === 0) scope = tree.parents.get(scope);
  if (scope === undefined) return 'the application is not declared in a block';
  return { name, block: statementsOf(scope), scope };
}

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
