/** Finds the one place of a project where its application takes routes. Pure. */
import { parseExpectations } from '../../format/wiring/expectations.ts';
import type { WireRole } from '../../format/wiring/wire-info.ts';
import type { Application, Range, Code } from './code.ts';
import { factoriesIn, honoOf, type Framework } from './javascript/framework.ts';
import { Routers } from './javascript/routers.ts';
import { readTree } from './javascript/tree.ts';
import { MAX_WIRED_CHARACTERS, ROLE_WORD, applicationsOf, codeLanguageOf } from './open-code.ts';
import type { ProjectTexts } from './project-texts.ts';
import type { WireBlock } from '../../format/wiring/wiring.ts';

export interface FoundApplication extends Application {
  /** The statement after which routes are mounted. */
  readonly after: Range;
}

/** Why there is no place; `path` where one file is the reason. */
export interface NoPlace {
  readonly why: string;
  readonly path?: string;
}

const LANGUAGE: Readonly<Record<WireRole, 'javascript' | 'python'>> = {
  '@express': 'javascript',
  '@fastify': 'javascript',
  '@hono': 'javascript',
  '@nest': 'javascript',
  '@fastapi': 'python',
};
const MAKES: Readonly<Record<WireRole, RegExp>> = {
  '@express': /\bexpress\s*\(\s*\)/,
  '@fastify': /\bfastify\b['"]?\s*\)?\s*\(/i,
  '@hono': /\bnew\s+(?:OpenAPI)?Hono\b/,
  '@nest': /\bNestFactory\s*\.\s*create\b/,
  '@fastapi': /\bFastAPI\s*\(/,
};

/** @param only the one file to look in; otherwise all files of the project */
export function findApplication(
  role: WireRole,
  texts: ProjectTexts,
  only?: string,
): FoundApplication | NoPlace {
  const found = search(role, texts, only);
  if (role !== '@hono' || !('why' in found)) return found;
  const factories = honoFactories(texts);
  if (factories.size === 0) return found;
  const framework = honoOf((from, specifier, name) => {
    const path = texts.project.resolve(from, specifier);
    return path !== undefined && factories.get(path)?.has(name) === true;
  });
  const made = search(role, texts, only, framework);
  return 'why' in made ? found : made;
}

/** Files with functions that make an application, such as `createApp()`, and the names of these exports. */
function honoFactories(texts: ProjectTexts): Map<string, Set<string>> {
  const factories = new Map<string, Set<string>>();
  for (const path of texts.project.paths) {
    const text = texts.get(path) ?? '';
    if (text.length > MAX_WIRED_CHARACTERS || !MAKES['@hono'].test(text)) continue;
    const tree = codeLanguageOf(path) === 'javascript' ? readTree(path, text) : undefined;
    const names = tree === undefined ? new Set<string>() : factoriesIn(tree);
    if (names.size > 0) factories.set(path, names);
  }
  return factories;
}

/** @param framework whose applications are made by functions of the project, where it is not that of the role */
function search(
  role: WireRole,
  texts: ProjectTexts,
  only: string | undefined,
  framework?: Framework,
): FoundApplication | NoPlace {
  const declared: Application[] = [];
  const taken: Application[] = [];
  const problems: { readonly path: string; readonly why: string }[] = [];
  for (const path of only === undefined ? texts.project.paths : [only]) {
    const text = texts.get(path);
    if (text === undefined || codeLanguageOf(path) !== LANGUAGE[role]) continue;
    if (framework === undefined && !text.includes(ROLE_WORD[role])) continue;
    const isMaker = MAKES[role].test(text);
    if (text.length > MAX_WIRED_CHARACTERS) {
      if (isMaker) problems.push({ path, why: 'it is too large to be read' });
      continue;
    }
    const read = texts.readModule.bind(texts);
    const found = applicationsOf(path, text, role, { read }, framework);
    if (found === undefined) {
      if (isMaker) problems.push({ path, why: 'it has a syntax error' });
      continue;
    }
    declared.push(...found.declared);
    taken.push(...found.taken);
    if (found.problem !== undefined && framework === undefined)
      problems.push({ path, why: found.problem });
  }
  // A router of Hono is made like the application that mounts it.
  const isRouter = role === '@hono' ? routersAmong([...declared, ...problems], texts) : () => false;
  return choose(role, {
    declared: declared.filter((one) => !isRouter(one)),
    taken,
    problems: problems.filter((one) => !isRouter(one)),
    only,
  });
}

/** Whether another one of `all` imports the file of one. */
function routersAmong(
  all: readonly { readonly path: string }[],
  texts: ProjectTexts,
): (one: { readonly path: string }) => boolean {
  const paths = [...new Set(all.map(({ path }) => path))];
  if (paths.length < 2) return () => false;
  const routers = new Routers({ read: (from, name) => texts.readModule(from, name) });
  const imported = paths.map((path) => routers.importedBy(path, texts.get(path) ?? ''));
  return ({ path }) => paths.some((other, at) => other !== path && imported[at]!.has(path));
}

function choose(
  role: WireRole,
  {
    declared,
    taken,
    problems,
    only,
  }: {
    readonly declared: readonly Application[];
    readonly taken: readonly Application[];
    readonly problems: readonly { readonly path: string; readonly why: string }[];
    readonly only: string | undefined;
  },
): FoundApplication | NoPlace {
  // The plugin that loads the others is behind them, and so has their hooks.
  if (role === '@fastify' && taken.length > 0)
    return choose(role, { declared: taken, taken: [], problems: [], only });
  const places = [...declared, ...problems].map(({ path }) => path);
  if (places.length > 1) return { why: `several places make an application: ${listOf(places)}` };
  const [problem] = problems;
  if (problem !== undefined) return { why: problem.why, path: problem.path };
  const [made] = declared;
  if (made === undefined && (only === undefined || taken.length === 0)) {
    return { why: `no file makes an application with ${ROLE_WORD[role]}` };
  }
  const mounting = [...(made?.after === undefined ? [] : [made]), ...taken];
  if (mounting.length > 1) {
    return { why: `several places mount routes: ${listOf(mounting.map(({ path }) => path))}` };
  }
  const place = mounting[0] ?? made!;
  if (place.problem !== undefined) {
    return { why: place.problem, path: place.path };
  }
  const after = place.after ?? place.madeAt;
  if (after !== undefined) return { ...place, after };
  return { why: 'no route is mounted yet', path: place.path };
}

const NEXT_PAGE = /\/(?:layout|page|route)\.[jt]sx?$/;

/** The file at `path` below the folder of the app router of Next.js, where no other file has its first segment. */
export function fileOfNext(
  path: string,
  { project }: ProjectTexts,
): { readonly file: string } | NoPlace {
  const pages = project.paths.filter((one) => NEXT_PAGE.test(one));
  // As Next.js does: `src/app` counts where there is no `app`.
  const folder = ['app/', 'src/app/'].find((one) => pages.some((page) => page.startsWith(one)));
  if (folder === undefined)
    return { why: 'it has no folder "app" or "src/app" with pages of the app router of Next.js' };
  const [first = ''] = path.split('/');
  const file = folder + path;
  const other = pages.find((page) => {
    // Groups and slots are no part of the address.
    const address = page.replace(folder, '').replaceAll(/(?:\([^/]*\)|@[^/]*)\//g, '');
    return page !== file && page.startsWith(folder) && address.startsWith(`${first}/`);
  });
  return other === undefined ? { file } : { why: `the path "/${first}" is taken`, path: other };
}

function listOf(paths: readonly string[]): string {
  const unique = [...new Set(paths)];
  const more = unique.length > 5 ? ` and ${unique.length - 5} more` : '';
  const times = unique.length < paths.length ? ' (more than once in one file)' : '';
  return unique.slice(0, 5).join(', ') + more + times;
}

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
