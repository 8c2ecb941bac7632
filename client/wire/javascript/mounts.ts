/**
 * Finds where an application mounts its routes: after the last statement that does so directly. What answers
 * unknown paths stays behind it. Pure.
 *
 *     app.use('/users', users);              mounts
 *     app.get('/health', health);            mounts
 *     app.use(routes);                       mounts where `routes` is a router of the project
 *     for (const r of all) app.use(r.path, r.router);   mounts
 *     app.use(cors());  if (x) app.use('/docs', docs);  app.options('/x', y);   do not
 *     app.use('*', notFound);                answers every path
 *     app.use((req, res) => res.end());      answers every request: the place is before it
 *     app.use(auth.requireSession);          may refuse requests: nothing is mounted behind it
 */
import type { SyntaxNode } from '../../../scan/parse/parse-javascript.ts';
import type { Application } from '../code.ts';
import type { Framework } from './framework.ts';
import { answers, guards } from './middleware.ts';
import type { Routers } from './routers.ts';
import {
  bare,
  boundNames,
  fieldOf,
  identifierOf,
  isFunction,
  listOf,
  statementsOf,
  stringOf,
  type Tree,
} from './tree.ts';

interface MountInput {
  readonly name: string;
  /** The statements of the block that declares the application. */
  readonly block: readonly SyntaxNode[];
  readonly scope: SyntaxNode;
  readonly framework: Framework;
  readonly routers: Routers;
}

type Effect = 'mount' | 'fallback' | 'answer' | 'guard' | 'other';

export function readMounts(tree: Tree, input: MountInput): Application {
  const reader = new MountReader(tree, input);
  const effects = input.block.map((statement) => reader.statement(statement));
  const first = effects.indexOf('fallback');
  const answering = effects.indexOf('answer');
  const [end, hasPlace] = [
    answering < 0 ? effects.length : answering,
    effects.includes('mount') || reader.isAnswered,
  ];
  const own = effects.slice(0, end).lastIndexOf('mount');
  // Behind what answers every request, nothing is reached: routes go in front of it.
  const last = answering >= 0 && own < 0 && hasPlace ? answering - 1 : own;
  const guard = effects.indexOf('guard');
  const after = input.block[last];
  const common = {
    path: tree.path,
    name: input.name,
    after,
    roots: reader.roots,
    isOpen: reader.isOpen,
  };
  if (reader.isMixed) {
    return { ...common, problem: 'one statement mounts routes and answers all other paths' };
  }
  if (reader.hasNested()) {
    return { ...common, problem: 'routes are mounted in a nested function' };
  }
  if (after !== undefined && guard >= 0 && guard <= last) {
    const text = statementText(tree, input.block[guard]!);
    const why = `"${text}" in front of the place may refuse requests: decide whether the routes go before or behind it`;
    return { ...common, problem: why };
  }
  if (after !== undefined && first >= 0 && first < last) {
    return { ...common, problem: 'a route that answers every path stands before the last one' };
  }
  return common;
}

class MountReader {
  readonly roots: string[] = [];
  isMixed = false;
  /** Whether a router that answers every request was read. */
  isAnswered = false;
  /** Whether a path of a route is not known here. */
  isOpen = false;
  readonly #tree: Tree;
  readonly #input: MountInput;
  /** Calls of the application that were read as part of a statement of the block. */
  readonly #read = new Set<SyntaxNode>();

  constructor(tree: Tree, input: MountInput) {
    this.#tree = tree;
    this.#input = input;
  }

  statement(node: SyntaxNode): Effect {
    const loop = loopOf(node);
    if (loop !== undefined) {
      const effects = loop.body.map((one) =>
        this.#expression(fieldOf(one, 'expression'), loop.names),
      );
      const isMount = effects.includes('mount');
      this.isOpen ||= isMount;
      return isMount ? 'mount' : 'other';
    }
    if (node.type !== 'ExpressionStatement') return 'other';
    return this.#expression(fieldOf(node, 'expression'), new Set());
  }

  /** Whether a function in the scope, which runs at another time, mounts routes. */
  hasNested(): boolean {
    const { name, framework } = this.#input;
    return this.#tree.nodes.some((node) => {
      if (node.type !== 'CallExpression' || this.#read.has(node)) return false;
      const [root, ...calls] = chainOf(node);
      const last = calls.at(-1);
      if (root !== name || last === undefined || !this.#isNested(node)) return false;
      const [first, ...rest] = last.values;
      const isMount =
        framework.verbs.has(last.method) || (framework.usesMount && last.method === 'use');
      const isPath = pathsOf(this.#tree, first)?.every((path) => !isEveryPath(path)) === true;
      if (isMount && isPath) return rest.length > 0 || last.method === 'route';
      return (
        isMount &&
        last.values.some((value) => this.#input.routers.moduleOf(this.#tree, value) !== undefined)
      );
    });
  }

  /** Whether `node` is in a function inside of the scope, and means the application of the scope. */
  #isNested(node: SyntaxNode): boolean {
    const { scope, name } = this.#input;
    let isNested = false;
    for (let at = this.#tree.parents.get(node); at !== undefined; at = this.#tree.parents.get(at)) {
      if (at === scope) return isNested;
      if (isFunction(at)) {
        isNested = true;
        if (listOf(at, 'params').flatMap(boundNames).includes(name)) return false;
      }
      if (statementsOf(at).flatMap(boundNames).includes(name)) return false;
    }
    return false;
  }

  #expression(node: SyntaxNode | undefined, loopNames: ReadonlySet<string>): Effect {
    const inner = node?.type === 'AwaitExpression' ? fieldOf(node, 'argument') : bare(node);
    const [root, ...calls] = chainOf(inner);
    if (inner?.type === 'CallExpression' && this.#isAnsweredBy(inner)) return 'answer';
    if (root !== this.#input.name || inner === undefined) return 'other';
    for (let at: SyntaxNode | undefined = inner; at?.type === 'CallExpression';) {
      this.#read.add(at);
      at = fieldOf(fieldOf(at, 'callee'), 'object');
    }
    const effects = calls.map((call) => this.#call(call, loopNames));
    const isMount = effects.includes('mount');
    // `app.route('/x').get(...).all(...)` is one route.
    const isRoute = calls[0]?.method === 'route' && this.#input.framework.usesMount;
    const rest = isRoute ? [effects[0]!] : effects;
    if (isMount && (rest.includes('fallback') || hasMiddleware(calls, rest))) this.isMixed = true;
    const found = (['fallback', 'answer', 'guard'] as const).find((one) => rest.includes(one));
    return found ?? (isMount ? 'mount' : 'other');
  }

  /** Whether `mountDocs(app)` is a function of the project that answers every request. */
  #isAnsweredBy(call: SyntaxNode): boolean {
    const isGiven = listOf(call, 'arguments').some((one) => identifierOf(one) === this.#input.name);
    const text = isGiven
      ? this.#input.routers.definitionOf(this.#tree, fieldOf(call, 'callee'))
      : undefined;
    return text !== undefined && ANSWERS_ALL.test(text);
  }

  /** What middleware for all paths does with requests. */
  #middleware(values: readonly SyntaxNode[], otherwise: Effect): Effect {
    const { routers, framework } = this.#input;
    const isGuard = values.some((value) => guards(this.#tree, value, routers));
    if (isGuard) return 'guard';
    return framework.usesMount && values.some(answers) ? 'answer' : otherwise;
  }

  #call({ method, values }: Call, loopNames: ReadonlySet<string>): Effect {
    const { framework, routers } = this.#input;
    const isUse = method === 'use';
    if (!isUse && !framework.verbs.has(method)) return 'other';
    const [first, ...rest] = values;
    const paths = pathsOf(this.#tree, first);
    if (isUse && !framework.usesMount) {
      if (paths === undefined) return this.#middleware(values, 'other');
      return paths.every(isEveryPath) ? this.#middleware(rest, 'other') : 'other';
    }
    if (method === 'openapi') return 'mount';
    if (paths !== undefined) {
      // `app.get('name')` reads a setting.
      if (rest.length === 0 && method !== 'route') return 'other';
      if (paths.some(isEveryPath)) {
        const answer = answers(rest.at(-1)!) ? 'answer' : 'fallback';
        return isUse ? this.#middleware(rest, answer) : answer;
      }
      const isRoot = paths.includes('/') || paths.includes('');
      if (!isUse || !isRoot) return this.#mount(isRoot && isUse ? values : [], 'mount');
      return this.#mount(rest, 'other');
    }
    if (first?.type === 'Literal' && first['regex'] !== undefined) return 'fallback';
    const isOfLoop = (node: SyntaxNode | undefined): boolean =>
      loopNames.has(rootOf(bare(node)) ?? '');
    if (values.length > 1 && isOfLoop(first) && rest.every(isOfLoop)) return 'mount';
    if (!isUse) return method === 'route' && isOfLoop(first) ? 'mount' : 'other';
    const isPath = first?.type === 'MemberExpression' || first?.type === 'TemplateLiteral';
    if (isPath && rest.length > 0 && routers.moduleOf(this.#tree, rest.at(-1)) !== undefined) {
      this.isOpen = true;
      return 'mount';
    }
    return this.#mount(values, 'other');
  }

  /** `mount` where one of `values` is a router, which then is at the root. */
  #mount(values: readonly SyntaxNode[], otherwise: Effect): Effect {
    const { routers } = this.#input;
    const found = values.flatMap((value) => {
      const module = routers.moduleOf(this.#tree, value);
      return module === undefined ? [] : [{ module, value }];
    });
    this.roots.push(...found.map(({ module }) => module).filter((module) => module !== ''));
    if (found.length === 0 || otherwise === 'mount')
      return otherwise === 'mount' ? otherwise : this.#middleware(values, otherwise);
    const isAnswering = found.some(({ value }) => routers.mayAnswerAll(this.#tree, value));
    this.isAnswered ||= isAnswering;
    return isAnswering ? 'answer' : 'mount';
  }
}

/** `.use((req, res) => ...)` and `.get('*', (req, res) => ...)` */
const ANSWERS_ALL =
  /\.(?:use|all|get)\s*\(\s*(?:(['"`])\/?\{?\*[^'"`\n]{0,50}\1\s*,\s*)?(?:async\s*)?\(?\s*\w+\s*,\s*\w+\s*\)?\s*=>/;

interface Call {
  readonly method: string;
  readonly values: readonly SyntaxNode[];
}

/** The beginning of a statement, for a message. */
function statementText(tree: Tree, { start, end }: SyntaxNode): string {
  const text = tree.text.slice(start, end).replaceAll(/\s+/g, ' ').replace(/;$/, '');
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}

/** `app` and the calls of `app.use(x).get(y)`, in the order in which they run. */
function chainOf(node: SyntaxNode | undefined): [] | [string, ...Call[]] {
  const calls: Call[] = [];
  let at = node;
  while (at?.type === 'CallExpression') {
    const callee = fieldOf(at, 'callee');
    if (callee?.type !== 'MemberExpression' || callee['computed'] === true) return [];
    const method = identifierOf(fieldOf(callee, 'property')) ?? '';
    calls.unshift({ method, values: listOf(at, 'arguments') });
    at = fieldOf(callee, 'object');
  }
  const root = identifierOf(at);
  return root === undefined || calls.length === 0 ? [] : [root, ...calls];
}

/** Middleware of the same chain may answer what comes after it. */
function hasMiddleware(calls: readonly Call[], effects: readonly Effect[]): boolean {
  const last = effects.lastIndexOf('mount');
  return calls.some(({ method }, at) => at > last && method === 'use' && effects[at] !== 'mount');
}

/** The body of `for (const r of all)` and of `all.forEach((r) => ...)`, with the names that it binds. */
function loopOf(
  node: SyntaxNode,
): { names: ReadonlySet<string>; body: readonly SyntaxNode[] } | undefined {
  if (node.type === 'ForOfStatement') {
    const body = fieldOf(node, 'body');
    const names = new Set(boundNames(fieldOf(node, 'left')));
    return {
      names,
      body: body?.type === 'BlockStatement' ? statementsOf(body) : body ? [body] : [],
    };
  }
  const call = node.type === 'ExpressionStatement' ? fieldOf(node, 'expression') : undefined;
  const callee = call?.type === 'CallExpression' ? fieldOf(call, 'callee') : undefined;
  if (identifierOf(fieldOf(callee, 'property')) !== 'forEach') return undefined;
  const work = listOf(call, 'arguments')[0];
  if (!isFunction(work)) return undefined;
  const names = new Set(listOf(work, 'params').flatMap(boundNames));
  const body = fieldOf(work, 'body');
  if (body?.type === 'BlockStatement') return { names, body: statementsOf(body) };
  // The expression of an arrow function, in the form of a statement.
  return {
    names,
    body: body === undefined ? [] : [{ ...body, type: 'ExpressionStatement', expression: body }],
  };
}

/** The paths of a string, a list of strings, or a constant of the file that is a string. */
function pathsOf(tree: Tree, node: SyntaxNode | undefined): string[] | undefined {
  const inner = bare(node);
  const text = stringOf(inner);
  if (text !== undefined) return [text];
  if (inner?.type === 'ArrayExpression') {
    const all = listOf(inner, 'elements').map(stringOf);
    return all.length > 0 && all.every((one) => one !== undefined) ? all : undefined;
  }
  const name = identifierOf(inner);
  if (name === undefined) return undefined;
  const declared = tree.nodes.filter(
    (one) => one.type === 'VariableDeclarator' && identifierOf(fieldOf(one, 'id')) === name,
  );
  const value = declared.length === 1 ? stringOf(bare(fieldOf(declared[0], 'init'))) : undefined;
  return value === undefined ? undefined : [value];
}

/** `*`, `/*splat`, `/{*any}`: such a route stays behind the others. */
function isEveryPath(path: string): boolean {
  return path.includes('*');
}

function rootOf(node: SyntaxNode | undefined): string | undefined {
  let at = node;
  while (at?.type === 'MemberExpression') at = bare(fieldOf(at, 'object'));
  return identifierOf(at);
}

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

/**
 * Where an application of Fastify or Nest takes one more plugin: after the last one that its block takes, or after the
 * statement that makes it, and before what starts it. Routes are found by their paths there, in whatever order they come.
 *
 *     const app = Fastify();                    makes it
 *     app.register(cors);                       takes a plugin: hooks of earlier plugins are for later ones
 *     app.addHook('onRequest', requireUser);    may refuse requests: the step is left to the user
 *     await app.listen({ port: 3000 });         starts it
 * @param made what makes the application, in a statement of the block; absent where a function takes it
 */
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
