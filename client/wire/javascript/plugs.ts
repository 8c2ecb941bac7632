/**
 * Finds where an application of Fastify or Nest takes one more plugin: after the last one that its block takes, or after the
 * statement that makes it, and before what starts it. Routes are found by their paths there, in whatever order they come. Pure.
 *
 *     const app = Fastify();                    makes it
 *     app.register(cors);                       takes a plugin: hooks of earlier plugins are for later ones
 *     app.addHook('onRequest', requireUser);    may refuse requests: the step is left to the user
 *     await app.listen({ port: 3000 });         starts it
 */
import type { SyntaxNode } from '../../../scan/parse/parse-javascript.ts';
import type { Application } from '../code.ts';
import type { Framework } from './framework.ts';
import { guards } from './middleware.ts';
import { chainOf, statementText } from './mounts.ts';
import type { Routers } from './routers.ts';
import { identifierOf, isFunction, listOf, statementsOf, type Tree } from './tree.ts';

const STARTS = new Set(['listen', 'ready', 'init', 'inject', 'startAllMicroservices']);
/** Calls of which a function runs before every route. */
const RUNS_BEFORE = new Set(['use', 'addHook']);
const AUTOLOAD = '@fastify/autoload';

interface PlugInput {
  readonly name: string;
  readonly block: readonly SyntaxNode[];
  readonly framework: Framework;
  readonly routers: Routers;
}

/** @param made what makes the application, in a statement of the block; absent where a function takes it */
export function readPlugs(
  tree: Tree,
  { name, block, framework, routers }: PlugInput,
  made?: SyntaxNode,
): Application {
  const from = block.findIndex((one) => made === undefined || contains(one, made));
  let after = made === undefined ? undefined : block[from];
  let problem: string | undefined;
  for (const statement of block.slice(Math.max(from, 0))) {
    const calls = isDeclaredFunction(statement) ? [] : callsIn(tree, statement, name);
    if (calls.some(({ method }) => STARTS.has(method))) break;
    const guard = calls.some(
      ({ method, values }) =>
        RUNS_BEFORE.has(method) && values.some((value) => guards(tree, value, routers)),
    );
    if (guard)
      problem ??= `"${statementText(tree, statement)}" in front of the place may refuse requests: decide whether the routes go before or behind it`;
    if (calls.some(({ method }) => framework.plugs?.has(method) === true)) after = statement;
  }
  // What other files register may have any path.
  const common = { path: tree.path, name, after, roots: [], isOpen: true };
  return problem === undefined ? common : { ...common, problem };
}

/** The functions that take the application of Fastify and load its plugins from folders, as `fastify start app.js` does. */
export function pluginsThatLoad(
  tree: Tree,
  framework: Framework,
  routers: Routers,
): readonly Application[] {
  if (framework.loads !== true || !tree.text.includes(AUTOLOAD)) return [];
  return tree.nodes.flatMap((node) => {
    const name = isFunction(node) ? identifierOf(listOf(node, 'params')[0]) : undefined;
    if (name === undefined) return [];
    const read = readPlugs(tree, { name, block: statementsOf(node), framework, routers });
    return read.after === undefined ? [] : [read];
  });
}

function contains(outer: SyntaxNode, inner: SyntaxNode): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

function isDeclaredFunction(node: SyntaxNode): boolean {
  return node.type === 'FunctionDeclaration' || node.type === 'ExportNamedDeclaration';
}

/** The calls of the application in a statement, outside of functions. */
function callsIn(tree: Tree, statement: SyntaxNode, name: string) {
  return tree.nodes.flatMap((node) => {
    if (node.type !== 'CallExpression' || !contains(statement, node)) return [];
    for (let at = tree.parents.get(node); at !== statement && at !== undefined;) {
      if (isFunction(at)) return [];
      at = tree.parents.get(at);
    }
    const [root, ...calls] = chainOf(node);
    return root === name ? calls : [];
  });
}
