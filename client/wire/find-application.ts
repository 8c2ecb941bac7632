/** Finds the one place of a project where its application takes routes. Pure. */
import type { WireRole } from '../../format/wiring/wire-info.ts';
import type { Application, Range } from './code.ts';
import { factoriesIn, type Framework, honoOf } from './javascript/framework.ts';
import { Routers } from './javascript/routers.ts';
import { readTree } from './javascript/tree.ts';
import { applicationsOf, codeLanguageOf, MAX_WIRED_CHARACTERS, ROLE_WORD } from './open-code.ts';
import type { ProjectTexts } from './project-texts.ts';

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

function listOf(paths: readonly string[]): string {
  const unique = [...new Set(paths)];
  const more = unique.length > 5 ? ` and ${unique.length - 5} more` : '';
  const times = unique.length < paths.length ? ' (more than once in one file)' : '';
  return unique.slice(0, 5).join(', ') + more + times;
}
