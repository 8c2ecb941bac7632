/** The paths that an application has already, and those that the blocks of a build mount. Pure. */
import { parseExpectations } from '../../format/wiring/expectations.ts';
import type { WireBlock } from '../../format/wiring/wiring.ts';
import type { Code } from './code.ts';
import type { FoundApplication } from './find-application.ts';
import { Routers } from './javascript/routers.ts';
import { codeLanguageOf } from './open-code.ts';
import type { ProjectTexts } from './project-texts.ts';

/** `.use('/auth', ...)`, `prefix: '/auth'`, `prefix="/auth"` */
const MOUNTED =
  /(?:\.(?:use|route|mount|get|post|put|patch|delete|all|include_router)\s*\(|\b(?:prefix|path|url)\s*[:=])\s*(["'`])(\/[^"'`\s${}*]{1,100})\1/g;

/** The paths that the blocks of a build mount; where they include a router that has its own, those that the guide expects below. */
export function prefixesOf(blocks: readonly WireBlock[], guide = ''): string[] {
  const own = blocks.flatMap(({ text }) => mountedIn(text));
  const isRouter = blocks.some(({ anchor }) => anchor?.kind === 'routers');
  const all = own.length > 0 || !isRouter ? own : expectedFolders(guide);
  return [...new Set(all)].filter((path) => path !== '');
}

/** `/auth` of `POST /auth/register`. */
function expectedFolders(guide: string): string[] {
  const paths = parseExpectations(guide).requests.map(({ path }) => path.replace(/\?.*$/, ''));
  return paths.map((path) => path.slice(0, path.lastIndexOf('/')));
}

/** The first of `prefixes` that the file, or a router that is mounted at its root, has. */
export function takenPrefix(
  code: Code,
  application: FoundApplication | undefined,
  prefixes: readonly string[],
  texts: ProjectTexts,
): string | undefined {
  if (prefixes.length === 0) return undefined;
  const inFile = prefixes.find((prefix) => code.strings.some((text) => isUnder(text, prefix)));
  if (inFile !== undefined || codeLanguageOf(code.path) !== 'javascript') return inFile;
  if (application?.isOpen === true) {
    const all = texts.project.paths.flatMap((path) => mountedIn(texts.get(path) ?? '', path));
    const open = prefixes.find((prefix) => all.some((path) => isUnder(path, prefix)));
    if (open !== undefined) return open;
  }
  const routers = new Routers({ read: (from, name) => texts.readModule(from, name) });
  const mounted = (application?.roots ?? []).flatMap((module) =>
    routers.reachable(code.path, module),
  );
  return prefixes.find((prefix) =>
    mounted.some((text) => strings(text).some((one) => isUnder(one, prefix))),
  );
}

/** `@Controller('auth')`, `@Controller({ path: 'auth' })` */
const CONTROLLER =
  /@Controller\s*\(\s*(?:\{[^{}]{0,200}\bpath\s*:\s*)?["'`]\/?([\w/.:-]{1,100})["'`]/g;
/** Folders that `@fastify/autoload` makes prefixes of. */
const ROUTE_FILE = /(?:^|\/)routes(\/[\w/-]+?)(?:\/(?:index|root))?\.[cm]?[jt]s$/;

/** @param path of a file whose place and decorators count as well */
function mountedIn(text: string, path?: string): string[] {
  const mounted = Array.from(text.matchAll(MOUNTED), ([, , found = '']) => found);
  if (path !== undefined) {
    mounted.push(...Array.from(text.matchAll(CONTROLLER), ([, found]) => `/${found}`));
    const [, byFolder] = /fastify/i.test(text) ? (ROUTE_FILE.exec(path) ?? []) : [];
    if (byFolder !== undefined) mounted.push(byFolder);
  }
  return mounted.map((found) => found.replace(/\/$/, ''));
}

function strings(text: string): string[] {
  return Array.from(text.matchAll(/(["'`])(\/[^"'`\n]{0,200})\1/g), ([, , value = '']) => value);
}

function isUnder(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}
