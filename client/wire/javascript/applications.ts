/** The applications that a file of JavaScript or TypeScript makes or takes. Pure. */
import type { SyntaxNode } from '../../../scan/parse/parse-javascript.ts';
import type { Application, FileApplications } from '../code.ts';
import { type Framework, NEST } from './framework.ts';
import { pluginsThatLoad, readMounts, readPlugs } from './mounts.ts';
import type { Routers } from './routers.ts';
import {
  bare,
  fieldOf,
  identifierOf,
  isFunction,
  listOf,
  statementsOf,
  type Tree,
} from './tree.ts';

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
