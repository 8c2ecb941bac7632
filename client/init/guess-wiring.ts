/**
 * Finds what a module gives to an application, and writes the steps that put it there: a router, a function that takes
 * the application, a middleware.
 */
import { basename, posix } from 'node:path';
import type { Manifest } from '../../format/build/manifest.ts';
import { isTestPath, isTestOrExamplePath } from '../../scan/text/decode-text.ts';
import type { BuildFile, ScannedBuild, ScannedFile } from '../../scan/scanned-file.ts';
import { variablesOf } from '../../scan/evidence/fact-evidence.ts';
import { isConventional } from '../../scan/rules/quality/env.ts';
import type { SyntaxNode } from '../../scan/parse/parse-javascript.ts';
import { personalDataIn } from '../../format/statement/personal-data.ts';

/** Something that a file exports, and how an application takes it. */
interface Offer {
  readonly name: string;
  readonly role: '@express' | '@hono' | '@fastapi';
  readonly kind: 'router' | 'plugin' | 'middleware';
}

const NAME = String.raw`([A-Za-z_$][\w$]{0,99})`;
const PATTERNS: readonly (readonly [RegExp, Offer['role'], Offer['kind']])[] = [
  [
    new RegExp(
      String.raw`^export (?:async )?function ${NAME}\(\s*\w+: (?:express\.)?(?:Express|Application)\b`,
      'm',
    ),
    '@express',
    'plugin',
  ],
  [
    new RegExp(String.raw`^export const ${NAME}(?:: \w+)? = (?:express\.)?Router\(`, 'm'),
    '@express',
    'router',
  ],
  [new RegExp(String.raw`^export const ${NAME} = new Hono\b`, 'm'), '@hono', 'router'],
  [
    new RegExp(
      String.raw`^export (?:async )?function ${NAME}\(\s*\w+: (?:express\.)?Request\b[^)]{0,200}\bNextFunction\b`,
      'm',
    ),
    '@express',
    'middleware',
  ],
  [new RegExp(String.raw`^${NAME}(?:: \w+)? = APIRouter\(`, 'm'), '@fastapi', 'router'],
];

/** The steps of the section "Steps"; `undefined` where the files offer nothing, or several things. */
export function guessWiring(
  files: readonly Pick<BuildFile, 'path' | 'bytes'>[],
  { base, name, kind }: Manifest,
): string | undefined {
  if (base === undefined || kind !== 'module') return undefined;
  const offers = files
    .filter(({ path }) => /\.(?:[cm]?[jt]sx?|py)$/.test(path) && !isTestPath(path))
    .flatMap(({ path, bytes }) =>
      offersOf(Buffer.from(bytes).toString('utf8')).map((offer) => ({ path, ...offer })),
    );
  const [offer] = offers;
  if (offer === undefined || offers.length > 1) return undefined;
  const module = posix.join(basename(base), offer.path);
  if (offer.role === '@fastapi') {
    const dotted = posix
      .join(base, offer.path)
      .replace(/(?:\/__init__)?\.py$/, '')
      .replaceAll('/', '.');
    const bound = `${name.replaceAll('-', '_')}_router`;
    return steps(
      [
        ['python wire import @fastapi', `from ${dotted} import ${offer.name} as ${bound}`],
        [
          'python wire insert @fastapi routers:app',
          `app.include_router(${bound}, prefix="/${name}")`,
        ],
      ],
      'Where the app includes its routers',
    );
  }
  const specifier = `./${module.replace(/\.[cm]?[jt]sx?$/, '.js')}`;
  const imported = `import { ${offer.name} } from '${specifier}';`;
  if (offer.kind === 'middleware') {
    const text = `1. **Where the app uses its middleware**: add before the routes that need it.\n\n`;
    return `${text}${fence('ts', `${imported}\n\napp.use(${offer.name});`)}`;
  }
  const mount = offer.role === '@hono' ? 'route' : 'use';
  const call =
    offer.kind === 'plugin' ? `${offer.name}(app);` : `app.${mount}('/${name}', ${offer.name});`;
  return steps(
    [
      [`ts wire import ${offer.role}`, imported],
      [`ts wire insert ${offer.role} routes`, call],
    ],
    'Where the app mounts its routes',
  );
}

function offersOf(text: string): Offer[] {
  return PATTERNS.flatMap(([pattern, role, kind]) => {
    const name = pattern.exec(text)?.[1];
    return name === undefined ? [] : [{ name, role, kind }];
  });
}

function steps(blocks: readonly (readonly [string, string])[], where: string): string {
  const text = `1. **${where}**: add after the last one, before what answers unknown paths.\n\n`;
  return text + blocks.map(([info, code]) => fence(info, code)).join('\n\n');
}

function fence(info: string, code: string): string {
  return `\`\`\`${info}\n${code}\n\`\`\``.replaceAll(/^(?=.)/gm, '   ');
}

/** The environment variables that the code of a build reads, with their descriptions from the project. */
interface Variable {
  readonly description?: string;
  readonly example?: string;
}

/** The variables that Vite itself puts into `import.meta.env`. */
const OF_VITE = new Set(['MODE', 'BASE_URL', 'PROD', 'DEV', 'SSR']);
const GUESS_VARIABLES_NAME = /^[A-Za-z_]\w{0,119}$/;
const MAX_EXAMPLE = 200;
const MAX_DEPTH = 500;

/** @param example the text of the project's `.env.example`, `''` for none */
export function guessVariables(build: ScannedBuild, example: string): Record<string, Variable> {
  const read = build.taint.facts
    .filter(({ action, path }) => action === 'variable' && !isTestOrExamplePath(path))
    .flatMap(variablesOf);
  const meta = build.files.filter(({ path }) => !isTestOrExamplePath(path)).flatMap(metaVariables);
  const names = [...new Set([...read, ...meta])].filter(
    (name) => name !== '*' && !isConventional(name),
  );
  const known = exampleVariables(example);
  return Object.fromEntries(names.sort().map((name) => [name, known.get(name) ?? {}]));
}

/** `import.meta.env.X` and `import.meta.env['X']`. */
function metaVariables({ syntax }: ScannedFile): string[] {
  if (syntax.language !== 'javascript') return [];
  const names: string[] = [];
  visit(syntax.program, 0, (node) => {
    if (node.type !== 'MemberExpression') return;
    const object = node['object'] as SyntaxNode;
    if (object.type !== 'MemberExpression' || keyOf(object) !== 'env') return;
    if ((object['object'] as SyntaxNode).type !== 'MetaProperty') return;
    const name = keyOf(node);
    if (name !== undefined && GUESS_VARIABLES_NAME.test(name) && !OF_VITE.has(name))
      names.push(name);
  });
  return names;
}

function keyOf(member: SyntaxNode): string | undefined {
  const property = member['property'] as SyntaxNode;
  const key = member['computed'] === true ? property['value'] : property['name'];
  return typeof key === 'string' ? key : undefined;
}

function visit(value: unknown, depth: number, use: (node: SyntaxNode) => void): void {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) visit(item, depth + 1, use);
    return;
  }
  if ('type' in value && typeof value.type === 'string') use(value as SyntaxNode);
  for (const child of Object.values(value)) visit(child, depth + 1, use);
}

/** `NAME=value` with the comment above it; a value that looks like a secret is not used as an example. */
function exampleVariables(text: string): Map<string, Variable> {
  const found = new Map<string, Variable>();
  let comments: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const comment = /^\s{0,20}#\s{0,20}(.*)$/.exec(line)?.[1];
    const [, name, value = ''] = /^\s{0,20}(?:export )?([A-Za-z_]\w{0,119})=(.*)$/.exec(line) ?? [];
    if (comment !== undefined) comments.push(comment.trim());
    else {
      const description = comments.join(' ').trim();
      const example = value.trim().replace(/^(["'])(.*)\1$/, '$2');
      const isShown =
        example !== '' && example.length <= MAX_EXAMPLE && personalDataIn(example) === undefined;
      if (name !== undefined) {
        found.set(name, {
          ...(description === '' ? {} : { description }),
          ...(isShown ? { example } : {}),
        });
      }
      comments = [];
    }
  }
  return found;
}
