/**
 * Finds what a module gives to an application, and writes the steps that put it there: a router, a function that takes
 * the application, a middleware.
 */
import { basename, posix } from 'node:path';
import type { Manifest } from '../../format/build/manifest.ts';
import type { BuildFile } from '../../scan/scanned-file.ts';
import { isTestPath } from '../../scan/text/file-kind.ts';

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
